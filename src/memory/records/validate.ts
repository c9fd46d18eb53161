import { type Static, Type } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead, SourceSlice, Visible } from '../../store/record.ts'
import { visibleTo } from '../visibility.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from '../workspaces/workspace.ts'
import { MAX_ANSWER_CHARACTERS, MAX_LISTED, readExcerpts } from './excerpt.ts'
import { isOutdated } from './freshness.ts'
import { IsExcerpt } from './record.ts'
import { eachSlice } from './slices.ts'
import { requireText } from './text-argument.ts'

export const ValidateArguments = Type.Object(
  {
    source_id: Type.String({ maxLength: 512, description: 'The source whose records are checked' }),
    source_hash: Type.Optional(
      Type.String({ maxLength: 512, description: 'State the source has now; the one most recently saved when left out' }),
    ),
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
  // At most 100, stale ones first; the counts are of all records of the source.
  records: Type.Array(
    Type.Object({
      id: Type.String(),
      fact_key: Type.String(),
      content: Type.String(),
      excerpt: IsExcerpt,
      source_hash: Type.Optional(Type.String()),
      freshness: Freshness,
    }),
  ),
})

type Validated = Static<typeof Validated>

/**
 * Compares the caller's records of one source with the given hash, or else with the source's current one. Changes nothing.
 *
 * @throws Refusal for a workspace that is not active.
 */
export async function validateSource(
  { store, clock }: AppContext,
  caller: Caller,
  { source_id: sourceId, source_hash: given, workspace: name }: Static<typeof ValidateArguments>,
): Promise<Validated> {
  requireText('source_id', sourceId)
  if (given !== undefined) requireText('source_hash', given)
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const { id: workspaceId } = await requireWorkspace(project, visible, name ?? DEFAULT_WORKSPACE)
  const current = await project.findCurrentHash(visible, workspaceId, sourceId)
  const { counts, listed } = await judgeAll(project, { visible, workspaceId, sourceId }, given ?? current, clock.now())
  return { source_id: sourceId, current_hash: current ?? null, ...counts, records: await withContents(project, visible, listed) }
}

type Freshness = Static<typeof Freshness>
type Judged = { head: RecordHead; freshness: Freshness }

/** Judges every record of the source. Lists at most `MAX_LISTED` of them, stale ones first. */
async function judgeAll(project: ProjectReads, source: SourceSlice, hash: string | undefined, now: number) {
  const counts = { fresh: 0, stale: 0, unknown: 0 }
  const stale: Judged[] = []
  const others: Judged[] = []
  for await (const { heads } of eachSlice((afterSeq?: number) => project.listSourceSlice({ ...source, afterSeq }))) {
    for (const head of heads) {
      const freshness = freshnessOf(head, hash, now)
      counts[freshness] += 1
      const list = freshness === 'stale' ? stale : others
      if (list.length < MAX_LISTED) list.push({ head, freshness })
    }
  }
  return { counts, listed: [...stale, ...others].slice(0, MAX_LISTED) }
}

/** A superseded or expired record is stale whatever its hash. `unknown` where a hash is missing on either side. */
function freshnessOf(record: RecordHead, hash: string | undefined, now: number): Freshness {
  if (isOutdated(record, now)) return 'stale'
  if (record.sourceHash === null || hash === undefined) return 'unknown'
  return record.sourceHash === hash ? 'fresh' : 'stale'
}

/** Leaves out records that were forgotten meanwhile; long contents are cut to their beginnings. */
async function withContents(project: ProjectReads, visible: Visible, listed: Judged[]): Promise<Validated['records']> {
  const heads = listed.map(({ head }) => head)
  const excerpts = await readExcerpts(project, visible, heads, MAX_ANSWER_CHARACTERS)
  return listed.flatMap(({ head, freshness }) => {
    const excerpt = excerpts.get(head.id)
    if (excerpt === undefined) return []
    return [
      { id: head.id, fact_key: head.factKey, ...excerpt, ...(head.sourceHash !== null && { source_hash: head.sourceHash }), freshness },
    ]
  })
}
