import type { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { changeRole, moveMember, removeMember, requireMember, requireRole } from '../../account/organizations/member.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { toListedMember } from './listed.ts'
import { find, type MemberOptions, named } from './named.ts'

/** `memsvc member move` */
export function moveCommand(cli: Cli): Command {
  const command = named('move', 'move a member to a department, or out of any; records stay with the department they were saved for')
    .option('--department <department>', 'name or id')
    .option('--none', 'out of any department')
  return defineCommand(cli, command, {
    act: async (service, options: MemberOptions & { department?: string; none?: true }, ref) => {
      if ((options.department === undefined) === (options.none === undefined)) throw new Refusal('give one of --department and --none')
      const member = await find(service, options, ref)
      const account = await requireAccount(service, member.accountId)
      await moveMember(service, member, await findDepartment(service, account, options.department), COMMAND_LINE)
      return toListedMember(service, await requireMember(service, member.id))
    },
    toText: ({ email, department }) => `${email} is now in ${department === null ? 'no department' : `department '${department}'`}`,
  })
}

/** `memsvc member role` */
export function roleCommand(cli: Cli): Command {
  const command = named('role', 'give a member another role').argument('<role>', 'owner, admin or member')
  return defineCommand(cli, command, {
    act: async (service, options: MemberOptions, ref, role) => {
      const member = await find(service, options, ref)
      await changeRole(service, member, requireRole(role), COMMAND_LINE)
      return toListedMember(service, await requireMember(service, member.id))
    },
    toText: ({ email, role }) => `${email} is now ${role}`,
  })
}

/** `memsvc member remove` */
export function removeCommand(cli: Cli): Command {
  return defineCommand(cli, named('remove', 'remove a member: their keys are dead at once, their records stay'), {
    act: async (service, options: MemberOptions, ref) => {
      const member = await find(service, options, ref)
      const removedAt = await removeMember(service, member, COMMAND_LINE)
      return toListedMember(service, { ...member, removedAt })
    },
    toText: ({ email }) => `removed ${email}`,
  })
}
