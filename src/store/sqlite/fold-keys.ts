import { toComparableKey } from '../../text/comparable.ts'
import type { Connection } from './connection.ts'

/** Fills `folded_key` of fact keys that a migration left empty, because SQL cannot fold Unicode. Only inside that migration's transaction. */
export function foldKeys(database: Connection): void {
  const unfolded = database.query<{ seq: number; key: string }, []>("select seq, fact_key as key from records where folded_key = ''")
  const save = database.query<unknown, [folded: string, seq: number]>('update records set folded_key = ? where seq = ?')
  for (const { seq, key } of unfolded.all()) save.run(toComparableKey(key), seq)
}
