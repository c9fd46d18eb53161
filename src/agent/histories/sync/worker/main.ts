import { toHalt } from '../halt.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { startUploads, type Uploads } from './start-uploads.ts'

/** An entry point of the executable: the worker thread of the agent that uploads session histories, so that the relay never waits for it. */
declare const self: Worker

let uploads: Uploads | undefined

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'wake') return uploads?.wake()
  if (data.kind === 'stop') return uploads?.stop()
  uploads = startUploads(data)
  uploads.ended.then(
    () => end({ kind: 'ended' }),
    (error) => end({ kind: 'ended', failure: toHalt(error).message }),
  )
}

function end(message: FromWorker): void {
  self.postMessage(message)
}
