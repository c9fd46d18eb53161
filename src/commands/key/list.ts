import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { findProject } from '../find-project.ts'
import { reports } from '../report.ts'
import { toShownTime, toTable } from '../terminal/table.ts'
import { toListedKey } from './listed.ts'

/** `memsvc key list` */
export function listCommand(cli: Cli): Command {
  const command = new Command('list')
    .description("a project's keys, never the keys themselves")
    .requiredOption('--project <project>', 'name or id')
    .option('--account <account>', 'name or id, where several accounts have a project of that name')
  return reports(cli, command, {
    act: async (service, options: { project: string; account?: string }) => {
      const project = await findProject(service, options)
      const members = new Map((await service.store.control.listMembers(project.accountId)).map((member) => [member.id, member]))
      const keys = await service.store.control.listKeys(project.id)
      return keys.map((key) => toListedKey(key, members.get(key.memberId ?? ''), service.clock.now()))
    },
    toText: (keys) =>
      toTable(
        ['KEY', 'LABEL', 'MEMBER', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'ID'],
        keys.map((key) => [
          key.shown,
          key.label,
          key.member ?? '-',
          key.state,
          toShownTime(key.created_at),
          toShownTime(key.expires_at),
          toShownTime(key.last_used_at),
          key.id,
        ]),
        'no keys',
      ),
  })
}
