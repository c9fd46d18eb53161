import type { AppContext } from '../../account/context.ts'
import { DataError, Refusal } from '../../errors.ts'
import type { Backup, BackupWatch } from '../../store/backup.ts'
import type { CheckedPart } from '../../store/check.ts'
import type { FromWorker, Job, ToWorker } from './jobs.ts'

/** What jobs are run with: `maintenanceWorker` is the entry file of their threads. */
export type MaintenanceContext = AppContext & { maintenanceWorker: URL }

type Watch = BackupWatch & { onPart: (part: CheckedPart) => void }

/** Interval at which a worker is told again to stop. */
const STOP_INTERVAL_MS = 100
/** Maximum time that a worker may take to stop; it ends only between steps, and copying a large file is one step. */
const MAX_STOPPING_MS = 5_000

/**
 * Runs a job in a worker thread of its own, which takes about 20 MiB meanwhile. Rejects as the job does, and if the
 * thread dies; then the next backup deletes the partial file.
 */
export function runJob(
  { store, maintenanceWorker }: Pick<MaintenanceContext, 'store' | 'maintenanceWorker'>,
  job: Job,
  { isStopped, onProgress, onPart }: Watch,
): Promise<Backup | undefined> {
  const worker = new Worker(maintenanceWorker.href, { smol: true })
  const result = Promise.withResolvers<Backup | undefined>()
  let stoppingSince: number | undefined
  const timer = setInterval(() => {
    if (!isStopped()) return
    stoppingSince ??= performance.now()
    if (performance.now() - stoppingSince > MAX_STOPPING_MS) result.reject(new Refusal('stopped'))
    else post(worker, { kind: 'stop' })
  }, STOP_INTERVAL_MS)
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === 'progress') onProgress(data.done, data.all)
    if (data.kind === 'part') onPart(data.part)
    if (data.kind === 'done') result.resolve(data.backup)
    if (data.kind === 'failed') result.reject(data.isRefusal ? new Refusal(data.message) : new DataError(data.message))
  }
  worker.onerror = (event) => {
    event.preventDefault()
    result.reject(new Error(`the worker died: ${event.message}`))
  }
  // After its answer this changes nothing.
  worker.addEventListener('close', () => result.reject(new Error('the worker died: it ended without an answer')))
  post(worker, job)
  return store
    .besideReader(() => result.promise)
    .finally(() => {
      clearInterval(timer)
      worker.terminate()
    })
}

const post = (worker: Worker, message: ToWorker) => worker.postMessage(message)
