import type { Connection } from './connection.ts'
import type { SqliteFile } from './file.ts'

/** Pages freed in one transaction, which takes about 5 ms. */
const PAGES_PER_STEP = 256

/**
 * How often something was erased from a project's file, negative once all of it is scrubbed: `user_version` in the
 * header of the file.
 */
const readErasings = (connection: Connection): number =>
  connection.query<{ user_version: number }, []>('pragma user_version').get()?.user_version ?? 0
const setErasings = (connection: Connection, erasings: number) =>
  void connection.run(`pragma user_version = ${erasings}`)
const MAX_ERASINGS = 2 ** 31 - 1

/** Makes the next `scrub` remove what the file still has of what this transaction erases. */
export const markErased = (connection: Connection): void =>
  setErasings(connection, (Math.abs(readErasings(connection)) % MAX_ERASINGS) + 1)

/**
 * Removes what a project's file still has of what was erased. Where that stood, it is overwritten (`secure_delete`);
 * its terms leave the index when all segments are merged, and the log is emptied. Gives free pages back to the file
 * system. Does nothing unless something was erased since the last time. Ends early once `isStopped` returns true, and
 * leaves the log as it is while another connection reads; the next call continues, also after a failure or crash.
 */
export async function scrub(file: SqliteFile, isStopped: () => boolean): Promise<void> {
  const { connection, reader, writer } = file
  const erasings = readErasings(reader)
  if (erasings <= 0) return
  // Twice: the first time may only finish a merge that was under way, whose result has terms of what was erased since.
  const isMerged = (await mergeAll(file, isStopped)) && (await mergeAll(file, isStopped))
  await freePages(file, isStopped)
  if (isStopped() || !(await truncateLog(file)) || !isMerged) return
  await writer.write(async () => {
    // What was erased meanwhile, by another process too, is left to the next call.
    if (readErasings(connection) === erasings) setErasings(connection, -erasings)
  })
}

/** Only a file of session histories can be made smaller (`auto_vacuum`). */
async function freePages({ connection, writer }: SqliteFile, isStopped: () => boolean): Promise<void> {
  if (connection.query('select 1 from pragma_auto_vacuum where auto_vacuum = 2').get() === null) return
  const free = connection.query<{ freelist_count: number }, []>('pragma freelist_count').get()
  for (let left = free?.freelist_count ?? 0; left > 0 && !isStopped(); left -= PAGES_PER_STEP) {
    await writer.write(async () => void connection.run(`pragma incremental_vacuum(${PAGES_PER_STEP})`))
  }
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

/**
 * Merges all segments into one, by which the terms of records that left the index leave the file. Returns false if that
 * was not completed, because others kept adding segments or `isStopped` returned true.
 */
async function mergeAll(file: SqliteFile, isStopped: () => boolean): Promise<boolean> {
  const { merging, writer } = file
  const maxPages = 2 * sum(readSegmentSizes(file))
  for (let merged = 0; merged <= maxPages && !isStopped(); ) {
    const isFirst = merged === 0
    const pages = await writer.write(async () => merging?.step(isFirst ? 'all' : undefined) ?? 0)
    if (pages === 0) return true
    merged += pages
  }
  return false
}
