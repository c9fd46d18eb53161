import { type Static, Type } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { createLru, type Lru } from '../../cache/lru.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import type { RecordFilter } from '../../store/record-lists.ts'
import type { Workspace } from '../../store/workspace.ts'
import { normalize } from '../../text/normalize.ts'
import { viewerOf } from '../records/lists/list-records.ts'
import { FilterArguments, toRecordFilter } from '../records/lists/record-filter.ts'
import { isLongerThan, isTooLong } from '../records/text-argument.ts'
import { scopeOf, visibleTo } from '../visibility.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from '../workspaces/workspace.ts'
import { createBudget, type SearchBudget } from './candidates.ts'
import type { InMemoryIndexCache } from './index/in-memory-index.ts'
import type { FactsCache } from './index/stored-index.ts'
import type { QueryPostings } from './postings.ts'
import type { SourceCache } from './sources/source-cache.ts'

/** In Unicode code points. */
const MAX_QUERY_LENGTH = 8_192
/** Other wordings, and the length of each in Unicode code points. */
const MAX_ALSO = 5
const MAX_ALSO_LENGTH = 200
const DEFAULT_LIMIT = 10
export const MAX_LIMIT = 50
/**
 * Largest offset into a list. For words it is `MAX_WORDS_OFFSET`, since every match before the page has to be ranked.
 */
const MAX_OFFSET = 1_000_000
export const MAX_WORDS_OFFSET = 1_000
/** The query that lists records instead of matching words, and the workspace name that stands for all workspaces. */
const LIST_QUERY = '*'
export const EVERY_WORKSPACE = '*'

export const SearchArguments = Type.Object(
  {
    query: Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description:
        'Words that the record is likely to contain, or its id, fact key or source; `*` lists the last saved',
    }),
    also: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_ALSO_LENGTH }), {
        maxItems: MAX_ALSO,
        description: `2 to ${MAX_ALSO} other wordings: synonyms, the technical or everyday term, what the record may say, other languages; up to ${MAX_ALSO_LENGTH} characters each`,
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: `At most ${MAX_LIMIT}; ${DEFAULT_LIMIT} if omitted`,
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OFFSET,
        description: 'next_offset of the page before',
      }),
    ),
    workspace: Type.Optional(
      Type.String({
        description: `\`${EVERY_WORKSPACE}\` (all) is usually right; \`${DEFAULT_WORKSPACE}\` if omitted`,
      }),
    ),
    ...FilterArguments,
  },
  { additionalProperties: false },
)
/** `exclude_marked` is no argument of the tool: see `FilterArguments`. */
export type SearchArguments = Static<typeof SearchArguments> & { exclude_marked?: boolean | undefined }

/**
 * Numbers and names of recently searched workspaces. Key: project, its version, the caller's audiences, and the name.
 * Bound: 1 000 entries. Invalidated by a change of the project, whose version is part of the key. Owned by the service.
 * On a database server they would take 2 of a search's 13 statements.
 */
export type WorkspaceCache = Lru<string, Pick<Workspace, 'id' | 'name'>>

export const createWorkspaceCache = (): WorkspaceCache => createLru({ maxEntries: 1_000 })

/** A query with everything its answer depends on. */
export type SearchRequest = {
  project: ProjectStore
  projectId: string
  /** Id and version of the project, read before anything else: a cache key for what is read later. */
  dataVersion: string
  caches: { indexes: InMemoryIndexCache; facts: FactsCache; sources: SourceCache; workspaces: WorkspaceCache }
  /** The audiences that the caller may see. Staleness is judged by their records. */
  visible: Visible
  /** The visible audiences that are searched. */
  searched: Visible
  /** Undefined for all workspaces. */
  workspaceId: number | undefined
  /** Its name, or `*` for all. */
  workspace: string
  /** Undefined if records are listed. */
  words: string | undefined
  /** Other wordings of the same, without empty ones. */
  also: string[]
  /** The postings of the query, if they have already been read for the same workspace and audiences. */
  postings?: QueryPostings | undefined
  /** All conditions on the records, workspace and audiences included. */
  filter: RecordFilter
  offset: number
  limit: number
  /** Whether matches that are much weaker than the best are left to the next page: the caller gave no limit. */
  isTrimmed: boolean
  /** Milliseconds since 1970. */
  now: number
  /** The work that the whole call may still do. */
  budget: SearchBudget
}

/** Context from which requests are made: it has the caches that a request carries. */
type RequestContext = AppContext & { searchCaches: SearchRequest['caches'] }

/**
 * Checks the arguments and makes a request of them. `dataVersion` must have been read before.
 *
 * @throws Refusal for an empty or too long query, a too large offset, an invalid time, and a workspace that is not
 *   active.
 */
export async function toRequest(
  ctx: RequestContext,
  caller: Caller,
  args: SearchArguments,
  dataVersion: string,
): Promise<SearchRequest> {
  const { query, also = [], workspace = DEFAULT_WORKSPACE, offset = 0, limit = DEFAULT_LIMIT } = args
  requireQuery(query)
  requireAlso(also)
  const words = query.trim() === LIST_QUERY ? undefined : query
  if (words !== undefined && offset > MAX_WORDS_OFFSET)
    throw new Refusal(`offset must be at most ${MAX_WORDS_OFFSET} where query is words`)
  const project = ctx.store.project(caller.projectId)
  const visible = visibleTo(caller)
  const found =
    workspace === EVERY_WORKSPACE ? undefined : await requireKnown(ctx, { project, dataVersion, visible }, workspace)
  return {
    project,
    projectId: caller.projectId,
    dataVersion,
    caches: ctx.searchCaches,
    visible,
    searched: visible.filter((audience) => args.scope === undefined || scopeOf(audience) === args.scope),
    workspaceId: found?.id,
    workspace: found?.name ?? workspace,
    words,
    also: also.filter((wording) => wording.trim() !== ''),
    filter: { ...(await toRecordFilter(ctx, viewerOf(caller), args)), workspaceId: found?.id },
    offset,
    limit: Math.min(limit, MAX_LIMIT),
    isTrimmed: args.limit === undefined && offset === 0,
    now: ctx.clock.now(),
    budget: createBudget(),
  }
}

/**
 * Throws a Refusal for an empty or too long query. Normalization makes of one character up to 18, so the length is
 * checked before and after it.
 */
function requireQuery(query: string): void {
  const tooLong = `query must be at most ${MAX_QUERY_LENGTH} characters`
  if (isLongerThan(query, MAX_QUERY_LENGTH)) throw new Refusal(tooLong)
  if (isLongerThan(normalize(query, 'NFKC'), MAX_QUERY_LENGTH))
    throw new Refusal(`${tooLong} after Unicode normalization (NFKC)`)
  if (query.trim() === '') throw new Refusal('query must not be empty')
}

/** Throws a Refusal for too many other wordings, and for one that is too long before or after normalization. */
function requireAlso(also: string[]): void {
  if (also.length > MAX_ALSO) throw new Refusal(`also must have at most ${MAX_ALSO} wordings`)
  if (also.some((wording) => isTooLong(wording, MAX_ALSO_LENGTH)))
    throw new Refusal(
      `also must have wordings of at most ${MAX_ALSO_LENGTH} characters, also after Unicode normalization (NFKC)`,
    )
}

/** The number and name of an active workspace. Throws as `requireWorkspace` does. */
async function requireKnown(
  { searchCaches: { workspaces } }: RequestContext,
  { project, dataVersion, visible }: Pick<SearchRequest, 'project' | 'dataVersion' | 'visible'>,
  name: string,
): Promise<Pick<Workspace, 'id' | 'name'>> {
  const key = JSON.stringify([dataVersion, visible, name])
  const known = workspaces.get(key)
  if (known !== undefined) return known
  const found = await requireWorkspace(project, visible, name)
  workspaces.set(key, found)
  return found
}
