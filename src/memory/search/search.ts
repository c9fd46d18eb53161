import { Type } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { createLru, type Lru } from '../../cache/lru.ts'
import { createSemaphore } from '../../semaphore.ts'
import { MemoryRecord } from '../records/record.ts'
import { findShown, type Matches } from './find-matches.ts'
import { Hint, toEmptyHint, toHint, toNextOffset } from './hint.ts'
import { createInMemoryIndexCache, IN_MEMORY, type InMemoryIndexCache } from './index/in-memory-index.ts'
import { createFactsCache, type FactsCache } from './index/stored-index.ts'
import type { Match } from './match-words.ts'
import {
  createWorkspaceCache,
  type SearchArguments,
  type SearchRequest,
  toRequest,
  type WorkspaceCache,
} from './request.ts'
import { toFoundRecords } from './results.ts'
import { createSourceCache, type SourceCache } from './sources/source-cache.ts'

export const FoundRecords = Type.Array(MemoryRecord)

/**
 * Optional fields beside the records: whether there are more, where the next page begins, and a hint about the answer.
 */
export const SearchExtras = {
  more: Type.Optional(Type.Literal(true)),
  next_offset: Type.Optional(Type.Integer()),
  hint: Type.Optional(Hint),
}
export type SearchExtras = { more?: true; next_offset?: number; hint?: Hint }

/** The records found, best first. */
type SearchAnswer = { result: MemoryRecord[] } & SearchExtras

/** An answer, and the period in which it is valid unless project or account change, in milliseconds since 1970. */
type CachedAnswer = { answer: SearchAnswer; from: number; until: number }

/**
 * Recent answers; assistants begin many conversations with the same question. Key: project and account data with their
 * versions, caller, and arguments. Bound: entries, and total UTF-16 units of the records' texts. Invalidated by a
 * change of the project or of any account (both versions are part of the key), and when one of its records expires.
 * Owned by the service.
 */
type AnswerCache = Lru<string, CachedAnswer>

const MAX_CACHED_ANSWERS = 500
const MAX_CACHED_CHARACTERS = 1 << 20

/** The caches of search. */
type SearchCaches = {
  answers: AnswerCache
  indexes: InMemoryIndexCache
  facts: FactsCache
  sources: SourceCache
  workspaces: WorkspaceCache
}

export function createSearchCaches(inMemory = IN_MEMORY.files): SearchCaches {
  const sizeOf = ({ answer }: CachedAnswer) => answer.result.reduce((total, { content }) => total + content.length, 0)
  const answers: AnswerCache = createLru({
    maxEntries: MAX_CACHED_ANSWERS,
    maxTotalSize: MAX_CACHED_CHARACTERS,
    sizeOf,
  })
  const sources = createSourceCache()
  const [facts, workspaces] = [createFactsCache(), createWorkspaceCache()]
  return { answers, indexes: createInMemoryIndexCache(inMemory), facts, sources, workspaces }
}

/** What a search needs in addition to its caller and arguments. */
export type SearchContext = AppContext & { searchCaches: SearchCaches }

/**
 * Finds the caller's records that match the query, best first. Throws as `toRequest` does.
 */
export async function searchMemory(ctx: SearchContext, caller: Caller, args: SearchArguments): Promise<SearchAnswer> {
  const { answers } = ctx.searchCaches
  // Read before the search, so that a change during it leaves the cached answer under an outdated key.
  const dataVersion = await readDataVersion(ctx, caller)
  const controlVersion = await ctx.store.control.version()
  const key = `${dataVersion} ${controlVersion} ${caller.authorId} ${caller.departmentId} ${toKey(args)}`
  const now = ctx.clock.now()
  const cached = answers.get(key)
  if (cached !== undefined && cached.from <= now && now < cached.until) return cached.answer
  const { answer, until } = await searches.run(caller.keyId, 0, async () =>
    search(ctx, await toRequest(ctx, caller, args, dataVersion)),
  )
  answers.set(key, { answer, from: now, until })
  return answer
}

/**
 * Searches of one key that run at once; more would share the same processor. With 16 callers of a key and 20 000
 * records, p99 is then 2.3 times p50, and 7 times if all 16 run in turns: the few that take long would wait for all
 * others at every piece.
 */
const SEARCHES_OF_KEY = 2
const searches = createSemaphore({ ofKey: SEARCHES_OF_KEY, ofAll: Number.POSITIVE_INFINITY })

/** The arguments as a part of a cache key. Most calls have only a query, for which JSON would be slower. */
function toKey(args: SearchArguments): string {
  for (const name in args) if (name !== 'query') return JSON.stringify(args)
  return `:${args.query}`
}

export async function readDataVersion({ store }: AppContext, { projectId }: Caller): Promise<string> {
  return `${projectId} ${await store.project(projectId).version()}`
}

async function search(ctx: AppContext, request: SearchRequest): Promise<{ answer: SearchAnswer; until: number }> {
  const found = await findShown(request)
  const result = await toFoundRecords(ctx, request, found)
  return { answer: { result, ...(await toExtras(request, found)) }, until: nextExpiry(found.all, request.now) }
}

/** The fields beside the records of an answer. */
export async function toExtras(request: SearchRequest, found: Matches): Promise<SearchExtras> {
  const nextOffset = toNextOffset(request, found)
  const hint = found.page.length === 0 ? await toEmptyHint(request, found) : await toHint(request, found)
  return {
    ...(found.hasMore && { more: true }),
    ...(nextOffset !== undefined && { next_offset: nextOffset }),
    ...(hint !== undefined && { hint }),
  }
}

/** The next time at which one of the records expires: only then does the passing of time change the answer. */
function nextExpiry(matches: Match[], now: number): number {
  const expiries = matches.map(({ record }) => record.expiresAt ?? Number.POSITIVE_INFINITY)
  return Math.min(Number.POSITIVE_INFINITY, ...expiries.filter((expiry) => expiry > now))
}
