import { Command } from 'commander'
import { requireAccount } from '../../account/organizations/account.ts'
import { accountOption } from '../account-option.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { toTable, toTableTime } from '../terminal/table.ts'
import { toListedMember } from './listed.ts'

/** `memsvc member list` */
export function listCommand(cli: Cli): Command {
  const command = new Command('list')
    .description("an account's members")
    .addOption(accountOption())
    .option('--removed', 'former members too')
  return defineCommand(cli, command, {
    act: async (service, options: { account?: string; removed?: true }) => {
      const account = await requireAccount(service, options.account)
      const members = await service.store.control.listMembers(account.id)
      const shown = members.filter(({ removedAt }) => options.removed || removedAt === null)
      return Promise.all(shown.map((member) => toListedMember(service, member)))
    },
    toText: (members) =>
      toTable(
        ['E-MAIL', 'NAME', 'ROLE', 'DEPARTMENT', 'CREATED', 'REMOVED', 'ID'],
        members.map((member) => [
          member.email,
          member.name,
          member.role,
          member.department ?? '-',
          toTableTime(member.created_at),
          toTableTime(member.removed_at),
          member.id,
        ]),
        'no members',
      ),
  })
}
