import { type SQL, sql } from 'drizzle-orm'
import type { IndexCheck, SearchReads } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import type { Scope } from '../scope.ts'

/**
 * Compares the index with the records. Time grows with the number of postings: some seconds for each million; most
 * records have 20 to 40.
 */
export function createIndexCheck({ run, projectId }: Scope): Pick<SearchReads, 'checkIndex'> {
  const own = sql`project_id = ${projectId}`
  const live = sql`${own} and forgotten_at is null`
  return {
    checkIndex: () =>
      run(async (connection) => {
        const [records, miscounted, wrongLists] = [
          await count(connection, sql`select 1 from records where ${live}`),
          (await countDifferences(connection, toStoredStats(own), toComputedStats(live))) +
            (await countDifferences(connection, toStoredLanguages(own), toComputedLanguages(live))),
          await count(connection, toWrongLists(own, live)),
        ]
        const wrong = wrongLists === 0 ? { missing: 0, orphaned: 0 } : await countWrong(connection, own, live)
        return { records, ...wrong, miscounted, sound: wrongLists === 0 }
      }),
  }
}

async function count({ db }: Connection, query: SQL): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`select count(*)::integer as n from (${query}) as found`)
  return row?.n ?? 0
}

const countDifferences = async (connection: Connection, a: SQL, b: SQL): Promise<number> =>
  (await count(connection, sql`${a} except ${b}`)) + (await count(connection, sql`${b} except ${a}`))

const toStoredStats = (own: SQL): SQL =>
  sql`select workspace_id, audience, records, length from audience_stats where ${own} and records > 0`

const toComputedStats = (live: SQL): SQL =>
  sql`select workspace_id, audience, count(*)::integer, sum(length)::bigint from records where ${live} group by 1, 2`

const toStoredLanguages = (own: SQL): SQL =>
  sql`select workspace_id, audience, language, records from languages where ${own} and records > 0`

const toComputedLanguages = (
  live: SQL,
): SQL => sql`select workspace_id, audience, language, count(*)::integer from records
  where ${live} and language <> 'en' group by 1, 2, 3`

/** Each posting list as the bytes of its blocks, one after the other. */
const toStoredLists = (
  own: SQL,
): SQL => sql`select audience, term, workspace_id, string_agg(seqs, ''::bytea order by block) as seqs
  from posting_lists where ${own} and seqs <> '' group by 1, 2, 3`

/**
 * The same as it follows from the terms of records: whole lists are compared, which takes a fraction of the time of
 * comparing their numbers.
 */
const toComputedLists = (live: SQL): SQL => sql`select audience, term, workspace_id,
    string_agg(distinct int4send(seq), ''::bytea order by int4send(seq)) as seqs
  from records cross join unnest(string_to_array(terms, ' ')) as term where ${live} and term <> '' group by 1, 2, 3`

/** Lists that are not as the terms of records make them. */
const toWrongLists = (own: SQL, live: SQL): SQL => sql`select 1 from (${toStoredLists(own)}) as stored
  full join (${toComputedLists(live)}) as computed using (audience, term, workspace_id) where stored.seqs is distinct from computed.seqs`

/** How many records are in no list, and how many numbers in lists are of no record. */
async function countWrong(
  connection: Connection,
  own: SQL,
  live: SQL,
): Promise<Pick<IndexCheck, 'missing' | 'orphaned'>> {
  const stored = sql`select (get_byte(seqs, 4 * at) << 24) | (get_byte(seqs, 4 * at + 1) << 16) | (get_byte(seqs, 4 * at + 2) << 8)
      | get_byte(seqs, 4 * at + 3) as seq
    from posting_lists cross join generate_series(0, octet_length(seqs) / 4 - 1) as at where ${own}`
  return {
    missing: await count(connection, sql`select seq from records where ${live} and terms <> '' except (${stored})`),
    orphaned: await count(connection, sql`(${stored}) except select seq from records where ${live}`),
  }
}
