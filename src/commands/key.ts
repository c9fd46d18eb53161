import { COMMAND_LINE } from '../account/auth/actor.ts'
import { issueKey, requireKey, rotateKey } from '../account/keys/key.ts'
import { keyState } from '../account/keys/visible-keys.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import { findClientSetup } from '../console/project/client-setup.ts'
import { revokeKeyAndHistories } from '../history/erase/purge.ts'
import { KEY_HOLDERS, requireKeyHolder } from '../mcp-clients.ts'
import { readTime } from '../memory/records/text-argument.ts'
import type { Service } from '../service.ts'
import type { Key, Member } from '../store/account.ts'
import { commandGroup } from './command.ts'
import { commandOn, findMember, onProject, readDuration } from './service-command.ts'
import { toBaseUrl } from './settings.ts'
import { toListing } from './terminal/text.ts'

const onKey = (about: string) =>
  commandOn({
    arguments: { '<key>': about },
    options: {},
    find: (service, _options, ref = '') => requireKey(service, ref),
  })

const issueCommand = onProject('issue', 'issue a key and print it; it is not shown again', {
  options: {
    '--member <member>': 'e-mail, name or id of its holder; without one it is a service key',
    '--label <text>': 'its name in lists',
    '--expires <time>': 'a date, or a time with a zone',
    '--client <client>': {
      help: "the client that will use it; decides how integrations' tools are named",
      choices: KEY_HOLDERS.map(({ id }) => id),
    },
    '--underscored': "list integrations' tools as <slug>__<tool>, whatever the client",
  },
  act: async (service, project, { member: ref, label, expires, client: clientId, underscored }) => {
    const member = await findMember(service, ref, project)
    const client = clientId === undefined ? undefined : requireKeyHolder(clientId)
    const { secret, key } = await issueKey(service, COMMAND_LINE, {
      project,
      label,
      member,
      expiresAt: expires === undefined ? undefined : readTime('--expires', expires),
      toolNames: underscored ? ('underscored' as const) : client?.toolNames,
    })
    const setup = client && findClientSetup(client.id, `${toBaseUrl(service.config)}/mcp`, secret)
    return { key: secret, ...toJson(service, key, member), ...(setup && { setup }) }
  },
  toText: (issued) =>
    [toIssuedText(issued), ...(issued.setup ? [`${issued.setup.where}:\n${issued.setup.text}`] : [])].join('\n\n'),
  unprinted: toUnprintedText,
})

const listCommand = onProject('list', "list a project's keys, without the secrets", {
  act: async (service, { id: projectId, accountId }) => {
    const members = await service.store.control.list('members', { accountId })
    const keys = await service.store.control.list('keys', { projectId })
    const holders = new Map(members.map((member) => [member.id, member]))
    return keys.map((key) => toJson(service, key, holders.get(key.memberId ?? '')))
  },
  toText: (keys) =>
    toListing(
      keys,
      {
        KEY: 'shown',
        LABEL: 'label',
        MEMBER: 'member',
        STATE: 'state',
        CREATED: 'created_at',
        EXPIRES: 'expires_at',
        'LAST USED': 'last_used_at',
        ID: 'id',
      },
      'no keys',
    ),
})

const revokeCommand = onKey('its id, the characters that lists show, or the key itself')(
  'revoke',
  'revoke a key from the next call on; session histories that a service key uploaded are erased',
  {
    act: async (service, key) => {
      await revokeKeyAndHistories(service, COMMAND_LINE, key)
      return { id: key.id, shown: key.shown, revoked: true }
    },
    toText: ({ shown }) => `revoked ${shown}`,
  },
)

const rotateCommand = onKey('the old key: its id, the characters that lists show, or the key itself')(
  'rotate',
  'replace a key: print a new one, which is not shown again; the old one expires after a while',
  {
    options: {
      '--overlap <span>': { help: 'how long the old key still works, at most 90d; 0 ends it at once', default: '24h' },
    },
    act: async (service, old, { overlap }) => {
      const { secret, key, member } = await rotateKey(service, COMMAND_LINE, {
        key: old,
        overlapMs: readDuration('--overlap', overlap),
      })
      return { key: secret, replaces: old.id, ...toJson(service, key, member ?? undefined) }
    },
    toText: toIssuedText,
    unprinted: toUnprintedText,
  },
)

export const keyCommand = commandGroup('key', 'manage the keys by which assistants connect to a project', [
  issueCommand,
  listCommand,
  revokeCommand,
  rotateCommand,
])

/** A key as JSON output, without the key itself, with its present state. */
function toJson({ clock }: Service, key: Key, member: Member | undefined) {
  return {
    id: key.id,
    shown: key.shown,
    label: key.label,
    project_id: key.projectId,
    member: member?.email ?? null,
    tool_names: key.toolNames,
    state: keyState(key, member, clock.now()),
    created_at: toIsoTimeOrNull(key.createdAt),
    expires_at: toIsoTimeOrNull(key.expiresAt),
    revoked_at: toIsoTimeOrNull(key.revokedAt),
    last_used_at: toIsoTimeOrNull(key.lastUsedAt),
  }
}

/** A new key as text, the only time that it is printed. */
function toIssuedText({ key, id }: { key: string; id: string }): string {
  return `${key}\n\nKeep it now: it cannot be shown again. Its id is ${id}.`
}

function toUnprintedText({ id }: { id: string }): string {
  return `a key was issued that nobody has; end it: memsvc key revoke ${id}`
}
