import { type Static, Type } from 'typebox'
import { authorName } from '../account/author.ts'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import { Refusal } from '../errors.ts'
import type { StoredRecord } from '../store/project.ts'
import { MemoryRecord, Scope } from './record.ts'
import { createIsStale } from './stale.ts'
import { scopeOf, visibleTo } from './visible.ts'
import { toTerms } from './words/to-terms.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from './workspace.ts'

export const SearchArguments = Type.Object(
  {
    query: Type.String({ description: 'A question, or words that the record is likely to contain' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Most records returned; 10 when left out' })),
    workspace: Type.Optional(Type.String({ description: 'Area of the project to search; `default` when left out' })),
    scope: Type.Optional(Scope),
    exclude_stale: Type.Optional(Type.Boolean({ description: 'Leave out records that may be out of date' })),
  },
  { additionalProperties: false },
)

export const Found = Type.Array(MemoryRecord)

/** What was searched and what was left out; beside an empty result. */
export const Hint = Type.Object({
  workspace: Type.String(),
  words: Type.Array(Type.String()),
  left_out: Type.Object({ stale: Type.Integer(), other_scope: Type.Integer() }),
  advice: Type.String(),
})

type Arguments = Static<typeof SearchArguments>
type Answer = { result: MemoryRecord[]; hint?: Static<typeof Hint> }

/** Records taken from the index before they are judged one by one. */
const MOST_CANDIDATES = 200
const DEFAULT_LIMIT = 10
/** A stale match counts for half, so that it comes after every fresh one of like relevance. */
const STALE_WEIGHT = 0.5

type Match = { record: StoredRecord; score: number; stale: boolean }

/** Finds the caller's records that match the query, best first. `hint` only when nothing was found. */
export async function searchMemory(means: Means, caller: Caller, args: Arguments): Promise<Answer> {
  if (args.query.trim() === '') throw new Refusal('query must not be empty')
  const project = means.store.project(caller.projectId)
  const name = args.workspace ?? DEFAULT_WORKSPACE
  const workspace = await requireWorkspace(project, visibleTo(caller), name)
  const terms = [...new Set(toTerms(args.query))]
  const matches = await findMatches(means, caller, workspace.id, terms)
  const wanted = matches.filter((match) => isWanted(match, args)).slice(0, args.limit ?? DEFAULT_LIMIT)
  const result = await Promise.all(wanted.map((match) => toFound(means, name, match)))
  return result.length > 0 ? { result } : { result, hint: toHint(name, terms, matches, args) }
}

async function findMatches({ store, clock }: Means, caller: Caller, workspaceId: number, terms: string[]): Promise<Match[]> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const candidates = await project.candidates({ visible, workspaceId, terms, limit: MOST_CANDIDATES })
  const scores = new Map(candidates.map(({ seq, score }) => [seq, score]))
  const isStale = createIsStale(project, visible, clock.now())
  const records = await project.findRecordsBySeq(visible, [...scores.keys()])
  const matches = await Promise.all(records.map(async (record) => toMatch(record, scores.get(record.seq) ?? 0, await isStale(record))))
  return matches.sort((a, b) => b.score - a.score || b.record.seq - a.record.seq)
}

const toMatch = (record: StoredRecord, score: number, stale: boolean): Match => ({
  record,
  stale,
  score: (score / (1 + score)) * (stale ? STALE_WEIGHT : 1),
})

const isWanted = ({ record, stale }: Match, { scope, exclude_stale: excludeStale }: Arguments) =>
  (scope === undefined || scopeOf(record.audience) === scope) && !(excludeStale && stale)

async function toFound(means: Means, workspace: string, { record, score, stale }: Match): Promise<MemoryRecord> {
  return {
    id: record.id,
    workspace,
    scope: scopeOf(record.audience),
    content: record.content,
    fact_key: record.factKey,
    status: record.status,
    score: Math.round(score * 10_000) / 10_000,
    source_id: record.sourceId,
    source_hash: record.sourceHash,
    author: await authorName(means, record.authorId),
    created_at: new Date(record.createdAt).toISOString(),
    stale,
    ...(record.supersededBy !== null && { superseded_by: record.supersededBy }),
  }
}

function toHint(workspace: string, words: string[], matches: Match[], args: Arguments): Static<typeof Hint> {
  const otherScope = matches.filter(({ record }) => args.scope !== undefined && scopeOf(record.audience) !== args.scope)
  const stale = matches.length - otherScope.length
  const advice = matches.length > 0 ? 'Ask again without the filters.' : 'Try other words, the ones the record itself would use.'
  return { workspace, words: words.slice(0, MOST_WORDS_SHOWN), left_out: { stale, other_scope: otherScope.length }, advice }
}

const MOST_WORDS_SHOWN = 20
