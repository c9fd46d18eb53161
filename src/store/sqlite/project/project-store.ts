import { createLru } from '../../../cache/lru.ts'
import type { ProjectReads, ProjectStore } from '../../project.ts'
import { lazily } from '../../shared/engine.ts'
import { Connection } from '../connection.ts'
import { inTurn } from '../long-reads.ts'
import type { OpenFiles } from '../open-files.ts'
import { scrub } from '../scrub.ts'
import type { OpenProject } from './open-project.ts'
import { createProjectReads } from './reads.ts'

/** Maximum number of projects whose verbs are cached; creating them for each call would take longer than many reads. */
const MAX_PROJECT_STORES = 1_000

/**
 * Returns the verbs of a project: the same object for the same id, as long as it is among the 1 000 most recently used.
 */
export function createProjectStores(files: OpenFiles<OpenProject>): (id: string) => ProjectStore {
  const stores = createLru<string, ProjectStore>({ maxEntries: MAX_PROJECT_STORES })
  return (id) => {
    const known = stores.get(id)
    if (known !== undefined) return known
    const made = createProjectStore(files, id)
    stores.set(id, made)
    return made
  }
}

/** The names of all verbs that read a project. They are made without a project, since that prepares no statement. */
const listReads = lazily(() => {
  using connection = new Connection(':memory:')
  return Object.keys(createProjectReads(connection)) as (keyof ProjectReads)[]
})

/**
 * The verbs of a project. Each opens the project's file if necessary. One that reads waits for its turn among the long
 * work of the process, so that callers which read one thing after another let others in.
 */
function createProjectStore(files: OpenFiles<OpenProject>, id: string): ProjectStore {
  const read = (verb: keyof ProjectReads) =>
    inTurn((...args: never[]) =>
      files.use(id, ({ reads }) => (reads[verb] as (...args: never[]) => Promise<unknown>)(...args)),
    )
  const reads = Object.fromEntries(listReads().map((verb) => [verb, read(verb)])) as unknown as ProjectReads
  return {
    ...reads,
    // Every commit empties the page cache of `reads`, and saves would read pages of the index from the file each time.
    // Nothing uncommitted is found by `writes` either: changes of the index are deferred to the commit.
    findPostings: (query) =>
      files.use(id, ({ reads, writes }) => (query.isForSave ? writes : reads).findPostings(query)),
    version: () => files.use(id, async ({ file }) => file.version()),
    scrub: (isStopped) => files.use(id, ({ file }) => scrub(file, isStopped)),
    write: (act) => files.use(id, ({ file, writes }) => file.writer.write(() => act(writes))),
  }
}
