import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { ProjectReads } from '../../../project.ts'
import type { Audience } from '../../../record.ts'
import type { PostingsQuery } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import { fromText, toText } from '../../exact-text.ts'
import { audienceStats, postingLists } from '../../schema/project.ts'
import { isOf, type Scope } from '../scope.ts'
import { countRecords, intersect, OPEN_BLOCK, unpackNewest } from './packed.ts'

/** Blocks of one list that are read at first: full ones have as many records as a search asks for. */
const FIRST_BLOCKS = 48

/** The posting list of a term among the records of an audience, and the group of terms that it was asked for with. */
type List = { group: number; audience: Audience; term: string }

/**
 * Posting lists. Visibility is the first part of the key of each, so that records that may not be seen are not even
 * read.
 */
export function createPostings(scope: Scope): Pick<ProjectReads, 'findPostings'> {
  const { run } = scope
  return {
    findPostings: (query) =>
      run(async (connection) => {
        const audiences = query.visible ?? (await listAudiences(scope, connection))
        if (audiences.length === 0) return query.groups.map(() => new Uint32Array())
        const { beside, most } = query
        if (beside === undefined) return readGroups(scope, connection, query, audiences)
        const whole = { ...query, most: Number.MAX_SAFE_INTEGER }
        const [wanted = new Uint32Array()] = await readGroups(
          scope,
          connection,
          { ...whole, groups: [beside] },
          audiences,
        )
        return (await readGroups(scope, connection, whole, audiences)).map((seqs) => intersect(seqs, wanted, most))
      }),
  }
}

/**
 * Of each group of terms the numbers of the newest records that hold any of them, largest first: one statement, and
 * another one for lists whose blocks were not full.
 */
async function readGroups(
  scope: Scope,
  connection: Connection,
  query: PostingsQuery,
  audiences: Audience[],
): Promise<Uint32Array[]> {
  const { groups, most, workspaceId } = query
  const lists = groups.flatMap((terms, group) =>
    terms.flatMap((term) => audiences.map((audience): List => ({ group, audience, term }))),
  )
  const limit = most === Number.MAX_SAFE_INTEGER ? OPEN_BLOCK : Math.min(most, FIRST_BLOCKS)
  const blocks = await readBlocks(scope, connection, lists, { workspaceId, limit })
  const isCut = (_: List, at: number) => (blocks[at]?.length ?? 0) >= limit && countRecords(blocks[at] ?? []) < most
  const cut = lists.filter(isCut)
  const whole = await readBlocks(scope, connection, cut, { workspaceId, limit: OPEN_BLOCK })
  const blocksOf = (list: List, at: number) => (cut.includes(list) ? whole[cut.indexOf(list)] : blocks[at]) ?? []
  return groups.map((_, group) =>
    unpackNewest(
      lists.flatMap((list, at) => (list.group === group ? blocksOf(list, at) : [])),
      most,
    ),
  )
}

/**
 * The newest blocks of each list, the last one first: the open block of every workspace, because their order in time is
 * not known, and `limit` closed ones.
 */
async function readBlocks(
  { projectId }: Scope,
  { db }: Connection,
  lists: List[],
  { workspaceId, limit }: { workspaceId: number | undefined; limit: number },
): Promise<Uint8Array[][]> {
  if (lists.length === 0) return []
  const isInWorkspace = workspaceId === undefined ? sql`true` : sql`list.workspace_id = ${workspaceId}::integer`
  const ofList = sql`from posting_lists as list where list.project_id = ${projectId} and list.audience = named.audience
    and list.term = named.term and ${isInWorkspace} and list.block`
  const named = lists.map(({ audience, term }, at) => ({ at, audience, term: toText(term) }))
  const found = await db.execute<{ at: number; seqs: Uint8Array }>(sql`select named.at, found.seqs
    from json_to_recordset(${JSON.stringify(named)}::text::json) as named (at integer, audience text, term text)
    cross join lateral ((select list.seqs ${ofList} = ${OPEN_BLOCK}::integer)
      union all (select list.seqs ${ofList} < ${OPEN_BLOCK}::integer order by list.block desc limit ${limit}::integer)) as found`)
  const blocks: Uint8Array[][] = lists.map(() => [])
  for (const { at, seqs } of found) blocks[at]?.push(seqs)
  return blocks
}

/** The audiences that have records: whoever sees all is answered from the same lists as others. */
async function listAudiences(scope: Scope, { db }: Connection): Promise<Audience[]> {
  const { audience, records } = audienceStats
  const found = await db.execute<{ audience: string }>(
    sql`select distinct ${audience} from ${audienceStats} where ${isOf(audienceStats, scope)} and ${records} > 0`,
  )
  return found.map((row) => fromText(row.audience) as Audience)
}

/** Terms of audiences, with how many records have each. */
export function createVocabularyReads(scope: Scope): Pick<ProjectReads, 'listTerms'> {
  const { run } = scope
  return {
    listTerms: ({ audience, first, end, limit }) =>
      run(({ db }) =>
        db
          .select({
            term: postingLists.term,
            records: sql<number>`sum(octet_length(${postingLists.seqs}) / 4)::integer`,
          })
          .from(postingLists)
          .where(
            and(
              isOf(postingLists, scope),
              eq(postingLists.audience, audience),
              gte(postingLists.term, first),
              lt(postingLists.term, end),
              sql`${postingLists.seqs} <> ''`,
            ),
          )
          .groupBy(postingLists.term)
          .orderBy(postingLists.term)
          .limit(limit),
      ),
  }
}
