import { type Static, Type } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import type { StoredRecord } from '../store/project.ts'
import { isOutdated } from './stale.ts'
import { requireText } from './text.ts'
import { visibleTo } from './visible.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from './workspace.ts'

export const ValidateArguments = Type.Object(
  {
    source_id: Type.String({ description: 'The source whose records are checked' }),
    source_hash: Type.Optional(Type.String({ description: 'State the source has now; the one most recently saved when left out' })),
    workspace: Type.Optional(Type.String({ description: 'Area of the project; `default` when left out' })),
  },
  { additionalProperties: false },
)

export const Freshness = Type.Union([Type.Literal('fresh'), Type.Literal('stale'), Type.Literal('unknown')])

export const Validated = Type.Object({
  source_id: Type.String(),
  current_hash: Type.Union([Type.String(), Type.Null()]),
  fresh: Type.Integer(),
  stale: Type.Integer(),
  unknown: Type.Integer(),
  records: Type.Array(
    Type.Object({
      id: Type.String(),
      fact_key: Type.String(),
      content: Type.String(),
      source_hash: Type.Union([Type.String(), Type.Null()]),
      freshness: Freshness,
    }),
  ),
})

type Answer = Static<typeof Validated>

/** Compares the caller's records of one source with the given hash, or else with the source's current one. Changes nothing. */
export async function validateSource(
  { store, clock }: Means,
  caller: Caller,
  { source_id: sourceId, source_hash: given, workspace: name }: Static<typeof ValidateArguments>,
): Promise<Answer> {
  requireText('source_id', sourceId)
  if (given !== undefined) requireText('source_hash', given)
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const workspace = await requireWorkspace(project, visible, name ?? DEFAULT_WORKSPACE)
  const current = await project.findCurrentHash(visible, workspace.id, sourceId)
  const kept = await project.listRecords({ visible, workspaceId: workspace.id, sourceId })
  const records = kept.map((record) => toJudged(record, given ?? current, clock.now()))
  const count = (freshness: Judged['freshness']) => records.filter((record) => record.freshness === freshness).length
  return {
    source_id: sourceId,
    current_hash: current ?? null,
    fresh: count('fresh'),
    stale: count('stale'),
    unknown: count('unknown'),
    records,
  }
}

type Judged = Answer['records'][number]

function toJudged(record: StoredRecord, hash: string | undefined, now: number): Judged {
  const { id, factKey, content, sourceHash } = record
  return { id, fact_key: factKey, content, source_hash: sourceHash, freshness: freshnessOf(record, hash, now) }
}

/** Stale whatever the hash says where the record is superseded or expired; unknown where there is nothing to compare. */
function freshnessOf(record: StoredRecord, hash: string | undefined, now: number): Judged['freshness'] {
  if (isOutdated(record, now)) return 'stale'
  if (record.sourceHash === null || hash === undefined) return 'unknown'
  return record.sourceHash === hash ? 'fresh' : 'stale'
}
