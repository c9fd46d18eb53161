import type { ProjectReads, ProjectWrites } from '../../project.ts'
import type { SqliteFile } from '../file.ts'
import { createTidy } from '../scrub.ts'
import { createPostingListCache } from './index/posting-list-cache.ts'
import { createCachedReads, createProjectReads } from './reads.ts'
import { createProjectWrites } from './writes.ts'

/**
 * An open file of records. Its `reads` and `writes` are created on demand: together they take as long as a save, and
 * many acts need only one of them.
 */
export type OpenProject = {
  file: SqliteFile
  readonly reads: ProjectReads
  readonly writes: ProjectWrites
  tidy: ReturnType<typeof createTidy>
}

/** Returns a function that creates the verbs of an open file; all files share one cache of posting lists. */
export function createProjectOpening(): (file: SqliteFile) => OpenProject {
  const postingLists = createPostingListCache()
  let openings = 0
  return (file) => {
    const { reader, connection, later, version } = file
    const opening = ++openings
    let reads: ProjectReads | undefined
    let writes: ProjectWrites | undefined
    return {
      file,
      get reads() {
        reads ??= createCachedReads(reader, { version, opening, postingLists })
        return reads
      },
      get writes() {
        writes ??= { ...createProjectReads(connection), ...createProjectWrites(connection, later) }
        return writes
      },
      tidy: createTidy(file),
    }
  }
}
