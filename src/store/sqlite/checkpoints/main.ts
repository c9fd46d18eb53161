import { Connection } from '../connection.ts'

/**
 * An entry point of the executable: the worker thread that checkpoints the WAL of closed files, so that no call waits
 * for the disk.
 */
declare const self: Worker

/** The message is a list of paths, which is answered when all of them are done. */
self.onmessage = ({ data: paths }: MessageEvent<string[]>) => {
  for (const path of paths) emptyLog(path)
  self.postMessage('done')
}

/**
 * SQLite checkpoints and empties the WAL when the last connection is closed. If that is not possible, because the file
 * is open again or erased or the disk is full, the WAL stays: nothing is lost, and the next connection reads it.
 */
function emptyLog(path: string): void {
  try {
    using connection = new Connection(path)
    // A connection opens the WAL only when it reads.
    connection.run('pragma application_id')
  } catch {}
}
