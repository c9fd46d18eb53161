import { eq } from 'drizzle-orm'
import type { ExpectedSave, ProjectReads, ProjectStore, ProjectWrites } from '../../project.ts'
import type { StoreEvents } from '../../store.ts'
import type { Connection } from '../connection.ts'
import type { Pool } from '../pool.ts'
import { createReadRun, type Run } from '../run.ts'
import { projectState } from '../schema/project.ts'
import { createWriter } from '../write.ts'
import { createConflicts, createRivals } from './facts.ts'
import { createForeseen } from './foreseen.ts'
import { createForeseenReads } from './foreseen-reads.ts'
import { createIndexChanges } from './index-changes.ts'
import { createIndexReads } from './index-upkeep.ts'
import { createInserts } from './inserts.ts'
import { createLatestReads } from './latest.ts'
import { createPostings, createVocabularyReads } from './postings.ts'
import { createRecordSources } from './record-sources.ts'
import { createRecords } from './records.ts'
import { createReleaseReads } from './releases.ts'
import { createSameReads } from './same.ts'
import type { Scope } from './scope.ts'
import { createScoringReads } from './scoring.ts'
import { createSourceReads, createStateReads } from './sources.ts'
import { lockState, type ProjectState, saveState } from './state.ts'
import { createStatisticsReads } from './statistics.ts'
import { createSupersededReads } from './superseded.ts'
import { createTrashReads } from './trash.ts'
import { createWorkspaceReads } from './workspaces.ts'
import type { WriteScope } from './write-scope.ts'
import { createProjectWrites } from './writes.ts'

/** The largest average content of a project that `listSmallProject` returns whole, in bytes. */
const MAX_AVERAGE_BYTES = 1_024

/** The verbs of one project. `requireProject` rejects with a Refusal where there is no such project. */
export function createProjectStore(pool: Pool, projectId: string, requireProject: () => Promise<void>, hooks: StoreEvents) {
  const read = createReadRun(pool, projectId)
  const run: Run = async (act) => {
    await requireProject()
    return read(act)
  }
  const changes = createIndexChanges(projectId)
  const inserts = createInserts()
  const foreseen = createForeseen(projectId)
  let isTogether = false
  let state: ProjectState | undefined
  const getState = () => {
    if (state === undefined) throw new Error('no write is under way')
    return state
  }
  const write = createWriter<ExpectedSave>(pool, projectId, {
    ...hooks,
    begin: async (connection, expected) => {
      changes.clear()
      inserts.clear()
      isTogether = expected !== undefined
      state = await lockState(connection, projectId)
      await foreseen.load(connection, expected ?? [])
    },
    mark: () => {
      const undoChanges = changes.mark()
      const before = { ...getState() }
      return () => {
        undoChanges()
        state = before
      }
    },
    end: async (connection) => {
      await inserts.flush(connection)
      await changes.flush(connection)
      await saveState(connection, projectId, getState())
    },
  })
  const store: ProjectStore = {
    ...createReads({ projectId, run }),
    version: () =>
      run(async ({ db }) => {
        const { version } = projectState
        return (await db.select({ version }).from(projectState).where(eq(projectState.projectId, projectId)))[0]?.version ?? 0
      }),
    write: async (act, saves) => {
      await requireProject()
      return write((connection) => act(createTx(connection)), saves)
    },
  }

  function createTx(connection: Connection): ProjectWrites {
    const read: Run = async (verb) => {
      await inserts.flush(connection)
      return verb(connection)
    }
    const flushed: Run = async (verb) => {
      await changes.flush(connection)
      return read(verb)
    }
    const change: Run = (verb) => {
      foreseen.clear()
      return read(verb)
    }
    const scope = { projectId, run: read }
    const writing: WriteScope = { projectId, run: change, keep: read, state: getState, changes, foreseen, ...(isTogether && { inserts }) }
    const reads = createReads(scope)
    return {
      ...reads,
      ...createFlushedReads({ projectId, run: flushed }),
      ...readState(getState),
      ...createProjectWrites(writing),
      ...createForeseenReads(foreseen, reads, createSameReads(scope)),
    }
  }

  return store
}

/** What a write knows of the locked row, which it changes in memory. */
function readState(state: () => ProjectState): Pick<ProjectReads, 'readUsage' | 'readIndexing'> {
  return {
    readUsage: async () => {
      const { records, contentBytes, saveSequence } = state()
      return { records, contentBytes, saveSequence }
    },
    readIndexing: async () => {
      const { rules, target, reached } = state()
      return rules === null ? undefined : { rules, target: target ?? 0, reached: reached ?? 0 }
    },
  }
}

/** Reads of what a write changes only before its end: in a write, that is done first. */
function createFlushedReads(scope: Scope) {
  const { readAudienceStats, checkIndex } = createIndexReads(scope)
  const { listWorkspaces, isWrittenFor } = createWorkspaceReads(scope)
  return {
    listWorkspaces,
    isWrittenFor,
    ...createPostings(scope),
    ...createVocabularyReads(scope),
    readAudienceStats,
    checkIndex,
  }
}

function createReads(scope: Scope): ProjectReads {
  const records = createRecords(scope)
  const readUsage: ProjectReads['readUsage'] = () =>
    scope.run(async ({ db }) => {
      const { records: count, contentBytes, saveSequence } = projectState
      const [row] = await db
        .select({ records: count, contentBytes, saveSequence })
        .from(projectState)
        .where(eq(projectState.projectId, scope.projectId))
      return row ?? { records: 0, contentBytes: 0, saveSequence: 0 }
    })
  return {
    ...createWorkspaceReads(scope),
    ...records,
    ...createLatestReads(scope),
    ...createTrashReads(scope),
    ...createRivals(scope),
    ...createConflicts(scope),
    ...createSourceReads(scope),
    ...createStateReads(scope),
    ...createStatisticsReads(scope),
    ...createSupersededReads(scope),
    ...createPostings(scope),
    ...createVocabularyReads(scope),
    ...createScoringReads(scope),
    ...createRecordSources(scope),
    ...createIndexReads(scope),
    ...createReleaseReads(scope),
    readUsage,
    listSmallProject: async (most) => {
      const usage = await readUsage()
      const isSmall = usage.records <= most && usage.contentBytes <= most * MAX_AVERAGE_BYTES
      return isSmall ? records.listRecords({ visible: undefined }) : undefined
    },
  }
}
