import type { SqliteFile } from './file.ts'

/** Pages of an index that one step reads and writes: some 5 to 10 ms, more where one word's list is longer, in which no other write of the project is served. */
const STEP = 64
/** The small pieces of an index are merged into the largest when together they are more than such a share of it: each record is rewritten some five times in all. */
const SHARE = 1 / 4

/** What each project's file looked like when it was last in order. */
const tidied = new WeakMap<SqliteFile, number>()

/**
 * Makes one piece of the pieces an index has grown by, where that is worth it, in steps between which other writes are served. One piece
 * is a fifth smaller, and words that nobody wrote are looked up in half the time. Nothing is done while nobody writes. Ends early once
 * `isStopped` says so; what is half done is gone on with the next time.
 */
export async function tidyIndex(file: SqliteFile, isStopped: () => boolean): Promise<void> {
  if (tidied.get(file) === file.version()) return
  const pages = readPages(file)
  if (isWorthIt(pages)) await merge(file, Math.ceil((2 * sum(pages)) / STEP), isStopped)
  if (!isStopped()) tidied.set(file, file.version())
}

/** The size of each piece: the number of its last page that begins with a word, which stands doubled. Pages between hold long lists alone. */
function readPages({ reader }: SqliteFile): number[] {
  return reader
    .query<{ pages: number }, []>('select max(pgno) / 2 as pages from word_index_idx group by segid')
    .all()
    .map(({ pages }) => pages)
}

function isWorthIt(pages: number[]): boolean {
  const largest = Math.max(0, ...pages)
  return sum(pages) - largest > largest * SHARE
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

/** A step below nothing says that all pieces are to become one; the others go on with it. */
async function merge({ connection, writer }: SqliteFile, most: number, isStopped: () => boolean): Promise<void> {
  const step = connection.query<unknown, [number]>("insert into word_index (word_index, rank) values ('merge', ?)")
  const changes = connection.query<{ total: number }, []>('select total_changes() as total')
  const countChanges = () => changes.get()?.total ?? 0
  for (let at = 0; at <= most && !isStopped(); at++) {
    const changed = await writer.write(async () => {
      const before = countChanges()
      step.run(at === 0 ? -STEP : STEP)
      return countChanges() - before
    })
    if (changed < NOTHING_LEFT) return
  }
}

/** A step that had nothing to merge makes fewer changes, as FTS5 documents. */
const NOTHING_LEFT = 2
