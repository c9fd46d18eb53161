import type { Config } from '../../config.ts'
import type { Backup, BackupRequest } from '../../store/backup.ts'
import type { CheckedPart } from '../../store/check.ts'

/** Where the data is. */
type Location = Pick<Config, 'dataDir'>

/** What a worker thread is asked to do; it ends when that is done. */
export type Job = { kind: 'backup'; location: Location; request: BackupRequest } | { kind: 'check'; location: Location }

/** A message to the worker: its job, or that it is to end early. */
export type ToWorker = Job | { kind: 'stop' }

/** A failure crosses the thread by its message, and by whether it is a Refusal, whose message anybody may read. */
export type FromWorker =
  | { kind: 'progress'; done: number; all: number }
  | { kind: 'part'; part: CheckedPart }
  | { kind: 'done'; backup?: Backup }
  | { kind: 'failed'; message: string; isRefusal: boolean }
