import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toTable, toTableTime } from '../terminal/table.ts'
import { issueCommand } from './issue.ts'
import { toListedKey } from './listed.ts'
import { revokeCommand } from './revoke.ts'
import { rotateCommand } from './rotate.ts'

/** `memsvc key issue|list|revoke|rotate` */
export function keyCommand(cli: Cli): Command {
  const command = new Command('key').description('manage the keys by which assistants connect to a project')
  for (const verb of [issueCommand, listCommand, revokeCommand, rotateCommand]) command.addCommand(verb(cli))
  return command
}

function listCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('list').description("list a project's keys, without the secrets"))
  return defineCommand(cli, command, {
    act: async (service, options: ProjectOptions) => {
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
