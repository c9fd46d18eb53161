import { type Static, Type } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { CountedRefusal } from '../../errors.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead, Visible } from '../../store/record.ts'
import type { OfSourcePlace, SourceSlice } from '../../store/record-lists.ts'
import { visibleTo } from '../visibility.ts'
import { DEFAULT_WORKSPACE, eachWorkspaceBatch, requireWorkspace } from '../workspaces/workspace.ts'
import { MAX_ANSWER_CHARACTERS, MAX_LISTED, readExcerpts } from './excerpt.ts'
import { isOutdated } from './freshness.ts'
import { IsExcerpt } from './record.ts'
import { eachSlice } from './slices.ts'
import { requireText, shorten } from './text-argument.ts'

export const ValidateArguments = Type.Object(
  {
    source_id: Type.String({ maxLength: 512 }),
    source_hash: Type.Optional(
      Type.String({ maxLength: 512, description: 'Give its hash now if you can; the last saved if omitted' }),
    ),
    workspace: Type.Optional(Type.String({ description: '`default` if omitted' })),
  },
  { additionalProperties: false },
)

const Freshness = Type.Union([Type.Literal('fresh'), Type.Literal('stale'), Type.Literal('unknown')])

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
 * Compares the caller's records of one source with the given hash, or else with the source's current one. Changes
 * nothing.
 *
 * @throws Refusal for a workspace that is not active, and for a source without visible records in it; the message names
 *   workspaces that have some.
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
  const [current] = await project.findCurrentHashes(visible, [{ workspaceId, sourceId }])
  const { counts, listed } = await judgeAll(project, { visible, workspaceId, sourceId }, given ?? current, clock.now())
  if (listed.length === 0)
    throw new CountedRefusal(
      'not_found',
      `no records of source '${shorten(sourceId)}'${await toElsewhere(project, visible, sourceId)}`,
    )
  return {
    source_id: sourceId,
    current_hash: current ?? null,
    ...counts,
    records: await withContents(project, visible, listed),
  }
}

/** Workspaces that a refusal names. */
const MAX_NAMED = 10

/** Where else a source has records, as the end of a sentence; empty if it has none. */
async function toElsewhere(project: ProjectReads, visible: Visible, sourceId: string): Promise<string> {
  const names: string[] = []
  for await (const batch of eachWorkspaceBatch(project, visible)) {
    const ids = new Set(
      await project.findWorkspacesOfSource(
        visible,
        sourceId,
        batch.map(({ id }) => id),
      ),
    )
    names.push(...batch.filter(({ id }) => ids.has(id)).map(({ name }) => `'${name}'`))
    if (names.length > MAX_NAMED) break
  }
  if (names.length === 0) return ''
  const more = names.length > MAX_NAMED ? ' and others' : ''
  return `; there are some in the ${names.length === 1 ? 'workspace' : 'workspaces'} ${names.slice(0, MAX_NAMED).join(', ')}${more}`
}

type Freshness = Static<typeof Freshness>
type Judged = { head: RecordHead; freshness: Freshness }

/** Counts the records of the source by freshness, and lists at most `MAX_LISTED` of them, stale ones first. */
async function judgeAll(project: ProjectReads, source: SourceSlice, hash: string | undefined, now: number) {
  const counts = { fresh: 0, stale: 0, unknown: 0 }
  const stale: Judged[] = []
  const others: Judged[] = []
  for await (const { heads } of eachSlice((after?: OfSourcePlace) => project.listSourceSlice({ ...source, after }))) {
    for (const head of heads) {
      const freshness = freshnessOf(head, hash, now)
      counts[freshness] += 1
      const list = freshness === 'stale' ? stale : others
      if (list.length < MAX_LISTED) list.push({ head, freshness })
    }
  }
  return { counts, listed: [...stale.sort(bySeq), ...others.sort(bySeq)].slice(0, MAX_LISTED) }
}

const bySeq = (a: Judged, b: Judged) => a.head.seq - b.head.seq

/** A superseded or expired record is stale whatever its hash; otherwise `unknown` if either hash is missing. */
function freshnessOf(record: RecordHead, hash: string | undefined, now: number): Freshness {
  if (isOutdated(record, now)) return 'stale'
  if (record.sourceHash === null || hash === undefined) return 'unknown'
  return record.sourceHash === hash ? 'fresh' : 'stale'
}

/** Omits records that were forgotten meanwhile; long contents are cut to their beginnings. */
async function withContents(project: ProjectReads, visible: Visible, listed: Judged[]): Promise<Validated['records']> {
  const heads = listed.map(({ head }) => head)
  const excerpts = await readExcerpts(project, visible, heads, MAX_ANSWER_CHARACTERS)
  return listed.flatMap(({ head, freshness }) => {
    const excerpt = excerpts.get(head.id)
    if (excerpt === undefined) return []
    return [
      {
        id: head.id,
        fact_key: head.factKey,
        ...excerpt,
        ...(head.sourceHash !== null && { source_hash: head.sourceHash }),
        freshness,
      },
    ]
  })
}
