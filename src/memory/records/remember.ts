import { type Static, Type } from 'typebox'
import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { limitsOf } from '../../account/limits/plan.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead, Visible } from '../../store/record.ts'
import { passGuard } from '../rejections/pass-guard.ts'
import { scopeOf, visibleTo } from '../visibility.ts'
import { toDraft } from './draft.ts'
import { MAX_ANSWER_CHARACTERS, MAX_LISTED } from './excerpt.ts'
import { Named, Scope, Status } from './record.ts'
import { type Met, supersedeRest } from './rivals.ts'
import { saveApart, UNVERIFIED } from './save.ts'
import { readShown } from './shown-contents.ts'

export const RememberArguments = Type.Object(
  {
    content: Type.String({ description: 'The fact, decision or note, in one or a few sentences' }),
    fact_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Stable name of a fact that may change; a newer record of the key replaces the older',
      }),
    ),
    workspace: Type.Optional(
      Type.String({ description: 'Area of the project to save into, made when it is new; `default` when left out' }),
    ),
    scope: Type.Optional(Scope),
    source_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'Where the fact comes from: a path, a URL, a ticket' }),
    ),
    source_hash: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'State of the source the fact was taken from, such as a commit or content hash',
      }),
    ),
    expires_at: Type.Optional(Type.String({ description: 'ISO 8601 date or time after which the record counts as stale' })),
  },
  { additionalProperties: false },
)

export const Remembered = Type.Object({
  id: Type.String(),
  workspace: Type.String(),
  scope: Scope,
  fact_key: Type.String(),
  status: Status,
  source_id: Type.Union([Type.String(), Type.Null()]),
  source_hash: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  created: Type.Boolean(),
  superseded: Type.Array(Named),
  superseded_total: Type.Optional(Type.Integer({ description: 'How many there are, where `superseded` names only the first 100' })),
  conflicts_with: Type.Array(Named),
  conflicts_total: Type.Optional(Type.Integer({ description: 'How many there are, where `conflicts_with` names only the first 100' })),
})

/**
 * Saves one record for the caller and supersedes what its given fact key named before; the same save again makes no second record.
 * Throws a Refusal for arguments that cannot be kept, for what the guard rejects and for a project that is full.
 */
export async function rememberRecord(
  ctx: AppContext,
  caller: Caller,
  args: Static<typeof RememberArguments>,
): Promise<Static<typeof Remembered>> {
  const draft = await toDraft(ctx, caller, args)
  await passGuard(ctx.store.project(caller.projectId), draft, (deed) => recordEventAlone(ctx, { kind: 'caller', caller }, deed))
  const project = ctx.store.project(caller.projectId)
  const saved = await saveApart(project, draft, limitsOf(caller.account))
  const { record, created, conflicts } = saved
  const superseded = await supersedeRest(project, record, UNVERIFIED, saved.superseded)
  return {
    id: record.id,
    workspace: draft.workspace,
    scope: scopeOf(record.audience),
    fact_key: record.factKey,
    status: record.status,
    source_id: record.sourceId,
    source_hash: record.sourceHash,
    created_at: new Date(record.createdAt).toISOString(),
    created,
    ...(await nameMet(project, visibleTo(caller), superseded, conflicts)),
  }
}

/** Both lists share one room for their contents. */
async function nameMet(project: ProjectReads, visible: Visible, superseded: Met, conflicts: Met) {
  const met = [...superseded.heads, ...conflicts.heads]
  const shown = met.length === 0 ? undefined : await readShown(project, visible, met, MAX_ANSWER_CHARACTERS)
  const toNamed = ({ id }: RecordHead) => {
    const content = shown?.get(id)
    return content === undefined ? [] : [{ id, ...content }]
  }
  return {
    superseded: superseded.heads.flatMap(toNamed),
    ...(superseded.total > MAX_LISTED && { superseded_total: superseded.total }),
    conflicts_with: conflicts.heads.flatMap(toNamed),
    ...(conflicts.total > MAX_LISTED && { conflicts_total: conflicts.total }),
  }
}
