import { and, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { ProjectReads } from '../../project.ts'
import type { Audience, Visible } from '../../record.ts'
import type { PostingsQuery } from '../../search.ts'
import { isAmong } from '../among.ts'
import type { Connection } from '../connection.ts'
import { audienceStats, languages, postings, records, vocabulary } from '../schema/project.ts'
import { isOf, isVisible, type Scope } from './scope.ts'

/** Pairs of audience and term whose lists are each read up to the limit and then joined; of more, all are sorted together. */
const MAX_JOINED_LISTS = 48

/** Posting lists. Visibility is the first part of the key of each, so that records that may not be seen are not even read. */
export function createPostings(scope: Scope): Pick<ProjectReads, 'findPostings' | 'findVisibleSeqs'> {
  const { run } = scope

  function toList({ workspaceId, most, beside }: PostingsQuery, audiences: Audience[], terms: string[]): SQL {
    const isInWorkspace = workspaceId === undefined ? undefined : eq(postings.workspaceId, workspaceId)
    const isBeside = beside && isOneOf(scope, audiences, beside)
    const from = (condition: SQL | undefined) =>
      sql`select seq from ${postings} where ${and(isOf(postings, scope), condition, isInWorkspace, isBeside)}`
    const pairs = audiences.flatMap((audience) => terms.map((term) => and(eq(postings.audience, audience), eq(postings.term, term))))
    if (pairs.length > MAX_JOINED_LISTS) {
      return sql`${from(and(inArray(postings.audience, audiences), isAmong(postings.term, terms)))} group by seq order by seq desc limit ${most}`
    }
    const lists = pairs.map((pair) => sql`(${from(pair)} order by seq desc limit ${most})`)
    return sql`select seq from (${sql.join(lists, sql` union `)}) as joined order by seq desc limit ${most}`
  }

  return {
    findPostings: (query) =>
      run(async (connection) => {
        const audiences = query.visible ?? (await listAudiences(scope, connection))
        if (audiences.length === 0) return query.groups.map(() => new Uint32Array())
        // Sent together: the database answers one after the other, and nothing waits for a way there and back between them.
        return Promise.all(
          query.groups.map((terms) => readNumbers(connection, terms.length === 0 ? undefined : toList(query, audiences, terms))),
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

/** Whether the record of a posting has any of some other terms. */
function isOneOf(scope: Scope, audiences: Audience[], terms: string[]): SQL {
  return sql`exists (select 1 from postings as beside where beside.project_id = ${scope.projectId} and beside.audience in ${audiences}
    and beside.term in (select value from json_array_elements_text(${JSON.stringify(terms)}::text::json)) and beside.seq = ${postings.seq})`
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
          .select({ term: vocabulary.term, records: vocabulary.records })
          .from(vocabulary)
          .where(
            and(
              isOf(vocabulary, scope),
              eq(vocabulary.audience, audience),
              gte(vocabulary.term, first),
              lt(vocabulary.term, end),
              gt(vocabulary.records, 0),
            ),
          )
          .orderBy(vocabulary.term)
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
