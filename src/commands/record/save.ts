import { COMMAND_LINE, toMemberActor } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireMember } from '../../account/organizations/member.ts'
import { rememberRecord } from '../../memory/records/save/remember.ts'
import { SCOPES } from '../../memory/visibility.ts'
import type { MakeCommand } from '../command.ts'
import { onProject } from '../options.ts'
import { withoutUndefined } from '../record-filter.ts'
import { readText } from '../terminal/read-text.ts'

export const saveCommand: MakeCommand = (cli) =>
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
      '--member <member>': 'e-mail or id of its author; the operator if left out',
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
