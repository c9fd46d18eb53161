import type { SqliteFile } from './file.ts'

/**
 * The smaller segments are merged into the largest one when together they exceed this share of it: each entry is then
 * rewritten about five times in total.
 */
const MERGE_SHARE = 1 / 4

/**
 * Merges all segments of a file's index into one if that is worthwhile, in steps between which other writes run; the
 * index is then a fifth smaller, and words that no record contains are looked up in half the time. Does nothing while
 * nobody writes. Ends early once `isStopped` returns true; the next call continues.
 */
export function createTidy(file: SqliteFile): (isStopped: () => boolean) => Promise<void> {
  let tidiedAt: number | undefined
  return async (isStopped) => {
    if (tidiedAt === file.version()) return
    const sizes = readSegmentSizes(file)
    if (isWorthMerging(sizes)) await mergeAll(file, isStopped)
    if (!isStopped()) tidiedAt = file.version()
  }
}

/**
 * Size of each segment in pages: the number of its last page that begins with a term, which `word_index_idx` stores
 * doubled. Continuation pages of posting lists are not counted.
 */
function readSegmentSizes({ reader }: SqliteFile): number[] {
  return reader
    .query<{ pages: number }, []>('select max(pgno) / 2 as pages from word_index_idx group by segid')
    .all()
    .map(({ pages }) => pages)
}

function isWorthMerging(sizes: number[]): boolean {
  const largest = Math.max(0, ...sizes)
  return sum(sizes) - largest > largest * MERGE_SHARE
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

/** Merges all segments into one, by which the terms of records that left the index leave the file. */
export async function mergeAll(file: SqliteFile, isStopped: () => boolean): Promise<void> {
  const { merging, writer } = file
  const maxPages = 2 * sum(readSegmentSizes(file))
  for (let merged = 0; merged <= maxPages && !isStopped(); ) {
    const isFirst = merged === 0
    const pages = await writer.write(async () => merging?.step(isFirst ? 'all' : undefined) ?? 0)
    if (pages === 0) return
    merged += pages
  }
}
