import type { SqliteFile } from './file.ts'
import { mergeAll } from './tidy.ts'

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
 * and leaves the log as it is while another connection reads; the next call continues.
 */
export async function scrubProject(file: SqliteFile, isStopped: () => boolean): Promise<void> {
  const { connection, writer } = file
  const [usage] = connection.query<{ toScrub: number }, []>('select to_scrub as toScrub from usage').all()
  if (usage?.toScrub !== 1) return
  const mark = (toScrub: 0 | 1) =>
    writer.write(async () => void connection.run(`update usage set to_scrub = ${toScrub}`))
  // Before the work, so that what is erased meanwhile, by another process too, is marked anew.
  await mark(0)
  await mergeAll(file, isStopped)
  if (isStopped() || !(await truncateLog(file))) await mark(1)
}

/**
 * Empties the log into the file, where erased content is overwritten, and truncates it. Returns false if another
 * connection reads, which prevents that.
 */
export async function truncateLog({ connection, writer }: Pick<SqliteFile, 'connection' | 'writer'>): Promise<boolean> {
  await writer.settle()
  return connection.query<{ busy: number }, []>('pragma wal_checkpoint(truncate)').get()?.busy === 0
}
