import type { AudienceStats, IndexCheck, Indexing, SearchReads, SearchWrites } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import type { Later } from '../../writer.ts'
import { toVisibleList, type VisibleParams } from '../visible.ts'

const INDEXED_RECORDS = 'select seq from records where forgotten_at is null'
const ENTRIES = 'select rowid as seq from word_index'
const STORED_STATS = 'select workspace_id, audience, records, length from holdings where records > 0'
const COMPUTED_STATS = 'select workspace_id, audience, count(*), sum(length) from records where forgotten_at is null group by 1, 2'

/** State and statistics of an index. */
export function createIndexReads(client: Connection): Pick<SearchReads, 'readAudienceStats' | 'readIndexing' | 'checkIndex'> {
  const sums = 'select coalesce(sum(records), 0) as records, coalesce(sum(length), 0) as length from holdings where'
  const inWorkspace = client.statement<AudienceStats, [...VisibleParams, workspaceId: number]>(
    `${sums} workspace_id = ?4 and (?1 is null or audience in (?1, ?2, ?3))`,
  )
  const anywhere = client.statement<AudienceStats, VisibleParams>(`${sums} (?1 is null or audience in (?1, ?2, ?3))`)
  return {
    readAudienceStats: async (visible, workspaceId) => {
      const params = toVisibleList(visible)
      const found = workspaceId === undefined ? anywhere.get(...params) : inWorkspace.get(...params, workspaceId)
      return found ?? { records: 0, length: 0 }
    },
    readIndexing: async () => client.query<Indexing, []>('select rules, target, reached from indexing').get() ?? undefined,
    checkIndex: async (): Promise<IndexCheck> => ({ ...countIndexFaults(client), sound: isSound(client) }),
  }
}

/** Compares which records are in the index, and its statistics, with the records. */
export function countIndexFaults(client: Connection): Omit<IndexCheck, 'sound'> {
  const count = (sql: string) => client.query<{ n: number }, []>(`select count(*) as n from (${sql})`).get()?.n ?? 0
  return {
    records: count(INDEXED_RECORDS),
    missing: count(`${INDEXED_RECORDS} except ${ENTRIES}`),
    orphaned: count(`${ENTRIES} except ${INDEXED_RECORDS}`),
    miscounted: count(`${STORED_STATS} except ${COMPUTED_STATS}`) + count(`${COMPUTED_STATS} except ${STORED_STATS}`),
  }
}

/** Whether the pages of the file, and the index in it, are as they should be. */
function isSound(client: Connection): boolean {
  const faults = client.query<{ fault: string }, []>('select quick_check as fault from pragma_quick_check').all()
  const indexFaults = client.query<{ fault: string }, []>("select integrity_check as fault from pragma_integrity_check('word_index')").all()
  return [...faults, ...indexFaults].every(({ fault }) => fault === 'ok')
}

/** Repair and rebuilding of an index; only inside a write. */
export function createIndexUpkeep(client: Connection, later: Later): Pick<SearchWrites, 'sweepIndex' | 'clearLanguages' | 'saveIndexing'> {
  return {
    sweepIndex: async () => {
      later.push({ run: () => void client.run(`delete from word_index where rowid in (${ENTRIES} except ${INDEXED_RECORDS})`), bytes: 0 })
      client.run('delete from holdings')
      client.run(`insert into holdings ${COMPUTED_STATS}`)
    },
    clearLanguages: async () => void client.run('delete from languages'),
    saveIndexing: async ({ rules, target, reached }) =>
      void client.run(
        'insert into indexing (id, rules, target, reached) values (1, ?1, ?2, ?3) on conflict do update set rules = ?1, target = ?2, reached = ?3',
        [rules, target, reached],
      ),
  }
}
