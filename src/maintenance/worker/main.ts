import { Refusal, toMessage } from '../../errors.ts'
import type { Pause } from '../../store/check.ts'
import { backUpStore, checkStore } from '../../store/open-store.ts'
import type { FromWorker, Job, ToWorker } from './jobs.ts'

/**
 * An entry point of the executable: the worker thread that makes one backup or checks the data once, so that no call
 * waits for it.
 */
declare const self: Worker

let isStopped = false
const post = (message: FromWorker) => self.postMessage(message)

async function run(job: Job): Promise<void> {
  if (job.kind === 'backup') {
    const onProgress = (done: number, all: number) => post({ kind: 'progress', done, all })
    post({
      kind: 'done',
      backup: await backUpStore(job.location, job.request, { isStopped: () => isStopped, onProgress }),
    })
    return
  }
  for await (const part of checkStore(job.location, { pause: createPause() })) post({ kind: 'part', part })
  post({ kind: 'done' })
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'stop') {
    isStopped = true
    return
  }
  run(data).catch((error) =>
    post({
      kind: 'failed',
      message: toMessage(error),
      isRefusal: error instanceof Refusal,
    }),
  )
}

/** Share of the time that is used for work; the rest is left to the service. */
const WORK_SHARE = 1 / 5
/** Minimum time of work between two pauses. */
const MIN_WORK_MS = 20

/**
 * Returns a function that waits four times as long as the work since its last wait took. It rejects with a Refusal once
 * the job is stopped.
 */
function createPause(): Pause {
  let began = performance.now()
  return async () => {
    if (isStopped) throw new Refusal('stopped')
    const worked = performance.now() - began
    if (worked < MIN_WORK_MS) return
    await Bun.sleep(worked * (1 / WORK_SHARE - 1))
    began = performance.now()
  }
}
