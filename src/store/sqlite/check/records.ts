import type { Pause, ToEntry } from '../../check.ts'
import { toSelectList } from '../../shared/project/sql.ts'
import { createDecoder, type Row } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { prefixTerms, toTermPrefix, toVisibilityTerm } from '../project/index/word-index.ts'
import { CHECKED, type CheckedRow, toRowCheck } from '../project/record-row.ts'

type Checked = CheckedRow & { seq: number; content: string; rowCheck: number; codes: Uint8Array | null }

const ROWS = `select ${toSelectList(CHECKED)}, codes from records where seq > ? order by seq limit ?`
const toChecked = createDecoder<Checked>(CHECKED)

/** Rows read at once: with the longest contents about 6 MB. */
const BATCH_ROWS = 100

/** Whether a record is as it was saved and changed. */
export const isAsSaved = (row: CheckedRow & { rowCheck: number }): boolean => row.rowCheck === toRowCheck(row)

/** Result of checking every record of a project. */
type CheckedRecords = {
  /** Number of records that are not as they were saved. */
  changed: number
  /** Number of records whose tokens differ from those of their texts. */
  mistaken: number
  /** A sum over all pairs of a term and a record that the index should have; see `sumOfIndex`. */
  sum: number
}

/** Checks every record of a project; without `toEntry`, only the rows themselves. */
export async function checkRecords(
  connection: Connection,
  pause: Pause,
  toEntry: ToEntry | undefined,
): Promise<CheckedRecords> {
  const found: CheckedRecords = { changed: 0, mistaken: 0, sum: 0 }
  const statement = connection.statement<Row<Checked>, [afterSeq: number, limit: number]>(ROWS)
  for (let after = -1; ; ) {
    const rows = statement.all(after, BATCH_ROWS).map(toChecked)
    for (const row of rows) {
      await pause()
      if (!isAsSaved(row)) found.changed += 1
      else if (toEntry !== undefined && row.forgottenAt === null) addEntry(found, row, toEntry)
    }
    after = rows.at(-1)?.seq ?? after
    if (rows.length < BATCH_ROWS) return found
  }
}

function addEntry(
  found: CheckedRecords,
  { seq, workspaceId, audience, content, askedAs, length, codes }: Checked,
  toEntry: ToEntry,
): void {
  const entry = toEntry({ content, askedAs })
  const isSame =
    length === entry.length &&
    (codes === null) === (entry.codes === null) &&
    Buffer.compare(codes ?? NONE, entry.codes ?? NONE) === 0
  if (!isSame) found.mistaken += 1
  const terms = new Set(prefixTerms(entry.terms, toTermPrefix(audience)).split(' '))
  terms.delete('')
  terms.add(toVisibilityTerm(workspaceId, audience))
  for (const term of terms) found.sum = add(found.sum, toHash(term), seq)
}

const NONE = new Uint8Array()

/** Pairs read between pauses. */
const BATCH_PAIRS = 10_000

/**
 * An order-independent sum over all pairs of a term and a record in the index. It equals the sum of `checkRecords` if
 * the index is right; if it is wrong, the two are equal with a probability of 2^-32. `temp.pairs` is an `fts5vocab`
 * table of type `instance`.
 */
export async function sumOfIndex(connection: Connection, pause: Pause): Promise<number> {
  const statement = connection.prepare<{ term: string; doc: number }, []>('select term, doc from temp.pairs')
  let sum = 0
  let read = 0
  let last: { term: string; hash: number } | undefined
  for (const { term, doc } of statement.iterate()) {
    if (last?.term !== term) last = { term, hash: toHash(term) }
    sum = add(sum, last.hash, doc)
    read += 1
    if (read % BATCH_PAIRS === 0) await pause()
  }
  return sum
}

const MODULUS = 2 ** 48

const add = (sum: number, hash: number, seq: number) => (sum + Bun.hash.xxHash32(`${hash} ${seq}`)) % MODULUS

const toHash = (term: string) => Bun.hash.xxHash32(term)
