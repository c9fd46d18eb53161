import { Command, Option } from 'commander'
import { COMMAND_LINE, toMemberActor } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireMember } from '../../account/organizations/member.ts'
import { rememberRecord } from '../../memory/records/save/remember.ts'
import { SCOPES, type Scope } from '../../memory/visibility.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { withoutUndefined } from '../record-filter.ts'
import { defineCommand } from '../report.ts'
import { readText } from '../terminal/read-text.ts'

type Options = ProjectOptions & {
  workspace?: string
  scope: Scope
  factKey?: string
  source?: string
  sourceHash?: string
  expires?: string
  member?: string
}

/** `memsvc record save` */
export function saveCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('save').description("save one record, as 'remember' does"))
    .argument('<content>', "the fact, decision or note; '-' for standard input")
    .option('--workspace <name>', "'default' if left out")
    .addOption(new Option('--scope <scope>', 'who sees it').choices(SCOPES).default('shared'))
    .option('--fact-key <key>', 'name of a fact that may change; the record supersedes the earlier one')
    .option('--source <id>', 'where it comes from: a path, a URL, a ticket')
    .option('--source-hash <hash>', 'state of the source that the record was taken from')
    .option('--expires <time>', 'a date or an ISO 8601 time after which it counts as stale')
    .option('--member <member>', 'e-mail or id of its author; the operator if left out')
  return defineCommand(cli, command, {
    act: async (service, options: Options, given = '') => {
      const { workspace, scope, factKey, source, sourceHash, expires, member: memberRef, ...named } = options
      const { id: projectId, accountId } = await findProject(service, named)
      const content = given === '-' ? await readText(cli, '-') : given
      const account = await requireAccount(service, accountId)
      const actor =
        memberRef === undefined
          ? COMMAND_LINE
          : toMemberActor({ member: await requireMember(service, COMMAND_LINE, memberRef, account), account }, null)
      const rest = { workspace, fact_key: factKey, source_id: source, source_hash: sourceHash, expires_at: expires }
      return rememberRecord(service, actor, { projectId, content, scope, ...withoutUndefined(rest) })
    },
    toText: ({ id, workspace, created, superseded, conflicts_with: conflicts }) =>
      [
        created ? `saved ${id} into '${workspace}'` : `exists already as ${id}`,
        ...superseded.map((other) => `  supersedes ${other.id}`),
        ...conflicts.map((other) => `  contradicts ${other.id}, which is verified and comes first`),
      ].join('\n'),
  })
}
