import { type Static, Type } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { createLru, type Lru } from '../../cache/lru.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import type { RecordFilter } from '../../store/record-lists.ts'
import { viewerOf } from '../records/lists/list-records.ts'
import { FilterArguments, toRecordFilter } from '../records/lists/record-filter.ts'
import { scopeOf, visibleTo } from '../visibility.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from '../workspaces/workspace.ts'
import { createBudget, type SearchBudget } from './candidates.ts'
import type { InMemoryIndexCache } from './index/in-memory-index.ts'
import type { FactsCache } from './index/stored-index.ts'
import type { TokenCache } from './index/token-cache.ts'
import type { QueryPostings } from './postings.ts'
import type { SourceCache } from './sources/source-cache.ts'

/** In Unicode code points. */
const MAX_QUERY_LENGTH = 8_192
const DEFAULT_LIMIT = 10
export const MAX_LIMIT = 50
/** Of a list; of what words find at most `MAX_WORDS_OFFSET`, since every match before the page is ranked for it. */
const MAX_OFFSET = 1_000_000
export const MAX_WORDS_OFFSET = 1_000
/** The query that lists records instead of matching words, and the workspace that stands for every one. */
const LIST_QUERY = '*'
export const EVERY_WORKSPACE = '*'

export const SearchArguments = Type.Object(
  {
    query: Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description:
        'A question, or words of the record; an id, fact key, source or end of its path finds its records first; `*` lists the last saved',
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: `Most records returned; ${DEFAULT_LIMIT} when left out` }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OFFSET,
        description: `Where the page begins: next_offset of the one before; for words at most ${MAX_WORDS_OFFSET}`,
      }),
    ),
    workspace: Type.Optional(
      Type.String({ description: `Area to search; \`${DEFAULT_WORKSPACE}\` when left out, \`${EVERY_WORKSPACE}\` for all` }),
    ),
    ...FilterArguments,
  },
  { additionalProperties: false },
)
export type SearchArguments = Static<typeof SearchArguments>

/**
 * Numbers of workspaces searched last. Key: a project's version, what the caller sees, and the name. Bound: 1 000 entries. Invalid when the project's version changes, which is
 * part of the key. Owned by the service. Where the store is a database, they would take two statements of a search's thirteen.
 */
export type WorkspaceCache = Lru<string, number>

export const createWorkspaceCache = (): WorkspaceCache => createLru({ maxEntries: 1_000 })

/** A query with all that its answer depends on. */
export type SearchRequest = {
  project: ProjectStore
  projectId: string
  /** Names the project and its state: a cache key for what is read after it. */
  dataVersion: string
  caches: { indexes: InMemoryIndexCache; tokens: TokenCache; facts: FactsCache; sources: SourceCache; workspaces: WorkspaceCache }
  /** What the caller may see. Staleness is judged by it. */
  visible: Visible
  /** The audiences that are searched, of those that are visible. */
  searched: Visible
  /** Undefined for every workspace. */
  workspaceId: number | undefined
  /** Its name, or what stands for every one. */
  workspace: string
  /** Undefined where records are listed. */
  words: string | undefined
  /** The postings of the query, where they were read for the same workspace and audiences before. */
  postings?: QueryPostings | undefined
  /** What narrows the search beside workspace and audiences, which it has too. */
  filter: RecordFilter
  offset: number
  limit: number
  /** Milliseconds since 1970. */
  now: number
  /** What the whole call may still do. */
  budget: SearchBudget
}

/** What a search needs beside its caller and arguments. */
export type RequestContext = AppContext & { searchCaches: SearchRequest['caches'] }

/**
 * Checks the arguments. `dataVersion` is that of the project, read before.
 *
 * @throws Refusal for a query that is empty or too long, an offset that is too large, a time that is none and a workspace that is not active.
 */
export async function toRequest(ctx: RequestContext, caller: Caller, args: SearchArguments, dataVersion: string): Promise<SearchRequest> {
  const { query, workspace = DEFAULT_WORKSPACE, offset = 0, limit = DEFAULT_LIMIT } = args
  if (isLongerThan(query, MAX_QUERY_LENGTH)) throw new Refusal(`query must be at most ${MAX_QUERY_LENGTH} characters`)
  if (query.trim() === '') throw new Refusal('query must not be empty')
  const words = query.trim() === LIST_QUERY ? undefined : query
  if (words !== undefined && offset > MAX_WORDS_OFFSET) throw new Refusal(`offset must be at most ${MAX_WORDS_OFFSET} where query is words`)
  const project = ctx.store.project(caller.projectId)
  const visible = visibleTo(caller)
  const workspaceId =
    workspace === EVERY_WORKSPACE ? undefined : await requireWorkspaceId(ctx, { project, dataVersion, visible }, workspace)
  return {
    project,
    projectId: caller.projectId,
    dataVersion,
    caches: ctx.searchCaches,
    visible,
    searched: visible.filter((audience) => args.scope === undefined || scopeOf(audience) === args.scope),
    workspaceId,
    workspace,
    words,
    filter: { ...(await toRecordFilter(ctx, viewerOf(caller), args)), workspaceId },
    offset,
    limit,
    now: ctx.clock.now(),
    budget: createBudget(),
  }
}

/** As `requireWorkspace`. */
async function requireWorkspaceId(
  { searchCaches: { workspaces } }: RequestContext,
  { project, dataVersion, visible }: Pick<SearchRequest, 'project' | 'dataVersion' | 'visible'>,
  name: string,
): Promise<number> {
  const key = JSON.stringify([dataVersion, visible, name])
  const known = workspaces.get(key)
  if (known !== undefined) return known
  const { id } = await requireWorkspace(project, visible, name)
  workspaces.set(key, id)
  return id
}

/** By code points, which are counted only where the number of UTF-16 units does not tell. */
function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}
