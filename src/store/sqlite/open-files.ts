import type { ProjectReads, ProjectWrites } from '../project.ts'
import type { SqliteFile } from './file.ts'
import { keepReads } from './project/keep-reads.ts'
import { createProjectReads } from './project/reads.ts'
import { createProjectWrites } from './project/writes.ts'

export type OpenProject = { file: SqliteFile; reads: ProjectReads; writes: ProjectWrites }

/** Project files by id, opened on demand; beyond `most` the least recently used that nobody writes to is closed. */
export type OpenFiles = {
  /** The open project. Nobody closes it before the caller's next await. */
  use: (id: string) => OpenProject | Promise<OpenProject>
  /** Closes one, after the acts that wait for it. */
  release: (id: string) => Promise<void>
  close: () => Promise<void>
}

export function createOpenFiles(openFile: (id: string) => Promise<SqliteFile>, most: number): OpenFiles {
  const opened = new Map<string, OpenProject>()
  const opening = new Map<string, Promise<OpenProject>>()

  function openOnce(id: string): Promise<OpenProject> {
    const started = opening.get(id) ?? open(id).finally(() => opening.delete(id))
    opening.set(id, started)
    return started
  }

  async function open(id: string): Promise<OpenProject> {
    const file = await openFile(id)
    const project = toOpenProject(file)
    opened.set(id, project)
    closeLeastUsed()
    return project
  }

  function closeLeastUsed(): void {
    for (const [id, { file }] of opened) {
      if (opened.size <= most) return
      if (file.writer.isIdle()) {
        opened.delete(id)
        file.close()
      }
    }
  }

  async function release(id: string): Promise<void> {
    const project = opened.get(id)
    if (project === undefined) return
    await project.file.writer.settle()
    opened.delete(id)
    project.file.close()
  }

  return {
    use: (id) => {
      const project = opened.get(id)
      if (project === undefined) return openOnce(id)
      opened.delete(id)
      opened.set(id, project)
      return project
    },
    release,
    close: async () => {
      await Promise.allSettled(opening.values())
      for (const id of [...opened.keys()]) await release(id)
    },
  }
}

function toOpenProject(file: SqliteFile): OpenProject {
  const writes = { ...createProjectReads(file.connection), ...createProjectWrites(file.connection) }
  return { file, reads: keepReads(createProjectReads(file.reader), file.version), writes }
}
