import type { AppContext } from '../../account/context.ts'
import { listAllProjects } from '../../account/organizations/list-all-projects.ts'
import type { ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { IndexEntry, StoredRecord } from '../../store/record.ts'
import { ANALYZER_VERSION } from '../../text/analyzer.ts'
import { toEntryInSlices } from './index-entry.ts'

/** Records read at once. */
const BATCH_RECORDS = 50
/** Bytes of content whose entries are replaced in one transaction: some 5 ms, in which nobody else is served. */
const MAX_BATCH_BYTES = 128 * 1024

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
export async function reindexOld(given: AppContext, isStopped: () => boolean = never): Promise<void> {
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
  if (state === undefined || (state.rules === ANALYZER_VERSION && state.target === ANALYZER_VERSION)) return 0
  if (state.target !== ANALYZER_VERSION) await begin(project)
  return goOn(project, isStopped)
}

/** Until the end the old rules stay noted, so that a making cut short is gone on with. */
async function begin(project: ProjectStore): Promise<void> {
  await project.write(async (tx) => {
    await tx.saveIndexing({ rules: 0, target: ANALYZER_VERSION, reached: 0 })
    await tx.clearLanguages()
  })
}

async function goOn(project: ProjectStore, isStopped: () => boolean): Promise<number> {
  for (let done = 0; ; ) {
    const taken = isStopped() ? 0 : await takeUp(project)
    done += taken
    if (taken === 0) return done
  }
}

/**
 * Makes the entries of the next records anew. Returns how many; none at the end, and once an executable of other rules has begun a making of
 * its own: what it reached is not what this one did.
 */
async function takeUp(project: ProjectStore): Promise<number> {
  const state = await project.readIndexing()
  if (state?.target !== ANALYZER_VERSION) return 0
  const records = await project.listRecords({ visible: undefined, afterSeq: state.reached, limit: BATCH_RECORDS })
  if (records.length === 0) await project.write((tx) => goTo(tx, state.reached, { rules: ANALYZER_VERSION, reached: 0 }))
  let reached = state.reached
  for (const batch of toBatches(records)) {
    const entries: IndexEntry[] = []
    for (const { content } of batch) entries.push(await toEntryInSlices(content))
    const from = reached
    reached = batch.at(-1)?.seq ?? from
    await project.write((tx) => replaceAll(tx, { from, reached }, batch, entries))
  }
  return records.length
}

function toBatches(records: StoredRecord[]): StoredRecord[][] {
  const batches: StoredRecord[][] = []
  let bytes = MAX_BATCH_BYTES
  for (const record of records) {
    bytes += Buffer.byteLength(record.content)
    if (bytes > MAX_BATCH_BYTES) {
      batches.push([])
      bytes = Buffer.byteLength(record.content)
    }
    batches.at(-1)?.push(record)
  }
  return batches
}

/** Puts entries in their place, where those before them are done. A record that was forgotten or erased meanwhile has none. */
async function replaceAll(tx: ProjectWrites, way: Way, records: StoredRecord[], entries: IndexEntry[]): Promise<void> {
  if (!(await goTo(tx, way.from, { rules: 0, reached: way.reached }))) return
  for (const [at, entry] of entries.entries()) {
    const present = await tx.findRecord(undefined, records[at]?.id ?? '')
    if (present !== undefined) await tx.replaceEntry(present, entry)
  }
}

type Way = { from: number; reached: number }

/** Notes how far the making has come, if it is at `from` still. */
async function goTo(tx: ProjectWrites, from: number, { rules, reached }: { rules: number; reached: number }): Promise<boolean> {
  const state = await tx.readIndexing()
  if (state?.target !== ANALYZER_VERSION || state.reached !== from) return false
  await tx.saveIndexing({ rules, target: ANALYZER_VERSION, reached })
  return true
}
