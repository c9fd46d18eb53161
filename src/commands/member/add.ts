import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { addMember } from '../../account/organizations/member.ts'
import type { Role } from '../../store/account.ts'
import { accountOption } from '../account-option.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { toListedMember } from './listed.ts'
import { roleOption } from './options.ts'

type Options = { account?: string; email: string; name: string; department?: string; role: Role }

/** `memsvc member add` */
export function addCommand(cli: Cli): Command {
  const command = new Command('add')
    .description('make a member of an account')
    .addOption(accountOption())
    .requiredOption('--email <address>', 'their e-mail address')
    .requiredOption('--name <name>', 'how their records are signed')
    .option('--department <department>', 'name or id')
    .addOption(roleOption())
  return defineCommand(cli, command, {
    act: async (service, { account: ref, email, name, role, department: departmentRef }: Options) => {
      const account = await requireAccount(service, ref)
      const department = await findDepartment(service, account, departmentRef)
      return toListedMember(service, await addMember(service, account, { email, name, role, department }, COMMAND_LINE))
    },
    toText: ({ email, role, id }) => `added ${role} ${email}; their id is ${id}`,
  })
}
