import type { Limits } from '../../account/limits/plan.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectReads, ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { NewRecord, RecordHead, StoredRecord } from '../../store/record.ts'
import { openWorkspace } from '../workspaces/workspace.ts'
import type { Draft } from './draft.ts'
import { isOutdated } from './freshness.ts'
import { type MetRivals, readRivals, supersedeAll, supersedeRest, supersedeSome, UNVERIFIED } from './rivals.ts'

/** A save: the record that it made or found, the rivals that it superseded, and verified ones that contradict it. */
export type Saved = { record: StoredRecord; created: boolean; superseded: MetRivals; conflicts: MetRivals }

/** Saves in a write of its own; of very many rivals most are superseded in further writes. */
export async function saveDraft(project: ProjectStore, draft: Draft, limits: Limits): Promise<Saved> {
  const { superseded, ...saved } = await project.write((tx) => save(tx, draft, limits))
  return { ...saved, superseded: await supersedeRest(project, saved.record, UNVERIFIED, superseded) }
}

/** Saves inside one write and supersedes every rival there, however long that takes: for an import. */
export async function saveWhole(tx: ProjectWrites, draft: Draft, limits: Limits): Promise<Pick<Saved, 'record' | 'created'>> {
  const findLive: FindSame = async (said, now) => (await tx.listSame(said)).find((same) => !isOutdated(same, now))
  const { record, created } = await save(tx, draft, limits, findLive)
  if (created) await supersedeAll(tx, record, UNVERIFIED)
  return { record, created }
}

type FindSame = ProjectWrites['findSame']

/**
 * Saves inside a write. A live record that is the same save is found instead of a second one made. A given fact key supersedes its rivals, of very many
 * the first; `supersedeRest` supersedes the others after the write.
 *
 * @throws Refusal for a workspace that cannot be made and for a project that is full.
 */
async function save(tx: ProjectWrites, { workspace: name, ...draft }: Draft, limits: Limits, findSame: FindSame = tx.findSame) {
  const workspace = await openWorkspace(tx, name, draft.createdAt, limits)
  const record: NewRecord = { ...draft, workspaceId: workspace.id }
  const same = await findSame(record, record.createdAt)
  const saved = same === undefined ? await saveNew(tx, record, limits) : await saveAgain(tx, { ...same, content: record.content }, record)
  if (record.sourceId !== null && record.sourceHash !== null) {
    await tx.saveSourceHash(record.workspaceId, record.sourceId, record.audience, record.sourceHash)
  }
  return { ...saved, conflicts: await readRivals(tx, saved.record, 'verified') }
}

/** A repeated save makes no record. An expiry that it names replaces the record's. */
async function saveAgain(tx: ProjectWrites, same: StoredRecord, { expiresAt }: NewRecord) {
  if (expiresAt !== null && expiresAt !== same.expiresAt) await tx.updateRecord(same.id, { expiresAt })
  return { record: same, created: false, superseded: [] as RecordHead[] }
}

async function saveNew(tx: ProjectWrites, record: NewRecord, limits: Limits) {
  await requireRoom(tx, record.content, limits)
  const superseded = await supersedeSome(tx, record, UNVERIFIED)
  return { record: await tx.insertRecord(record), created: true, superseded }
}

/** @throws Refusal where one more record of this content would take the project beyond its plan. */
export async function requireRoom(reads: ProjectReads, content: string, limits: Limits): Promise<void> {
  const { records, contentBytes } = await reads.readUsage()
  const fits = records + 1 <= limits.records && contentBytes + Buffer.byteLength(content, 'utf8') <= limits.contentBytes
  if (!fits) throw new Refusal('project memory limit exceeded')
}
