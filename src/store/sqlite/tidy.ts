import type { SqliteFile } from './file.ts'
import { MERGED_PAGES } from './merging.ts'

/** The small pieces of an index are merged into the largest when together they are more than such a share of it: each record is rewritten some five times in all. */
const MERGE_SHARE = 1 / 4

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
  if (isWorthIt(pages)) await merge(file, Math.ceil((2 * sum(pages)) / MERGED_PAGES), isStopped)
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
  return sum(pages) - largest > largest * MERGE_SHARE
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

async function merge({ merging, writer }: SqliteFile, most: number, isStopped: () => boolean): Promise<void> {
  for (let at = 0; at <= most && !isStopped(); at++) {
    const isMore = await writer.write(async () => merging?.step(at === 0 ? 'all' : undefined) ?? false)
    if (!isMore) return
  }
}
