import type { SqliteFile } from './file.ts'
import { createFileOpener } from './file-opener.ts'

/** Number of recently used files that keep their page caches, of up to 4 MiB each in a process that serves. */
const MAX_WARM_FILES = 16

/** Files of projects by project id, opened on demand. `Opened` is what acts get: the file and the verbs on it. */
export type OpenFiles<Opened> = {
  /** Runs an act on the open file, which stays open until the act has settled. */
  use: <Result>(id: string, act: (opened: Opened) => Promise<Result>) => Promise<Result>
  /**
   * Runs an act on each open file in turn, which stays open until the act has settled; it should settle soon once
   * `isReleased`.
   */
  each: (act: (opened: Opened, isReleased: () => boolean) => Promise<void>) => Promise<void>
  /** Closes a file once the acts on it have settled. */
  release: (id: string) => Promise<void>
  /** Number of open files. */
  count: () => number
  close: () => Promise<void>
}

/** A file that is open or being opened, and the number of acts that use it. */
type Held<Opened> = { opening: Promise<Opened>; opened: Opened | undefined; users: number; isClosed: boolean }

/**
 * At most `maxFiles` files are open: for a further one, the least recently used file that no act uses is closed; if all
 * are in use, the next file waits. If the process runs out of descriptors, idle files are closed by `closeIdle`, and
 * opening is tried once more. `toFailure` converts what opening a file and acts on it throw.
 */
export function createOpenFiles<Opened extends { file: SqliteFile }>(
  openFile: (id: string) => Promise<SqliteFile>,
  toOpened: (file: SqliteFile) => Opened,
  maxFiles: number,
  closeIdle: (file: SqliteFile) => void = (file) => file.close(),
  toFailure: (id: string, error: unknown) => unknown = (_id, error) => error,
): OpenFiles<Opened> {
  /** In order of use: the least recently used first. */
  const files = new Map<string, Held<Opened>>()
  const opener = createFileOpener(openFile, maxFiles, closeLeastUsed)
  let latest: string | undefined

  function hold(id: string): Held<Opened> {
    const known = files.get(id)
    const held = known === undefined || retire(id, known) ? begin(id) : known
    // Most acts use the same project as the previous one.
    if (id === latest && files.has(id)) return held
    files.delete(id)
    files.set(id, held)
    latest = id
    coolOne()
    return held
  }

  /**
   * Takes a file that has to be opened anew out of the open ones, and closes it once no act uses it. Returns false for
   * any other.
   */
  function retire(id: string, held: Held<Opened>): boolean {
    if (held.opened?.file.mustReopen() !== true) return false
    if (files.get(id) === held) files.delete(id)
    if (held.users === 0) close(held)
    return true
  }

  /** A second call does nothing. */
  function close(held: Held<Opened>): void {
    if (held.isClosed || held.opened === undefined) return
    held.isClosed = true
    opener.close(held.opened.file)
  }

  /** Frees the page caches of the file that has just left the recently used ones. */
  function coolOne(): void {
    if (files.size <= MAX_WARM_FILES) return
    const held = files
      .values()
      .drop(files.size - MAX_WARM_FILES - 1)
      .next().value
    if (held?.users === 0) held.opened?.file.shrink()
  }

  function begin(id: string): Held<Opened> {
    const opening = open(id).then((opened) => {
      held.opened = opened
      return opened
    })
    const held: Held<Opened> = { opening, opened: undefined, users: 0, isClosed: false }
    return held
  }

  async function open(id: string): Promise<Opened> {
    const file = await opener.open(id)
    try {
      return toOpened(file)
    } catch (error) {
      opener.close(file)
      throw error
    }
  }

  async function useHeld<Result>(
    id: string,
    held: Held<Opened>,
    act: (opened: Opened) => Promise<Result>,
  ): Promise<Result> {
    held.users += 1
    try {
      return await act(held.opened ?? (await held.opening))
    } catch (error) {
      throw toFailure(id, held.opened === undefined ? error : held.opened.file.toReadFailure(error))
    } finally {
      held.users -= 1
      if (held.opened === undefined && files.get(id) === held) files.delete(id)
      retire(id, held)
      opener.notifyIdle()
    }
  }

  /** Closes the least recently used file that no act uses. Returns false if there is none. */
  function closeLeastUsed(): boolean {
    for (const [id, { opened, users }] of files) {
      if (users > 0 || opened === undefined) continue
      files.delete(id)
      closeIdle(opened.file)
      return true
    }
    return false
  }

  async function release(id: string): Promise<void> {
    const held = files.get(id)
    files.delete(id)
    while (held !== undefined && held.users > 0) await new Promise((resume) => setImmediate(resume))
    if (held !== undefined) close(held)
    opener.notifyIdle()
  }

  return {
    use: (id, act) => useHeld(id, hold(id), act),
    each: async (act) => {
      for (const [id, held] of [...files]) {
        const isReleased = () => files.get(id) !== held
        if (!isReleased() && held.opened !== undefined) await useHeld(id, held, (opened) => act(opened, isReleased))
      }
    },
    release,
    count: opener.count,
    close: async () => {
      await Promise.all([...files.keys()].map(release))
    },
  }
}
