import { recordEventAlone } from '../../../account/audit/audit.ts'
import type { Actor } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { type Limits, limitsOf } from '../../../account/limits/plan.ts'
import { Refusal } from '../../../errors.ts'
import type { ProjectReads, ProjectWrites } from '../../../store/project.ts'
import {
  type Audience,
  bytesOf,
  type IndexEntry,
  phrasesOf,
  type StoredRecord,
  type Visible,
} from '../../../store/record.ts'
import type { Workspace } from '../../../store/workspace.ts'
import { toContentEntry, withPhrases } from '../../search/index/index-entry.ts'
import { authorizeMemory, type Memory, placeOf } from '../../visibility.ts'
import { openWorkspace, requireWorkspaceById } from '../../workspaces/workspace.ts'
import { requireAnyRecord } from '../lists/list-records.ts'
import { settle, statusOf, supersedeEarlier } from '../save/rivals.ts'
import { requireRoom } from '../save/room.ts'

/** The destination has an identical record. */
export class SavedAgain extends Refusal {}

/** A restored record, and the name of its workspace. */
export type Restored = { record: StoredRecord; workspace: string }

/**
 * Restores a forgotten record into its workspace; if that was removed, into the active workspace of the same name,
 * which is created if needed. It supersedes again what became current when it was forgotten, and is superseded by a
 * record that took its fact key meanwhile.
 *
 * @throws Refusal for a record that does not exist, is not forgotten or was saved again meanwhile, and if the project
 *   is full.
 */
export async function restoreRecord(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<Restored> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const restored = await restoreFound(ctx, memory, id)
  await recordEventAlone(ctx, actor, { act: 'record.restore', ...placeOf(memory), target: id })
  return restored
}

/** As `restoreRecord`, for an actor who is already authorized, and without an audit event. */
export async function restoreFound(
  ctx: AppContext,
  { account, records, visible }: Memory,
  id: string,
): Promise<Restored> {
  // Analysed before the write, which blocks other saves.
  const read = await requireForgotten(records, visible, id)
  const entry = await toContentEntry(read)
  const context = { limits: limitsOf(account), now: ctx.clock.now() }
  const restored = await records.write(async (tx) => {
    const forgotten = await requireForgotten(tx, visible, id)
    requireSameContent(read, forgotten)
    await requireRoom(tx, { records: 1, contentBytes: bytesOf(forgotten) }, context.limits)
    const workspace = await openItsWorkspace(tx, visible, forgotten.workspaceId, context)
    return bringBack(tx, forgotten, { workspace, audience: forgotten.audience }, entry, context.now)
  })
  await supersedeEarlier(records, restored.record)
  return restored
}

/**
 * Inside a write, before the index gets an entry of a content that was read before it: only masking credentials changes
 * a content, and the index must not get them again.
 *
 * @throws Refusal if the content has changed.
 */
export function requireSameContent(read: StoredRecord, present: StoredRecord): void {
  if (read.content !== present.content) throw new Refusal(`record '${read.id}' was changed just now; try again`)
}

/** @throws Refusal for a record that does not exist or is not forgotten. */
async function requireForgotten(reads: ProjectReads, visible: Visible, id: string): Promise<StoredRecord> {
  const found = await requireAnyRecord(reads, visible, id)
  if (found.forgottenAt === null) throw new Refusal(`record '${id}' is not forgotten`)
  return found
}

/** The plan's limits, and the time of the act in milliseconds since 1970. */
type RestoreContext = { limits: Limits; now: number }

/** Where a record is restored to, and who sees it there. */
export type Destination = { workspace: Workspace; audience: Audience }

/**
 * Restores a forgotten record to a destination, inside a write; whether it is superseded there is decided again.
 * `entry` is the index entry of the record's content.
 *
 * @throws SavedAgain if the record was saved again there meanwhile.
 */
export async function bringBack(
  tx: ProjectWrites,
  forgotten: StoredRecord,
  { workspace, audience }: Destination,
  entry: IndexEntry,
  now: number,
): Promise<Restored> {
  const moved = { ...forgotten, workspaceId: workspace.id, audience, forgottenAt: null }
  const again = await tx.findSame(moved, now)
  if (again !== undefined) throw new SavedAgain(`record '${forgotten.id}' was saved again meanwhile, as '${again.id}'`)
  await tx.restoreRecord(moved.id, moved, withPhrases(entry, phrasesOf(moved)))
  await tx.updateRecord(moved.id, { status: statusOf(moved), supersededBy: null, needsReview: false })
  const standing = await settle(tx, moved)
  await copySourceState(tx, forgotten, moved)
  return { record: { ...moved, ...standing, needsReview: false }, workspace: workspace.name }
}

/** The workspace of this number; if it was removed, the active one of its name, which is made if needed. */
export async function openItsWorkspace(
  tx: ProjectWrites,
  visible: Visible,
  id: number,
  { limits, now }: RestoreContext,
): Promise<Workspace> {
  const workspace = await requireWorkspaceById(tx, id)
  return workspace.removedAt === null ? workspace : openWorkspace(tx, visible, workspace.name, now, limits)
}

/**
 * Copies the current hash of a record's source to its destination, unless there is one already, so that the record
 * stays as fresh as it was.
 */
async function copySourceState(tx: ProjectWrites, from: StoredRecord, to: StoredRecord): Promise<void> {
  const { sourceId } = from
  if (sourceId === null || (from.workspaceId === to.workspaceId && from.audience === to.audience)) return
  const placeOf = ({ workspaceId, audience }: StoredRecord) => ({ workspaceId, audience, sourceId })
  const [known, present] = await tx.findSourceStates([placeOf(from), placeOf(to)])
  if (known === undefined || present !== undefined) return
  await tx.saveSourceState(placeOf(to), known)
}

type Input = { projectId: string; id: string }

/**
 * Removes a verified record that an assistant forgot from the review queue: a person agrees that it stays forgotten.
 *
 * @throws Refusal for a record that does not exist or is not forgotten.
 */
export function acceptForgetting(ctx: AppContext, actor: Actor, input: Input): Promise<void> {
  return setNeedsReview(ctx, actor, input, { act: 'record.leave', needsReview: false })
}

/**
 * Undoes `acceptForgetting`: the record is in the review queue again.
 *
 * @throws Refusal for a record that does not exist, is not forgotten or was not verified.
 */
export function returnToReview(ctx: AppContext, actor: Actor, input: Input): Promise<void> {
  return setNeedsReview(ctx, actor, input, { act: 'record.unleave', needsReview: true })
}

type Change = { act: string; needsReview: boolean }

async function setNeedsReview(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: Input,
  { act, needsReview }: Change,
): Promise<void> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  await memory.records.write(async (tx) => {
    const { status } = await requireForgotten(tx, memory.visible, id)
    if (needsReview && status !== 'verified')
      throw new Refusal('only a verified record that was forgotten waits for a review')
    await tx.updateRecord(id, { needsReview })
  })
  await recordEventAlone(ctx, actor, { act, ...placeOf(memory), target: id })
}
