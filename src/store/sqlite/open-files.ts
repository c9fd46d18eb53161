import { createGate, yieldIfDue } from '../../cooperative.ts'
import { OutOfDescriptors } from './errors.ts'
import type { SqliteFile } from './file.ts'

/** Of the files used last, so many keep their page caches, of up to 4 MiB each. */
const MAX_WARM_FILES = 16

/** Files of projects by the project's id, opened on demand. `Opened` is what acts are given: the file and the verbs over it. */
export type OpenFiles<Opened> = {
  /** Runs an act on the open file, which stays open until the act has settled. */
  use: <Result>(id: string, act: (opened: Opened) => Promise<Result>) => Promise<Result>
  /** Runs an act on one open file after the other; each stays open until the act on it has settled, as it should soon once `isReleased`. */
  each: (act: (opened: Opened, isReleased: () => boolean) => Promise<void>) => Promise<void>
  /** Closes a file once the acts on it have settled. */
  release: (id: string) => Promise<void>
  /** How many files are open. */
  count: () => number
  close: () => Promise<void>
}

/** A file that is open or being opened, and how many acts use it. */
type Held<Opened> = { opening: Promise<Opened>; opened: Opened | undefined; users: number }

/**
 * Beyond `maxFiles` the least recently used file that no act uses is closed; where acts use all of them, the next file waits until one is free. The same where the
 * system gives the process no more descriptors: what is idle is closed, by `closeIdle`, and opening is tried once more.
 */
export function createOpenFiles<Opened extends { file: SqliteFile }>(
  openFile: (id: string) => Promise<SqliteFile>,
  toOpened: (file: SqliteFile) => Opened,
  maxFiles: number,
  closeIdle: (file: SqliteFile) => void = (file) => file.close(),
): OpenFiles<Opened> {
  /** One file is opened after the other, lest several lack descriptors that they take from each other. */
  const inTurn = createGate(1)
  /** In order of use: the least recently used first. */
  const files = new Map<string, Held<Opened>>()
  let open = 0
  /** Openings that wait until an act has settled, in order of arrival. */
  const waiting: (() => void)[] = []
  let latest: string | undefined

  function hold(id: string): Held<Opened> {
    const held = files.get(id) ?? begin(id)
    // Most acts use the same project as the one before.
    if (id === latest && files.has(id)) return held
    files.delete(id)
    files.set(id, held)
    latest = id
    coolOne()
    return held
  }

  /** Frees the page caches of the file that is no longer among those used last. */
  function coolOne(): void {
    if (files.size <= MAX_WARM_FILES) return
    const held = files
      .values()
      .drop(files.size - MAX_WARM_FILES - 1)
      .next().value
    if (held?.users === 0) held.opened?.file.shrink()
  }

  function begin(id: string): Held<Opened> {
    const opening = openInTurn(id).then((opened) => {
      held.opened = opened
      return opened
    })
    const held: Held<Opened> = { opening, opened: undefined, users: 0 }
    return held
  }

  /** Opening takes some milliseconds: where many projects are opened at once, other work is done in between. */
  async function openInTurn(id: string): Promise<Opened> {
    await yieldIfDue()
    const file = await inTurn(() => openInPlace(id))
    try {
      return toOpened(file)
    } catch (error) {
      close(file)
      throw error
    }
  }

  async function openInPlace(id: string): Promise<SqliteFile> {
    while (open >= maxFiles && !closeLeastUsed()) await nextSettled()
    for (;;) {
      try {
        const file = await openFile(id)
        open += 1
        return file
      } catch (error) {
        if (open === 0 || !(error instanceof OutOfDescriptors)) throw error
      }
      if (!closeLeastUsed()) await nextSettled()
    }
  }

  const nextSettled = () => new Promise<void>((resume) => waiting.push(resume))

  async function useHeld<Result>(id: string, held: Held<Opened>, act: (opened: Opened) => Promise<Result>): Promise<Result> {
    held.users += 1
    try {
      return await act(held.opened ?? (await held.opening))
    } finally {
      held.users -= 1
      if (held.opened === undefined && files.get(id) === held) files.delete(id)
      waiting.shift()?.()
    }
  }

  /** Closes the least recently used file that no act uses. Returns false if there is none. */
  function closeLeastUsed(): boolean {
    for (const [id, { opened, users }] of files) {
      if (users > 0 || opened === undefined) continue
      files.delete(id)
      closeIdle(opened.file)
      open -= 1
      return true
    }
    return false
  }

  function close(file: SqliteFile): void {
    file.close()
    open -= 1
  }

  async function release(id: string): Promise<void> {
    const held = files.get(id)
    files.delete(id)
    while (held !== undefined && held.users > 0) await new Promise((resume) => setImmediate(resume))
    if (held?.opened !== undefined) close(held.opened.file)
    waiting.shift()?.()
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
    count: () => open,
    close: async () => {
      await Promise.all([...files.keys()].map(release))
    },
  }
}
