import { sql } from 'drizzle-orm'
import type { SearchWrites } from '../../../search.ts'
import type { WriteScope } from '../scope.ts'
import { FULL_BLOCK_RECORDS } from './packed.ts'

/** Repair and rebuilding of an index; only inside a write. */
export function createIndexUpkeep({
  run,
  projectId,
  state,
  changes,
}: WriteScope): Pick<SearchWrites, 'sweepIndex' | 'saveIndexing'> {
  return {
    sweepIndex: () =>
      run(async (connection) => {
        // Changes of other acts of the transaction: written later, they would be counted twice.
        await changes.flush(connection)
        const { db } = connection
        const own = sql`project_id = ${projectId}`
        await db.execute(sql`delete from posting_lists where ${own}`)
        await db.execute(sql`insert into posting_lists (project_id, audience, term, workspace_id, block, seqs)
          select project_id, audience, term, workspace_id, min(seq), string_agg(int4send(seq), ''::bytea order by seq)
          from (select distinct project_id, audience, term, workspace_id, seq,
              (dense_rank() over (partition by audience, term, workspace_id order by seq) - 1) / ${FULL_BLOCK_RECORDS}::integer as part
            from records cross join unnest(string_to_array(terms, ' ')) as term where ${own} and forgotten_at is null and term <> '') as pairs
          group by project_id, audience, term, workspace_id, part`)
        await db.execute(sql`delete from audience_stats where ${own}`)
        await db.execute(sql`insert into audience_stats (project_id, workspace_id, audience, records, length)
          select project_id, workspace_id, audience, count(*), sum(length) from records where ${own} and forgotten_at is null group by 1, 2, 3`)
        await db.execute(sql`delete from languages where ${own}`)
        await db.execute(sql`insert into languages (project_id, workspace_id, audience, language, records)
          select project_id, workspace_id, audience, language, count(*) from records
          where ${own} and forgotten_at is null and language <> 'en' group by 1, 2, 3, 4`)
      }),
    saveIndexing: async (indexing) => void Object.assign(state(), indexing),
  }
}
