import { createGate } from '../../semaphore.ts'
import { OutOfDescriptors } from './errors.ts'
import type { SqliteFile } from './file.ts'
import { inTurn } from './long-reads.ts'

/** Opens files, a limited number at once. */
type FileOpener = {
  /** Opens a file when it is its turn and there is room for it. */
  open: (id: string) => Promise<SqliteFile>
  close: (file: SqliteFile) => void
  /** To be called when a file is no longer in use: an opening that waits for room tries again. */
  notifyIdle: () => void
  /** Number of open files. */
  count: () => number
}

/**
 * At most `maxFiles` files are open, and no more than the process has descriptors for. `closeIdle` makes room for a
 * further one: it closes an open file that is not in use, or returns false if there is none; then the opening waits.
 */
export function createFileOpener(
  openFile: (id: string) => Promise<SqliteFile>,
  maxFiles: number,
  closeIdle: () => boolean,
): FileOpener {
  /** Files are opened one at a time, so that they do not compete for the last descriptors. */
  const oneByOne = createGate(1)
  /** Openings that wait for room, in order of arrival. */
  const waiting: (() => void)[] = []
  let open = 0

  async function makeRoom(): Promise<void> {
    if (closeIdle()) open -= 1
    else await new Promise<void>((resume) => waiting.push(resume))
  }

  async function openWithRoom(id: string): Promise<SqliteFile> {
    while (open >= maxFiles) await makeRoom()
    for (;;) {
      try {
        const file = await openFile(id)
        open += 1
        return file
      } catch (error) {
        if (open === 0 || !(error instanceof OutOfDescriptors)) throw error
      }
      await makeRoom()
    }
  }

  return {
    // Opening takes some milliseconds, so other work runs between the openings of many projects.
    open: inTurn((id) => oneByOne(() => openWithRoom(id))),
    close: (file) => {
      file.close()
      open -= 1
    },
    notifyIdle: () => waiting.shift()?.(),
    count: () => open,
  }
}
