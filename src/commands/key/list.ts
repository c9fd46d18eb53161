import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { findProject } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toTable, toTableTime } from '../terminal/table.ts'
import { toListedKey } from './listed.ts'

/** `memsvc key list` */
export function listCommand(cli: Cli): Command {
  const command = new Command('list')
    .description("a project's keys, never the keys themselves")
    .requiredOption('--project <project>', 'name or id')
    .option('--account <account>', 'name or id, where several accounts have a project of that name')
  return defineCommand(cli, command, {
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
          toTableTime(key.created_at),
          toTableTime(key.expires_at),
          toTableTime(key.last_used_at),
          key.id,
        ]),
        'no keys',
      ),
  })
}
