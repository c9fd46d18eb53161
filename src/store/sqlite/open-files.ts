import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectReads, ProjectWrites } from '../project.ts'
import type { SqliteFile } from './file.ts'
import { cacheReads } from './project/keep-reads.ts'
import { createProjectReads } from './project/reads.ts'
import { createProjectWrites } from './project/writes.ts'

export type OpenProject = { file: SqliteFile; reads: ProjectReads; writes: ProjectWrites }

/** Files, of those used last, that keep what they have read: up to 4 MiB each. */
const MAX_WARM = 16

/** Project files by id, opened on demand; beyond `most` the least recently used that nobody uses is closed. */
export type OpenFiles = {
  /** Acts on the open project, which stays open until the act has ended. */
  use: <Result>(id: string, act: (project: OpenProject) => Promise<Result>) => Promise<Result>
  /** Acts on one after the other of those that are open; each stays so until the act on it has ended, as it should soon once `isReleased`. */
  each: (act: (project: OpenProject, isReleased: () => boolean) => Promise<void>) => Promise<void>
  /** Closes one, once the acts on it have ended. */
  release: (id: string) => Promise<void>
  close: () => Promise<void>
}

/** A file that is open or about to be, and how many acts are on it. */
type Held = { opening: Promise<OpenProject>; project: OpenProject | undefined; users: number }

export function createOpenFiles(openFile: (id: string) => Promise<SqliteFile>, most: number): OpenFiles {
  /** The least recently used first. */
  const files = new Map<string, Held>()
  let latest: string | undefined

  function hold(id: string): Held {
    const held = files.get(id) ?? begin(id)
    // Most acts are on the same project as the one before.
    if (id === latest && files.has(id)) return held
    files.delete(id)
    files.set(id, held)
    latest = id
    coolOne()
    return held
  }

  /** Lets the file that has just fallen out of those used last give back what it has read. */
  function coolOne(): void {
    if (files.size <= MAX_WARM) return
    const held = files
      .values()
      .drop(files.size - MAX_WARM - 1)
      .next().value
    if (held?.users === 0) held.project?.file.shrink()
  }

  function begin(id: string): Held {
    // Opening takes some milliseconds: where many projects are asked for at once, others are served between them.
    const open = async () => {
      await yieldIfDue()
      const file = await openFile(id)
      await yieldIfDue()
      held.project = toOpenProject(file)
      return held.project
    }
    const opening = open()
    const held: Held = { opening, project: undefined, users: 0 }
    return held
  }

  async function use<Result>(id: string, act: (project: OpenProject) => Promise<Result>): Promise<Result> {
    const held = hold(id)
    return keepOpen(id, held, async () => act(held.project ?? (await held.opening)))
  }

  async function keepOpen<Result>(id: string, held: Held, act: () => Promise<Result>): Promise<Result> {
    held.users += 1
    try {
      return await act()
    } finally {
      held.users -= 1
      if (held.project === undefined && files.get(id) === held) files.delete(id)
      closeLeastUsed()
    }
  }

  function closeLeastUsed(): void {
    for (const [id, { project, users }] of files) {
      if (files.size <= most) return
      if (users > 0) continue
      files.delete(id)
      project?.file.close()
    }
  }

  async function release(id: string): Promise<void> {
    const held = files.get(id)
    files.delete(id)
    while (held !== undefined && held.users > 0) await new Promise((resume) => setImmediate(resume))
    held?.project?.file.close()
  }

  return {
    use,
    each: async (act) => {
      for (const [id, held] of [...files]) {
        const isReleased = () => files.get(id) !== held
        const { project } = held
        if (!isReleased() && project !== undefined) await keepOpen(id, held, () => act(project, isReleased))
      }
    },
    release,
    close: async () => {
      await Promise.all([...files.keys()].map(release))
    },
  }
}

function toOpenProject(file: SqliteFile): OpenProject {
  const writes = { ...createProjectReads(file.connection), ...createProjectWrites(file.connection, file.later) }
  return { file, reads: cacheReads(createProjectReads(file.reader, file.version), file.version), writes }
}
