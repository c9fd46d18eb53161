import { type Static, Type } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { createLru, type Lru } from '../../cache/lru.ts'
import { Refusal } from '../../errors.ts'
import { MemoryRecord } from '../records/record.ts'
import { Scope, scopeOf, visibleTo } from '../visibility.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from '../workspaces/workspace.ts'
import { createBudget } from './candidates.ts'
import { findMatches, type Match, type SearchRequest } from './find-matches.ts'
import { type Hint, toHint } from './hint.ts'
import { createInMemoryIndexCache, type InMemoryIndexCache } from './in-memory-index.ts'
import { toFoundRecords } from './results.ts'
import { createTokenCache, type TokenCache } from './token-cache.ts'

/** In Unicode code points. */
const MAX_QUERY_LENGTH = 8_192

export const SearchArguments = Type.Object(
  {
    query: Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description: 'A question, or words that the record is likely to contain',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Most records returned; 10 when left out' })),
    workspace: Type.Optional(Type.String({ description: 'Area of the project to search; `default` when left out' })),
    scope: Type.Optional(Scope),
    exclude_stale: Type.Optional(Type.Boolean({ description: 'Leave out records that may be out of date' })),
  },
  { additionalProperties: false },
)
export type SearchArguments = Static<typeof SearchArguments>

export const Found = Type.Array(MemoryRecord)

/** The records found, best first; `hint` only where there are none. */
export type SearchAnswer = { result: MemoryRecord[]; hint?: Hint }

/** An answer, and the time in which it holds as long as project and account do not change. Milliseconds since 1970. */
type CachedAnswer = { answer: SearchAnswer; from: number; until: number }

/**
 * Answers given last: assistants begin many conversations with the same question. Key: project and accounts with their versions, caller, and
 * arguments. Bound: entries, and UTF-16 units of the records' texts together. Invalid when the project or an account changes, which is part of the key, and
 * when one of its records expires. Owned by the service.
 */
export type AnswerCache = Lru<string, CachedAnswer>

const MAX_CACHED_ANSWERS = 500
const MAX_CACHED_CHARACTERS = 1 << 20

/** What search keeps in memory between calls. */
export type SearchCaches = { answers: AnswerCache; indexes: InMemoryIndexCache; tokens: TokenCache }

export function createSearchCaches(): SearchCaches {
  const sizeOf = ({ answer }: CachedAnswer) => answer.result.reduce((total, { content }) => total + content.length, 0)
  const answers: AnswerCache = createLru({ maxEntries: MAX_CACHED_ANSWERS, maxTotalSize: MAX_CACHED_CHARACTERS, sizeOf })
  return { answers, indexes: createInMemoryIndexCache(), tokens: createTokenCache() }
}

/** What a search needs beside its caller and arguments. */
export type SearchContext = AppContext & { searchCaches: SearchCaches }

const DEFAULT_LIMIT = 10

/**
 * Finds the caller's records that match the query, best first. Throws a Refusal for a query that is empty or too long, and for a workspace that
 * is not active.
 */
export async function searchMemory(ctx: SearchContext, caller: Caller, args: SearchArguments): Promise<SearchAnswer> {
  const { answers } = ctx.searchCaches
  // Read before the search: a change during it then makes the cached answer unreachable.
  const dataVersion = await readDataVersion(ctx, caller)
  const key = `${dataVersion} ${await ctx.store.control.version()} ${caller.authorId} ${caller.departmentId} ${toKey(args)}`
  const now = ctx.clock.now()
  const cached = answers.get(key)
  if (cached !== undefined && cached.from <= now && now < cached.until) return cached.answer
  const { answer, until } = await search(ctx, await toRequest(ctx, caller, args, dataVersion), args)
  answers.set(key, { answer, from: now, until })
  return answer
}

/** Most calls have a query alone, and need no JSON. */
function toKey(args: SearchArguments): string {
  for (const name in args) if (name !== 'query') return JSON.stringify(args)
  return `:${args.query}`
}

async function readDataVersion({ store }: AppContext, { projectId }: Caller): Promise<string> {
  return `${projectId} ${await store.project(projectId).version()}`
}

async function search(ctx: AppContext, request: SearchRequest, args: SearchArguments): Promise<{ answer: SearchAnswer; until: number }> {
  const found = await findMatches(request)
  const workspace = args.workspace ?? DEFAULT_WORKSPACE
  if (found.matches.length === 0) {
    return { answer: { result: [], hint: await toHint(request, workspace, found) }, until: Number.POSITIVE_INFINITY }
  }
  return { answer: { result: await toFoundRecords(ctx, workspace, found) }, until: nextExpiry(found.matches, request.now) }
}

/** When the first of the records expires that have not yet: only then does time alone change the answer. */
function nextExpiry(matches: Match[], now: number): number {
  const expiries = matches.map(({ record }) => record.expiresAt ?? Number.POSITIVE_INFINITY)
  return Math.min(Number.POSITIVE_INFINITY, ...expiries.filter((expiry) => expiry > now))
}

/** Checks the arguments. Throws as `searchMemory` does. `dataVersion` is read here where it was not before. */
export async function toRequest(ctx: SearchContext, caller: Caller, args: SearchArguments, dataVersion?: string): Promise<SearchRequest> {
  if (isLongerThan(args.query, MAX_QUERY_LENGTH)) throw new Refusal(`query must be at most ${MAX_QUERY_LENGTH} characters`)
  if (args.query.trim() === '') throw new Refusal('query must not be empty')
  const project = ctx.store.project(caller.projectId)
  const visible = visibleTo(caller)
  const version = dataVersion ?? (await readDataVersion(ctx, caller))
  const { id: workspaceId } = await requireWorkspace(project, visible, args.workspace ?? DEFAULT_WORKSPACE)
  return {
    project,
    dataVersion: version,
    caches: ctx.searchCaches,
    visible,
    searched: visible.filter((audience) => args.scope === undefined || scopeOf(audience) === args.scope),
    workspaceId,
    query: args.query,
    limit: args.limit ?? DEFAULT_LIMIT,
    excludeStale: args.exclude_stale ?? false,
    status: undefined,
    now: ctx.clock.now(),
    budget: createBudget(),
  }
}

/** By code points, which are counted only where the number of UTF-16 units does not tell. */
function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}
