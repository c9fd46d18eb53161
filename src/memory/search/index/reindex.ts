import { type AppContext, logFailure } from '../../../account/context.ts'
import { listAllProjects } from '../../../account/organizations/project.ts'
import type { ProjectReads, ProjectStore, ProjectWrites } from '../../../store/project.ts'
import { type IndexEntry, phrasesOf, type StoredRecord } from '../../../store/record.ts'
import type { IndexPart } from '../../../store/search.ts'
import { ANALYZER_VERSION } from '../../../text/analyzer.ts'
import { toContentEntry, withPhrases } from './index-entry.ts'

/** Records read at once. */
const BATCH_RECORDS = 50
/**
 * Bytes of content whose entries are replaced in one transaction, which blocks other writes of the project for about 5
 * ms.
 */
const MAX_BATCH_BYTES = 128 * 1024

const never = () => false

/**
 * Rebuilds a project's index while it is searched and written to, and repairs differences between index and rows.
 * Starts from the beginning even if an earlier rebuild was interrupted. Returns how many records it indexed.
 */
export async function reindexProject(project: ProjectStore, isStopped: () => boolean = never): Promise<number> {
  await startRebuild(project)
  const indexed = await continueRebuild(project, isStopped)
  const { orphaned, miscounted, sound } = await project.checkIndex()
  if (!sound || orphaned + miscounted > 0) await sweep(project)
  return indexed
}

/** Sweeps the index from a part on, each in a write of its own, so that others need not wait for all of it. */
async function sweep(project: ProjectStore, part?: IndexPart): Promise<void> {
  const next = await project.write((tx) => tx.sweepIndex(part))
  if (next !== undefined) await sweep(project, next)
}

/**
 * Rebuilds every index that was made by another version of the analyzer. A project that fails is logged and skipped.
 */
export async function reindexOld(ctx: AppContext, isStopped: () => boolean = never): Promise<void> {
  for (const { id } of await listAllProjects(ctx, { removedAt: null })) {
    if (isStopped()) return
    try {
      const records = await bringUpToDate(ctx.store.project(id), isStopped)
      if (records > 0) ctx.log('reindexed', { project: id, records })
    } catch (error) {
      logFailure(ctx, 'reindex failed', id, error)
    }
  }
}

const readIndexing = async (project: ProjectReads) => (await project.readIndexFacts([], undefined)).indexing

async function bringUpToDate(project: ProjectStore, isStopped: () => boolean): Promise<number> {
  const state = await readIndexing(project)
  if (state === undefined || (state.rules === ANALYZER_VERSION && state.target === ANALYZER_VERSION)) return 0
  if (state.target !== ANALYZER_VERSION) await startRebuild(project)
  return continueRebuild(project, isStopped)
}

/** The index has version 0 until the rebuild ends, so that an interrupted one is continued at the next start. */
async function startRebuild(project: ProjectStore): Promise<void> {
  await project.write((tx) => tx.saveIndexing({ rules: 0, target: ANALYZER_VERSION, reached: 0 }))
}

async function continueRebuild(project: ProjectStore, isStopped: () => boolean): Promise<number> {
  for (let total = 0; ; ) {
    const indexed = isStopped() ? 0 : await indexNext(project)
    total += indexed
    if (indexed === 0) return total
  }
}

/**
 * Indexes the next records and returns how many. Returns 0 at the end, and if an executable with another version of the
 * analyzer has started a rebuild, whose progress says nothing about this one.
 */
async function indexNext(project: ProjectStore): Promise<number> {
  const state = await readIndexing(project)
  if (state?.target !== ANALYZER_VERSION) return 0
  const records = await project.listRecords({ visible: undefined, afterSeq: state.reached, limit: BATCH_RECORDS })
  if (records.length === 0)
    await project.write((tx) => saveProgress(tx, state.reached, { rules: ANALYZER_VERSION, reached: 0 }))
  let reached = state.reached
  for (const batch of toBatches(records)) {
    const entries: IndexEntry[] = []
    for (const record of batch) entries.push(await toContentEntry(record))
    const from = reached
    reached = batch.at(-1)?.seq ?? from
    await project.write((tx) => replaceEntries(tx, { from, reached }, batch, entries))
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

type Progress = { from: number; reached: number }

/**
 * Replaces the entries of a batch if the rebuild has reached exactly its first record. Skips records that were
 * forgotten or erased meanwhile, and those in whose content a credential was masked, which have a new entry.
 */
async function replaceEntries(
  tx: ProjectWrites,
  { from, reached }: Progress,
  records: StoredRecord[],
  entries: IndexEntry[],
): Promise<void> {
  if (!(await saveProgress(tx, from, { rules: 0, reached }))) return
  for (const [at, entry] of entries.entries()) {
    const present = await tx.findRecord(undefined, records[at]?.id ?? '')
    if (present !== undefined && present.content === records[at]?.content)
      await tx.replaceEntry(present, withPhrases(entry, phrasesOf(present)))
  }
}

/**
 * Saves the progress if the rebuild is still one of this analyzer and stands at record `from`. Returns whether it was
 * saved.
 */
async function saveProgress(
  tx: ProjectWrites,
  from: number,
  { rules, reached }: { rules: number; reached: number },
): Promise<boolean> {
  const state = await readIndexing(tx)
  if (state?.target !== ANALYZER_VERSION || state.reached !== from) return false
  await tx.saveIndexing({ rules, target: ANALYZER_VERSION, reached })
  return true
}
