import { COMMAND_LINE, toMemberActor } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireMember } from '../../account/organizations/member.ts'
import { type ScannedCredentials, scanCredentials } from '../../maintenance/scan-credentials.ts'
import { requireAnyRecord } from '../../memory/records/lists/list-records.ts'
import { prepareShown } from '../../memory/records/lists/shown-record.ts'
import { rememberRecord } from '../../memory/records/save/remember.ts'
import { SCOPES } from '../../memory/visibility.ts'
import { commandGroup, type MakeCommand } from '../command.ts'
import { withoutUndefined } from '../record-filter.ts'
import { onProject } from '../service-command.ts'
import { readText } from '../terminal/files.ts'
import { countOf, toFacts, toPlainText, toTable } from '../terminal/text.ts'
import { forgetCommand, moveCommand, restoreCommand, unverifyCommand, verifyCommand } from './acts.ts'
import { listCommand } from './list.ts'

const showCommand = onProject('show', 'show one record with everything that is known about it', {
  arguments: { '<id>': '' },
  act: async (service, { id: projectId }, _options, id = '') => {
    const project = service.store.project(projectId)
    const record = await requireAnyRecord(project, undefined, id)
    return (await prepareShown(service, project, undefined, [record]))(record)
  },
  toText: ({ content, ...fields }) => {
    const known = Object.entries(fields).filter(([, value]) => value !== null)
    const facts = known.map(([name, value]) => [name, Array.isArray(value) ? value.join('; ') : value])
    return toPlainText(`${toFacts(facts, 14)}\n\n${content}`)
  },
})

const saveCommand: MakeCommand = (cli) =>
  onProject('save', "save one record, as 'remember' does", {
    arguments: { '<content>': "the fact, decision or note; '-' for standard input" },
    options: {
      '--workspace <name>': "'default' if left out",
      '--scope <scope>': { help: 'who sees it', choices: SCOPES, default: 'shared' },
      '--fact-key <key>': 'name of a fact that may change; the record supersedes the earlier one',
      '--source <id>': 'where it comes from: a path, a URL, a ticket',
      '--source-hash <hash>': 'state of the source that the record was taken from',
      '--asked-as <phrase...>': 'phrases in other words that somebody may ask with, up to 12',
      '--expires <time>': 'a date or an ISO 8601 time after which it counts as stale',
      '--member <member>': 'e-mail, name or id of its author; the operator if left out',
    },
    act: async (service, { id: projectId, accountId }, { workspace, scope, member: ref, ...given }, text = '') => {
      const content = text === '-' ? await readText(cli, '-') : text
      const account = await requireAccount(service, accountId)
      const actor =
        ref === undefined
          ? COMMAND_LINE
          : toMemberActor({ member: await requireMember(service, COMMAND_LINE, ref, account), account }, null)
      const { factKey, source, sourceHash, askedAs, expires } = given
      const rest = {
        workspace,
        fact_key: factKey,
        asked_as: askedAs,
        source_id: source,
        source_hash: sourceHash,
        expires_at: expires,
      }
      return rememberRecord(service, actor, { projectId, content, scope, ...withoutUndefined(rest) })
    },
    toText: ({ id, workspace, created, superseded, conflicts_with: conflicts }) =>
      [
        created ? `saved ${id} into '${workspace}'` : `exists already as ${id}`,
        ...superseded.map((other) => `  supersedes ${other.id}`),
        ...conflicts.map((other) => `  contradicts ${other.id}, which is verified and comes first`),
      ].join('\n'),
  })(cli)

const scanCommand = onProject(
  'scan',
  'search what is stored for passwords, keys and tokens: records, also forgotten ones, names of workspaces, and session histories',
  {
    options: { '--mask': 'put a mask in the place of each, for good' },
    act: async (service, project, { mask = false }) => scanCredentials(service, COMMAND_LINE, project, mask),
    toText,
    refusal: ({ found, masked }) =>
      found === 0 || masked
        ? undefined
        : `${countOf(found, 'credential')}; with --mask, a mask takes the place of each`,
  },
)

function toText({ found, masked, records, more, drafts, histories, backups }: ScannedCredentials): string {
  if (found === 0) return 'no credentials'
  const rows = records.map(({ kind, id, field, line, column }) => [kind, id, field, `line ${line}, column ${column}`])
  return [
    ...(rows.length === 0 ? [] : [toTable(['KIND', 'RECORD', 'IN', 'AT'], rows, '')]),
    ...(more === 0 ? [] : [`and ${more} more in records`]),
    ...toCountLine('in drafts', drafts),
    ...toCountLine('in session histories', histories),
    ...(masked
      ? [`masked ${countOf(found, 'credential')}; change them where they are used, since they have been read`]
      : []),
    ...(backups.length === 0 ? [] : ['these backups still hold them:', ...backups.map((path) => `  ${path}`)]),
    'copies of the data elsewhere still hold them, too',
  ].join('\n')
}

function toCountLine(where: string, counts: Record<string, number>): string[] {
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return parts.length === 0 ? [] : [`${where}: ${parts.join(', ')}`]
}

export const recordCommand = commandGroup('record', 'manage the records of a project, including forgotten ones', [
  listCommand,
  showCommand,
  saveCommand,
  moveCommand,
  forgetCommand,
  restoreCommand,
  verifyCommand,
  unverifyCommand,
  scanCommand,
])
