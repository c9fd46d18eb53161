import { Connection } from '../connection.ts'

/** An entry point of the executable: the worker thread that writes the logs of closed files into the files, so that no call waits for the disk meanwhile. */
declare const self: Worker

/** The path of a file, which is answered when it is done with. */
self.onmessage = ({ data: path }: MessageEvent<string>) => {
  emptyLog(path)
  self.postMessage(path)
}

/**
 * SQLite writes the log into the file, and empties it, when the last connection is closed. Where that cannot be done, because the file is open again or erased, or the disk
 * is full, the log stays: nothing is lost, and whoever opens the file next reads it.
 */
function emptyLog(path: string): void {
  try {
    using connection = new Connection(path)
    // Only a connection that has read has the log open.
    connection.run('pragma application_id')
  } catch {}
}
