import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireKey } from '../../account/keys/revoke-key.ts'
import { rotateKey } from '../../account/keys/rotate-key.ts'
import { revokeKeyAndHistories } from '../../history/erase/remove-owner.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, readDuration, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toTable, toTableTime } from '../terminal/table.ts'
import { issueCommand } from './issue.ts'
import { toIssuedText, toListedKey } from './listed.ts'

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
      const members = new Map(
        (await service.store.control.list('members', { accountId: project.accountId })).map((member) => [member.id, member]),
      )
      const keys = await service.store.control.list('keys', { projectId: project.id })
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

/** `memsvc key revoke` */
function revokeCommand(cli: Cli): Command {
  const command = new Command('revoke')
    .description('revoke a key from the next call on; session histories that a service key uploaded are erased')
    .argument('<key>', 'its id, the characters that lists show, or the key itself')
  return defineCommand(cli, command, {
    act: async (service, _options: object, ref) => {
      const key = await requireKey(service, ref)
      await revokeKeyAndHistories(service, COMMAND_LINE, key)
      return { id: key.id, shown: key.shown, revoked: true }
    },
    toText: ({ shown }) => `revoked ${shown}`,
  })
}

/** `memsvc key rotate` */
function rotateCommand(cli: Cli): Command {
  const command = new Command('rotate')
    .description('replace a key: print a new one, which is not shown again; the old one expires after a while')
    .argument('<key>', 'the old key: its id, the characters that lists show, or the key itself')
    .option('--overlap <span>', 'how long the old key still works, at most 90d; 0 ends it at once', '24h')
  return defineCommand(cli, command, {
    act: async (service, { overlap }: { overlap: string }, ref) => {
      const old = await requireKey(service, ref)
      const { secret, key, member } = await rotateKey(service, COMMAND_LINE, { key: old, overlapMs: readDuration('--overlap', overlap) })
      return { key: secret, replaces: old.id, ...toListedKey(key, member ?? undefined, service.clock.now()) }
    },
    toText: toIssuedText,
  })
}
