import { and, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { ProjectReads } from '../../project.ts'
import type { Audience, Visible } from '../../record.ts'
import type { PostingsQuery } from '../../search.ts'
import type { Connection } from '../connection.ts'
import { toText } from '../exact-text.ts'
import { audienceStats, languages, postingLists, records } from '../schema/project.ts'
import { OPEN_BLOCK, unpackNewest } from './packed.ts'
import { isOf, isVisible, type Scope } from './scope.ts'

/** Blocks of one list that are read at first: most have as many records as a full one, so that these have as many as a search asks for. */
const FIRST_BLOCKS = 48

/** A list, the group whose it is, and how many of its blocks are read. */
type Wanted = { group: number; audience: Audience; term: string; blocks: number }
type Found = { group: number; seqs: Uint8Array }

/** Posting lists. Visibility is the first part of the key of each, so that records that may not be seen are not even read. */
export function createPostings(scope: Scope): Pick<ProjectReads, 'findPostings' | 'findVisibleSeqs'> {
  const { run } = scope
  return {
    findPostings: (query) =>
      run(async (connection) => {
        const audiences = query.visible ?? (await listAudiences(scope, connection))
        if (audiences.length === 0) return query.groups.map(() => new Uint32Array())
        const { beside, most } = query
        if (beside === undefined) return readGroups(scope, connection, query, audiences)
        const everything = { ...query, most: Number.MAX_SAFE_INTEGER }
        const [wanted = new Uint32Array()] = await readGroups(scope, connection, { ...everything, groups: [beside] }, audiences)
        const allowed = new Set(wanted)
        return (await readGroups(scope, connection, everything, audiences)).map((seqs) =>
          seqs.filter((seq) => allowed.has(seq)).subarray(0, most),
        )
      }),
    findVisibleSeqs: (visible, workspaceId) =>
      run((connection) => {
        const isInWorkspace = workspaceId === undefined ? undefined : eq(records.workspaceId, workspaceId)
        const isSeen = and(isOf(records, scope), sql`forgotten_at is null`, isVisible(records.audience, visible), isInWorkspace)
        return readNumbers(connection, sql`select seq from ${records} where ${isSeen} order by seq desc`)
      }),
  }
}

/** Of each group of terms the numbers of the newest records that hold any of them, largest first: one statement, and another one where blocks were not full. */
async function readGroups(scope: Scope, connection: Connection, query: PostingsQuery, audiences: Audience[]): Promise<Uint32Array[]> {
  const { groups, most, workspaceId } = query
  const blocks = Math.min(most, FIRST_BLOCKS)
  let wanted = groups.flatMap((terms, group) =>
    terms.flatMap((term) => audiences.map((audience): Wanted => ({ group, audience, term, blocks }))),
  )
  if (most === Number.MAX_SAFE_INTEGER) wanted = wanted.map((one) => ({ ...one, blocks: OPEN_BLOCK }))
  let found = await readBlocks(scope, connection, wanted, workspaceId)
  const byGroup = Map.groupBy(found, ({ group }) => group)
  const lists = groups.map((_, group) =>
    unpackNewest(
      (byGroup.get(group) ?? []).map(({ seqs }) => seqs),
      most,
    ),
  )
  const isCut = ({ group, blocks: read }: Wanted) => (lists[group]?.length ?? 0) < most && (byGroup.get(group)?.length ?? 0) >= read
  const cut = wanted.filter(isCut).map((one) => ({ ...one, blocks: OPEN_BLOCK }))
  if (cut.length === 0) return lists
  found = await readBlocks(scope, connection, cut, workspaceId)
  const whole = Map.groupBy(found, ({ group }) => group)
  return lists.map((list, group) =>
    whole.has(group)
      ? unpackNewest(
          (whole.get(group) ?? []).map(({ seqs }) => seqs),
          most,
        )
      : list,
  )
}

/** The newest blocks of some lists. */
async function readBlocks({ projectId }: Scope, { db }: Connection, wanted: Wanted[], workspaceId: number | undefined): Promise<Found[]> {
  if (wanted.length === 0) return []
  const isInWorkspace = workspaceId === undefined ? sql`true` : sql`list.workspace_id = ${workspaceId}::integer`
  const named = wanted.map((one) => ({ ...one, term: toText(one.term) }))
  const found = await db.execute(sql`select named.group as "group", found.seqs
    from json_to_recordset(${JSON.stringify(named)}::text::json) as named ("group" integer, audience text, term text, blocks integer)
    cross join lateral (select list.seqs from posting_lists as list
      where list.project_id = ${projectId} and list.audience = named.audience and list.term = named.term and ${isInWorkspace}
      order by list.block desc limit named.blocks) as found`)
  return found.map(({ group, seqs }): Found => ({ group, seqs }))
}

/** The audiences that have records: whoever sees all is answered from the same lists as others. */
async function listAudiences(scope: Scope, { db }: Connection): Promise<Audience[]> {
  const found = await db
    .selectDistinct({ audience: audienceStats.audience })
    .from(audienceStats)
    .where(and(isOf(audienceStats, scope), gt(audienceStats.records, 0)))
  return found.map(({ audience }) => audience)
}

/** The numbers that a query finds, in its order, as bytes of one value: ten thousand rows would take ten times as long. */
async function readNumbers({ db }: Connection, query: SQL | undefined): Promise<Uint32Array> {
  if (query === undefined) return new Uint32Array()
  const [row] = await db.execute<{ seqs: Uint8Array | null }>(
    sql`select string_agg(int4send(seq), ''::bytea) as seqs from (${query}) as found`,
  )
  if (!row?.seqs) return new Uint32Array()
  const { buffer, byteOffset, byteLength } = row.seqs
  const view = new DataView(buffer, byteOffset, byteLength)
  return Uint32Array.from({ length: byteLength / 4 }, (_, at) => view.getUint32(at * 4))
}

/** Terms and languages of audiences, with how many records have each. */
export function createVocabularyReads(scope: Scope): Pick<ProjectReads, 'listTerms' | 'readLanguages'> {
  const { run } = scope
  return {
    listTerms: ({ audience, first, end, limit }) =>
      run(({ db }) =>
        db
          .select({ term: postingLists.term, records: sql<number>`sum(${postingLists.records})::integer` })
          .from(postingLists)
          .where(
            and(
              isOf(postingLists, scope),
              eq(postingLists.audience, audience),
              gte(postingLists.term, first),
              lt(postingLists.term, end),
              gt(postingLists.records, 0),
            ),
          )
          .groupBy(postingLists.term)
          .orderBy(postingLists.term)
          .limit(limit),
      ),
    readLanguages: (visible: Visible, workspaceId) =>
      run(({ db }) =>
        db
          .select({ language: languages.language, records: sql<number>`sum(${languages.records})::integer` })
          .from(languages)
          .where(
            and(
              isOf(languages, scope),
              isVisible(languages.audience, visible),
              workspaceId === undefined ? undefined : eq(languages.workspaceId, workspaceId),
            ),
          )
          .groupBy(languages.language),
      ),
  }
}
