import type { SqliteFile } from './file.ts'

/** Pages freed in one transaction, which takes about 5 ms. */
const PAGES_PER_STEP = 256

// What is erased is overwritten where it stood (`secure_delete`). What follows removes what else a file has of it.

/**
 * Removes the words of erased lines from the index of a file of session histories, by merging all its segments, gives
 * free pages back to the file system, and removes what its log has of erased lines.
 */
export async function scrubHistories(file: SqliteFile): Promise<void> {
  const { connection, writer } = file
  await mergeAll(file, () => false)
  const free = connection.statement<{ freelist_count: number }, []>('pragma freelist_count')
  for (let left = free.get()?.freelist_count ?? 0; left > 0; left -= PAGES_PER_STEP) {
    await writer.write(async () => void connection.run(`pragma incremental_vacuum(${PAGES_PER_STEP})`))
  }
  await truncateLog(file)
}

/**
 * Removes the terms of erased records from the index of a project's file, by merging all its segments, and what its log
 * has of them. Does nothing unless something was erased since the last time. Ends early once `isStopped` returns true,
 * and leaves the log as it is while another connection reads; the next call continues, also after a failure or crash.
 */
export async function scrubProject(file: SqliteFile, isStopped: () => boolean): Promise<void> {
  const { connection, writer } = file
  const change = (sql: string) => writer.write(async () => void connection.run(`update usage set to_scrub = ${sql}`))
  if (connection.query('select 1 from usage where to_scrub = 0').get() !== null) return
  // So that what is erased meanwhile, by another process too, marks the file anew.
  await change('2')
  await mergeAll(file, isStopped)
  if (!isStopped() && (await truncateLog(file))) await change('0 where to_scrub = 2')
}

/**
 * Empties the log into the file, where erased content is overwritten, and truncates it. Returns false if another
 * connection reads, which prevents that.
 */
export async function truncateLog({ connection, writer }: Pick<SqliteFile, 'connection' | 'writer'>): Promise<boolean> {
  await writer.settle()
  return connection.query<{ busy: number }, []>('pragma wal_checkpoint(truncate)').get()?.busy === 0
}

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
async function mergeAll(file: SqliteFile, isStopped: () => boolean): Promise<void> {
  const { merging, writer } = file
  const maxPages = 2 * sum(readSegmentSizes(file))
  for (let merged = 0; merged <= maxPages && !isStopped(); ) {
    const isFirst = merged === 0
    const pages = await writer.write(async () => merging?.step(isFirst ? 'all' : undefined) ?? 0)
    if (pages === 0) return
    merged += pages
  }
}
