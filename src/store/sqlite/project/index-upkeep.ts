import type { Database } from 'bun:sqlite'
import type { IndexCheck, Indexing } from '../../search.ts'
import type { Later } from '../writer.ts'

const KEPT = 'select seq from records where forgotten_at is null'
const ENTRIES = 'select rowid as seq from word_index'
const HOLDINGS = 'select workspace_id, audience, records, length from holdings where records > 0'
const COUNTED = 'select workspace_id, audience, count(*), sum(length) from records where forgotten_at is null group by 1, 2'

/** What tells how an index stands. */
export function createIndexReads(client: Database) {
  const count = (sql: string) => client.query<{ n: number }, []>(`select count(*) as n from (${sql})`).get()?.n ?? 0
  return {
    readIndexing: async () => client.query<Indexing, []>('select rules, target, reached, erasures from indexing').get() ?? undefined,
    checkIndex: async (): Promise<IndexCheck> => ({
      records: count(KEPT),
      missing: count(`${KEPT} except ${ENTRIES}`),
      orphaned: count(`${ENTRIES} except ${KEPT}`),
      miscounted: count(`${HOLDINGS} except ${COUNTED}`) + count(`${COUNTED} except ${HOLDINGS}`),
      sound: isSound(client),
    }),
  }
}

function isSound(client: Database): boolean {
  const faults = client.query<{ fault: string }, []>("select integrity_check as fault from pragma_integrity_check('word_index')").all()
  return faults.every(({ fault }) => fault === 'ok')
}

/** Upkeep of an index, only inside a write. */
export function createIndexUpkeep(client: Database, later: Later) {
  return {
    sweepIndex: async () => {
      later.push({ run: () => void client.run(`delete from word_index where rowid in (${ENTRIES} except ${KEPT})`), bytes: 0 })
      client.run('delete from holdings')
      client.run(`insert into holdings ${COUNTED}`)
    },
    clearLanguages: async () => void client.run('delete from languages'),
    saveIndexing: async ({ rules, target, reached }: Omit<Indexing, 'erasures'>) =>
      void client.run(
        'insert into indexing (id, rules, target, reached) values (1, ?1, ?2, ?3) on conflict do update set rules = ?1, target = ?2, reached = ?3',
        [rules, target, reached],
      ),
  }
}
