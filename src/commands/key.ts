import { Command } from 'commander'
import { issueKey, requireKey, revokeKey } from '../account/issue-key.ts'
import { requireMember } from '../account/member.ts'
import { requireProject } from '../account/project.ts'
import { readTime } from '../memory/time.ts'
import type { Key, Member } from '../store/control.ts'
import type { Cli } from './cli.ts'
import { reports } from './report.ts'
import { toIsoTime, toShownTime, toTable } from './table.ts'

/** `memsvc key issue|list|revoke` */
export function keyCommand(cli: Cli): Command {
  const command = new Command('key').description('keys by which assistants connect to a project')
  return command.addCommand(issue(cli)).addCommand(list(cli)).addCommand(revoke(cli))
}

type IssueOptions = { project: string; member?: string; label?: string; expires?: string; underscored?: true }

function issue(cli: Cli): Command {
  const command = new Command('issue')
    .description('issue a key and print it, this once')
    .requiredOption('--project <project>', 'name or id')
    .option('--member <member>', 'e-mail or id of who holds it; without one it is a service key')
    .option('--label <text>', 'how lists call it')
    .option('--expires <time>', 'a date, or a time with its zone')
    .option('--underscored', "list integrations' tools as <slug>__<tool>, for clients that refuse dots")
  return reports(cli, command, {
    act: async (service, options: IssueOptions) => {
      const member = options.member === undefined ? undefined : await requireMember(service, options.member)
      const { secret, key } = await issueKey(service, await requireProject(service, options.project), {
        label: options.label,
        member,
        expiresAt: options.expires === undefined ? undefined : readTime('--expires', options.expires),
        toolNames: options.underscored ? 'underscored' : 'dotted',
      })
      return { key: secret, ...toListed(key, member, service.clock.now()) }
    },
    toText: ({ key, id }) => `${key}\n\nKeep it now: it cannot be shown again. Its id is ${id}.`,
  })
}

function list(cli: Cli): Command {
  const command = new Command('list')
    .description("a project's keys, never the keys themselves")
    .requiredOption('--project <project>', 'name or id')
  return reports(cli, command, {
    act: async ({ store, clock }, options: { project: string }) => {
      const project = await requireProject({ store }, options.project)
      const members = new Map((await store.control.listMembers(project.accountId)).map((member) => [member.id, member]))
      const keys = await store.control.listKeys(project.id)
      return keys.map((key) => toListed(key, members.get(key.memberId ?? ''), clock.now()))
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

function revoke(cli: Cli): Command {
  const command = new Command('revoke')
    .description('revoke a key; it is dead at the next call')
    .argument('<key>', 'id, or the characters that lists show')
  return reports(cli, command, {
    act: async (service, _options: object, ref) => {
      const key = await requireKey(service, ref)
      await revokeKey(service, key)
      return { id: key.id, shown: key.shown, revoked: true }
    },
    toText: ({ shown }) => `revoked ${shown}`,
  })
}

function toListed(key: Key, member: Member | undefined, now: number) {
  const expired = key.expiresAt !== null && key.expiresAt <= now
  return {
    id: key.id,
    shown: key.shown,
    label: key.label,
    project_id: key.projectId,
    member: member?.email ?? null,
    tool_names: key.toolNames,
    state: key.revokedAt !== null ? 'revoked' : expired ? 'expired' : 'active',
    created_at: toIsoTime(key.createdAt),
    expires_at: toIsoTime(key.expiresAt),
    revoked_at: toIsoTime(key.revokedAt),
    last_used_at: toIsoTime(key.lastUsedAt),
  }
}
