import type { AppContext } from '../../account/context.ts'
import { type Limits, limitsOf } from '../../account/limits/plan.ts'
import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import type { ProjectReads, ProjectWrites } from '../../store/project.ts'
import type { IndexEntry, StoredRecord, Visible } from '../../store/record.ts'
import type { Workspace } from '../../store/workspace.ts'
import { toEntryInSlices } from '../search/index-entry.ts'
import { openWorkspace } from '../workspaces/workspace.ts'
import { shorten } from './require-text.ts'
import { findSame, type Scanned, writeKnowingSame } from './same.ts'
import { requireRoom } from './save.ts'
import { settle, supersedeOlder } from './settle.ts'

/** Where a record is to come back, and whose records may be seen by whoever asks. */
type Place = { account: Account; projectId: string; visible: Visible }

/** A record that is back, and the workspace it is in. */
export type Restored = { record: StoredRecord; workspace: string }

/**
 * Brings a forgotten record back: into its workspace or, when that was removed, into the one of that name, made if needed. A newer record that took
 * its given fact key meanwhile supersedes it. Throws a Refusal for a record that is not there, not forgotten or
 * saved again meanwhile, and for a project that is full.
 */
export async function restoreRecord({ store, clock }: AppContext, place: Place, id: string): Promise<Restored> {
  const limits = limitsOf(place.account)
  const project = store.project(place.projectId)
  // Before the write, which holds up everybody else: a record's content never changes.
  const entry = await toEntryInSlices((await requireForgotten(project, place.visible, id)).content)
  const now = clock.now()
  const restored = await writeKnowingSame(project, now, async (tx, scanned) =>
    bringBack(tx, await requireForgotten(tx, place.visible, id), entry, { limits, now, scanned }),
  )
  await supersedeOlder(project, restored.record)
  return restored
}

async function requireForgotten(tx: ProjectReads, visible: Visible, id: string): Promise<StoredRecord> {
  const found = await tx.findRecord(visible, id, { forgotten: true })
  if (found === undefined) throw new Refusal(`no record '${shorten(id)}'`)
  if (found.forgottenAt === null) throw new Refusal(`record '${id}' is not forgotten`)
  return found
}

type Given = { limits: Limits; now: number; scanned: Scanned | undefined }

async function bringBack(
  tx: ProjectWrites,
  forgotten: StoredRecord,
  entry: IndexEntry,
  { limits, now, scanned }: Given,
): Promise<Restored> {
  await requireRoom(tx, forgotten.content, limits)
  const workspace = await openItsWorkspace(tx, forgotten.workspaceId, now, limits)
  const moved = { ...forgotten, workspaceId: workspace.id, forgottenAt: null }
  const again = await findSame(tx, moved, now, scanned)
  if (again !== undefined) throw new Refusal(`record '${forgotten.id}' was saved again meanwhile, as '${again.id}'`)
  const record = { ...moved, ...(await settle(tx, moved)) }
  await tx.restoreRecord(record.id, workspace.id, entry)
  await tx.updateRecord(record.id, { status: record.status, supersededBy: record.supersededBy })
  await takeSourceAlong(tx, forgotten, workspace.id)
  return { record, workspace: workspace.name }
}

async function openItsWorkspace(tx: ProjectWrites, id: number, now: number, limits: Limits): Promise<Workspace> {
  const workspace = await tx.findWorkspaceById(id)
  if (workspace === undefined) throw new Error(`no row of workspace ${id}`)
  return workspace.removedAt === null ? workspace : openWorkspace(tx, workspace.name, now, limits)
}

/** Another workspace that knows nothing of the record's source learns what the old one knew, so that the record is as fresh as it was. */
async function takeSourceAlong(tx: ProjectWrites, { sourceId, audience, workspaceId: from }: StoredRecord, to: number): Promise<void> {
  if (sourceId === null || from === to) return
  const known = await tx.findSourceState(from, audience, sourceId)
  if (known === undefined || (await tx.findSourceState(to, audience, sourceId)) !== undefined) return
  await tx.saveSourceHash(to, sourceId, audience, known.hash)
}
