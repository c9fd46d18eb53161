import { listAllProjects } from '../account/list-all-projects.ts'
import type { Means } from '../account/means.ts'
import type { ProjectStore, ProjectWrites } from '../store/project.ts'
import { toEntry } from './entry.ts'
import { RULES } from './words/analyse.ts'

/** Records taken up in one transaction, so that nobody waits longer than some 10 ms. */
const CHUNK = 50

const never = () => false

/**
 * Makes a project's index anew, while it is searched and written to; mends what the index and the rows disagree in. Begins again where
 * another making was under way. Returns how many records were taken up.
 */
export async function reindexProject(project: ProjectStore, isStopped: () => boolean = never): Promise<number> {
  await begin(project)
  const done = await goOn(project, isStopped)
  const { orphaned, miscounted } = await project.checkIndex()
  if (orphaned + miscounted > 0) await project.write((tx) => tx.sweepIndex())
  return done
}

/** Brings every index that other rules made up to the present ones. A project that cannot be opened is logged and passed over. */
export async function reindexOld(given: Pick<Means, 'store' | 'log'>, isStopped: () => boolean = never): Promise<void> {
  for (const { id, removedAt } of await listAllProjects(given)) {
    if (isStopped()) return
    if (removedAt !== null) continue
    try {
      const records = await bringUp(given.store.project(id), isStopped)
      if (records > 0) given.log('reindexed', { project: id, records })
    } catch (error) {
      given.log('reindex failed', { project: id, error: String(error) })
    }
  }
}

async function bringUp(project: ProjectStore, isStopped: () => boolean): Promise<number> {
  const state = await project.readIndexing()
  if (state === undefined || (state.rules === RULES && state.target === RULES)) return 0
  if (state.target !== RULES) await begin(project)
  return goOn(project, isStopped)
}

/** Until the end the old rules stay noted, so that a making cut short is gone on with. */
async function begin(project: ProjectStore): Promise<void> {
  await project.write(async (tx) => {
    await tx.saveIndexing({ rules: 0, target: RULES, reached: 0 })
    await tx.forgetTongues()
  })
}

async function goOn(project: ProjectStore, isStopped: () => boolean): Promise<number> {
  for (let done = 0; ; ) {
    const taken = isStopped() ? 0 : await project.write(takeUp)
    done += taken
    if (taken === 0) return done
  }
}

/** Nothing once an executable of other rules has begun a making of its own: what it reached is not what this one did. */
async function takeUp(tx: ProjectWrites): Promise<number> {
  const state = await tx.readIndexing()
  if (state?.target !== RULES) return 0
  const records = await tx.listRecords({ visible: undefined, afterSeq: state.reached, limit: CHUNK })
  for (const record of records) await tx.replaceEntry(record, toEntry(record.content))
  const last = records.at(-1)
  await tx.saveIndexing(last === undefined ? { rules: RULES, target: RULES, reached: 0 } : { rules: 0, target: RULES, reached: last.seq })
  return records.length
}
