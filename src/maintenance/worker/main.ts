import { Refusal } from '../../errors.ts'
import { backUpStore, checkStore } from '../../store/open-store.ts'
import type { FromWorker, Job, ToWorker } from './jobs.ts'
import { politely } from './politely.ts'

/** An entry point of the executable: the worker thread that makes one backup or checks the data once, so that no call waits for it. */
declare const self: Worker

let isStopped = false
const post = (message: FromWorker) => self.postMessage(message)

async function run(job: Job): Promise<void> {
  if (job.kind === 'backup') {
    const onProgress = (done: number, all: number) => post({ kind: 'progress', done, all })
    post({ kind: 'done', backup: await backUpStore(job.location, job.request, { isStopped: () => isStopped, onProgress }) })
    return
  }
  for await (const part of checkStore(
    job.location,
    {},
    politely(() => isStopped),
  ))
    post({ kind: 'part', part })
  post({ kind: 'done' })
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'stop') {
    isStopped = true
    return
  }
  run(data).catch((error) =>
    post({ kind: 'failed', message: error instanceof Error ? error.message : String(error), isRefusal: error instanceof Refusal }),
  )
}
