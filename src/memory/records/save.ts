import type { Limits } from '../../account/limits/plan.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { NewRecord, StoredRecord } from '../../store/record.ts'
import { openWorkspace } from '../workspaces/workspace.ts'
import type { Draft } from './draft.ts'
import { type Met, meetRivals, supersedeAll, supersedeSome, toMet, type Yielding } from './rivals.ts'
import { findSame, type Scanned, writeKnowingSame } from './same.ts'

/** What became of a save: the record it made or found, and the records it met. */
export type Saved = { record: StoredRecord; created: boolean; superseded: Met; conflicts: Met }

/** What gives way to a save: a verified record stays beside it. */
export const UNVERIFIED: Yielding = { statuses: ['unverified'] }

/**
 * Saves inside a write. Throws `TooManyAlike` where `scanned` is given and more records have this content than can be looked at there. The same again finds the record that is there; a given fact key supersedes what it named before, of very many
 * records some: `supersedeRest` has the others.
 */
export async function save(tx: ProjectWrites, { workspace: name, ...draft }: Draft, limits: Limits, scanned?: Scanned): Promise<Saved> {
  const workspace = await openWorkspace(tx, name, draft.createdAt, limits)
  const record: NewRecord = { ...draft, workspaceId: workspace.id }
  const same = await findSame(tx, record, record.createdAt, scanned)
  const saved = same === undefined ? await saveNew(tx, record, limits) : await saveAgain(tx, same, record)
  if (record.sourceId !== null && record.sourceHash !== null) {
    await tx.saveSourceHash(record.workspaceId, record.sourceId, record.audience, record.sourceHash)
  }
  return saved
}

/** Saves in a write of its own. However many records have this content, nobody waits long. */
export function saveApart(project: ProjectStore, draft: Draft, limits: Limits): Promise<Saved> {
  return writeKnowingSame(project, draft.createdAt, (tx, scanned) => save(tx, draft, limits, scanned))
}

/** Saves inside one write, for a process that answers nobody else. */
export async function saveWhole(tx: ProjectWrites, draft: Draft, limits: Limits): Promise<Saved> {
  const saved = await save(tx, draft, limits)
  if (saved.created) await supersedeAll(tx, saved.record, UNVERIFIED)
  return saved
}

/** A repeated save makes no record; an expiry it names holds from now on. */
async function saveAgain(tx: ProjectWrites, same: StoredRecord, { expiresAt }: NewRecord): Promise<Saved> {
  if (expiresAt !== null && expiresAt !== same.expiresAt) await tx.updateRecord(same.id, { expiresAt })
  return { record: same, created: false, superseded: toMet([]), conflicts: await meetRivals(tx, same, 'verified') }
}

async function saveNew(tx: ProjectWrites, record: NewRecord, limits: Limits): Promise<Saved> {
  await requireRoom(tx, record.content, limits)
  const superseded = toMet(await supersedeSome(tx, record, UNVERIFIED))
  const conflicts = await meetRivals(tx, record, 'verified')
  return { record: await tx.insertRecord(record), created: true, superseded, conflicts }
}

/** Throws a Refusal when the record would take the project beyond its plan. */
export async function requireRoom(tx: ProjectWrites, content: string, limits: Limits): Promise<void> {
  const { records, contentBytes } = await tx.readUsage()
  const fits = records + 1 <= limits.records && contentBytes + Buffer.byteLength(content, 'utf8') <= limits.contentBytes
  if (!fits) throw new Refusal('project memory limit exceeded')
}
