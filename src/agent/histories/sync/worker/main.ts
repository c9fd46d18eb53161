import { toHalt } from '../activity.ts'
import { isBusy } from '../database.ts'
import { type FromWorker, startUploads, type ToWorker, type Uploads } from './start-uploads.ts'

/**
 * An entry point of the executable: the worker thread of the agent that uploads session histories, so that the relay
 * never waits for it.
 */
declare const self: Worker

/**
 * How many times later than usual the engine compiles a function to faster code. Most time is spent in regular
 * expressions, which this does not concern: 500 MB take as long, and at most 103 MiB of memory in place of 114. With 20
 * it was 111, as the largest functions, which take 5 to 15 MiB to compile, had their turn later (bench/sync.ts).
 * That was measured with the optimizing compiler, which main.ts switches off where a process can be restarted.
 */
const COMPILE_LATER = 200
Bun.unsafe.setJITPolicy(COMPILE_LATER)

let uploads: Uploads | undefined

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'stop') return uploads?.stop()
  void run(data)
}

async function run(start: Parameters<typeof startUploads>[0]): Promise<void> {
  try {
    uploads = startUploads(start)
    await uploads.ended
    end({ kind: 'ended' })
  } catch (error) {
    // If another process holds a lock, the next thread continues.
    end(isBusy(error) ? { kind: 'ended' } : { kind: 'ended', failure: toHalt(error).message })
  }
}

function end(message: FromWorker): void {
  self.postMessage(message)
}
