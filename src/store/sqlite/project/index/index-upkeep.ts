import type { IndexCheck, SearchReads, SearchWrites } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import type { Later } from '../../writer.ts'

const INDEXED_RECORDS = 'select seq from records where forgotten_at is null'
const ENTRIES = 'select rowid as seq from word_index'
const STORED_STATS = 'select workspace_id, audience, records, length from audience_stats where records > 0'
const STORED_LANGUAGES = 'select workspace_id, audience, language, records from languages where records > 0'
const COMPUTED_LANGUAGES =
  "select workspace_id, audience, language, count(*) from records where forgotten_at is null and language <> 'en' group by 1, 2, 3"
const COMPUTED_STATS =
  'select workspace_id, audience, count(*), sum(length) from records where forgotten_at is null group by 1, 2'

export const createIndexCheck = (client: Connection): Pick<SearchReads, 'checkIndex'> => ({
  checkIndex: async (): Promise<IndexCheck> => ({ ...countIndexFaults(client), sound: isSound(client) }),
})

/** Compares which records are in the index, and its statistics, with the records. */
export function countIndexFaults(client: Connection): Omit<IndexCheck, 'sound'> {
  const count = (sql: string) => client.query<{ n: number }, []>(`select count(*) as n from (${sql})`).get()?.n ?? 0
  const differing = (a: string, b: string) => count(`${a} except ${b}`) + count(`${b} except ${a}`)
  return {
    records: count(INDEXED_RECORDS),
    missing: count(`${INDEXED_RECORDS} except ${ENTRIES}`),
    orphaned: count(`${ENTRIES} except ${INDEXED_RECORDS}`),
    miscounted: differing(STORED_STATS, COMPUTED_STATS) + differing(STORED_LANGUAGES, COMPUTED_LANGUAGES),
  }
}

/** Whether the pages of the file, and the index in it, are as they should be. */
function isSound(client: Connection): boolean {
  const faults = client.query<{ fault: string }, []>('select quick_check as fault from pragma_quick_check').all()
  const indexFaults = client
    .query<{ fault: string }, []>("select integrity_check as fault from pragma_integrity_check('word_index')")
    .all()
  return [...faults, ...indexFaults].every(({ fault }) => fault === 'ok')
}

/** Repair and rebuilding of an index; only inside a write. */
export function createIndexUpkeep(client: Connection, later: Later): Pick<SearchWrites, 'sweepIndex' | 'saveIndexing'> {
  return {
    sweepIndex: async () => {
      later.push({
        run: () => void client.run(`delete from word_index where rowid in (${ENTRIES} except ${INDEXED_RECORDS})`),
        bytes: 0,
      })
      client.run('delete from audience_stats')
      client.run(`insert into audience_stats ${COMPUTED_STATS}`)
      client.run('delete from languages')
      client.run(`insert into languages ${COMPUTED_LANGUAGES}`)
      return undefined
    },
    saveIndexing: async ({ rules, target, reached }) =>
      void client.run(
        'insert into indexing (id, rules, target, reached) values (1, ?1, ?2, ?3) on conflict do update set rules = ?1, target = ?2, reached = ?3',
        [rules, target, reached],
      ),
  }
}
