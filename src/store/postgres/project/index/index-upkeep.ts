import { type SQL, sql } from 'drizzle-orm'
import type { SearchWrites } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import type { WriteScope } from '../scope.ts'
import { FULL_BLOCK_RECORDS } from './packed.ts'

/**
 * An index is swept in one part for each so many records: the terms whose hash has one remainder. With 200 000 records
 * of 30 terms a part takes 3 s, with 600 000 7 s; meanwhile other writes of the project wait.
 */
const RECORDS_OF_PART = 20_000

/** Repair and rebuilding of an index; only inside a write. */
export function createIndexUpkeep({
  run,
  projectId,
  state,
  changes,
}: WriteScope): Pick<SearchWrites, 'sweepIndex' | 'saveIndexing'> {
  const own = sql`project_id = ${projectId}`
  return {
    sweepIndex: ({ at, of } = { at: 0, of: Math.ceil(state().records / RECORDS_OF_PART) || 1 }) =>
      run(async (connection) => {
        // Changes of other acts of the transaction: written later, they would be counted twice.
        await changes.flush(connection)
        await sweepLists(connection, own, sql`(hashtext(term) & 2147483647) % ${of}::integer = ${at}::integer`)
        if (at + 1 < of) return { at: at + 1, of }
        await sweepStats(connection, own)
        return undefined
      }),
    saveIndexing: async (indexing) => void Object.assign(state(), indexing),
  }
}

async function sweepLists({ db }: Connection, own: SQL, isOfPart: SQL): Promise<void> {
  await db.execute(sql`delete from posting_lists where ${own} and ${isOfPart}`)
  await db.execute(sql`insert into posting_lists (project_id, audience, term, workspace_id, block, seqs)
    select project_id, audience, term, workspace_id, min(seq), string_agg(int4send(seq), ''::bytea order by seq)
    from (select distinct project_id, audience, term, workspace_id, seq,
        (dense_rank() over (partition by audience, term, workspace_id order by seq) - 1) / ${FULL_BLOCK_RECORDS}::integer as part
      from records cross join unnest(string_to_array(terms, ' ')) as term
      where ${own} and forgotten_at is null and term <> '' and ${isOfPart}) as pairs
    group by project_id, audience, term, workspace_id, part`)
}

async function sweepStats({ db }: Connection, own: SQL): Promise<void> {
  await db.execute(sql`delete from audience_stats where ${own}`)
  await db.execute(sql`insert into audience_stats (project_id, workspace_id, audience, records, length)
    select project_id, workspace_id, audience, count(*), sum(length) from records where ${own} and forgotten_at is null group by 1, 2, 3`)
  await db.execute(sql`delete from languages where ${own}`)
  await db.execute(sql`insert into languages (project_id, workspace_id, audience, language, records)
    select project_id, workspace_id, audience, language, count(*) from records
    where ${own} and forgotten_at is null and language <> 'en' group by 1, 2, 3, 4`)
}
