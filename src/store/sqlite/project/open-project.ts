import type { ProjectReads, ProjectWrites } from '../../project.ts'
import type { SqliteFile } from '../file.ts'
import { createTidy } from '../tidy.ts'
import { createPostingListCache } from './index/posting-list-cache.ts'
import { createCachedReads, createProjectReads } from './reads.ts'
import { createSameSaves, type SameSaves } from './same.ts'
import { createProjectWrites } from './writes.ts'

/** An open file of records. */
export type OpenProject = {
  file: SqliteFile
  reads: ProjectReads
  writes: ProjectWrites
  same: SameSaves
  tidy: ReturnType<typeof createTidy>
}

/** Returns what makes the verbs over an open file; all files share one cache of posting lists. */
export function createProjectOpening(): (file: SqliteFile) => OpenProject {
  const postingLists = createPostingListCache()
  let openings = 0
  return (file) => {
    const { reader, connection, later, version } = file
    const same = createSameSaves(file)
    return {
      file,
      reads: createCachedReads(reader, { version, opening: ++openings, postingLists }),
      writes: { ...createProjectReads(connection), ...createProjectWrites(connection, later), ...same.verbs },
      same,
      tidy: createTidy(file),
    }
  }
}
