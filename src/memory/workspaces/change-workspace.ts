import { recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, requireManager } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { maskCredentials } from '../../secrets/credentials.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { Workspace } from '../../store/workspace.ts'
import { toComparableKey } from '../../text/comparable.ts'
import { relocate } from '../records/bulk/move.ts'
import { forgetFound } from '../records/trash/forget-record.ts'
import { SavedAgain } from '../records/trash/restore.ts'
import { passName } from '../rejections/pass-credentials.ts'
import { authorizeMemory, type Memory, placeOf } from '../visibility.ts'
import {
  findInAnyCase,
  isSharedWorkspace,
  requireWorkspace,
  requireWorkspaceById,
  requireWorkspaceName,
} from './workspace.ts'

/**
 * Gives a workspace another name, for an actor who manages the account. Its records, with their ids, stay in it.
 *
 * @throws Refusal for an actor who does not manage the account, for a workspace that is not active for them, and for a
 * name that is invalid, taken, or contains a credential.
 */
export async function renameWorkspace(
  ctx: AppContext,
  actor: Actor,
  { projectId, name, newName }: { projectId: string; name: string; newName: string },
): Promise<void> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  requireManager(actor, memory.account.id)
  requireWorkspaceName(newName, 'new_name')
  await passName(ctx, actor, memory, { field: 'new_name', text: newName })
  const sharedName = await memory.records.write(async (tx) => {
    const { id, name: before } = await requireWorkspace(tx, memory.visible, name)
    const other = await findInAnyCase(tx, memory.visible, newName)
    if (other !== undefined && other.id !== id)
      throw new Refusal(`there is a workspace '${other.name}' already; merge the two`, 'new_name')
    await tx.updateWorkspace(id, { name: newName })
    return (await isSharedWorkspace(tx, newName)) && before
  })
  // As in the audit event of a removal.
  const named = sharedName
    ? { target: await maskCredentials(sharedName), details: { new_name: await maskCredentials(newName) } }
    : { target: null }
  await recordEventAlone(ctx, actor, { act: 'workspace.rename', ...placeOf(memory), ...named })
}

/** Number of moved records, and of those that the other workspace had already, which were forgotten. */
type Merged = { moved: number; there: number }

type Merge = { projectId: string; name: string; into: string }

/** Records moved or forgotten at a time; the store groups their writes into transactions. */
export const BATCH_RECORDS = 16

/**
 * Moves all records of a workspace into another one, whoever may see them, for an actor who manages the account; then
 * removes it. Records keep ids, authors and times, and which of them are current is as if all had been saved into one
 * workspace in their order. What is forgotten in the first stays in the trash. If it ends early, the rest is still in
 * the first workspace, and it can be called again.
 *
 * @throws Refusal for an actor who does not manage the account, and for workspaces that are not active for them or the
 *   same one.
 */
export async function mergeWorkspaces(
  ctx: AppContext,
  actor: Actor,
  { projectId, name, into }: Merge,
): Promise<Merged> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  requireManager(actor, memory.account.id)
  const { records, visible } = memory
  const [from, to] = [await requireWorkspace(records, visible, name), await requireWorkspace(records, visible, into)]
  if (from.id === to.id) throw new Refusal(`'${name}' and '${into}' are the same workspace`, 'workspace')
  const isShared = (await isSharedWorkspace(records, from.name)) && (await isSharedWorkspace(records, to.name))
  const merged: Merged = { moved: 0, there: 0 }
  try {
    while (!(await removeIfEmpty(ctx, memory, from)))
      await moveBatch(ctx, { ...memory, visible: undefined }, from, to, merged)
  } finally {
    // As in the audit event of a removal: names of workspaces without shared records are hidden from those who read the
    // log.
    const details = { ...(isShared && { into: await maskCredentials(to.name) }), ...merged }
    const target = isShared ? await maskCredentials(from.name) : null
    await recordEventAlone(ctx, actor, { act: 'workspace.merge', ...placeOf(memory), target, details })
  }
  return merged
}

const listSome = (from: Workspace, limit: number) => ({ visible: undefined, workspaceId: from.id, limit })

/** Removes a workspace that has no records left. Decided inside the write, since others may save into it meanwhile. */
function removeIfEmpty({ clock }: AppContext, { records }: Memory, from: Workspace): Promise<boolean> {
  return records.write(async (tx) => {
    if ((await tx.listRecords(listSome(from, 1))).length > 0) return false
    await tx.updateWorkspace(from.id, { removedAt: clock.now() })
    return true
  })
}

/** Records of one fact are moved in the order in which they were saved, each after what it superseded. */
async function moveBatch(
  ctx: AppContext,
  memory: Memory,
  from: Workspace,
  to: Workspace,
  merged: Merged,
): Promise<void> {
  const batch = await memory.records.listRecords(listSome(from, BATCH_RECORDS))
  const facts = Map.groupBy(batch, ({ factKey }) => toComparableKey(factKey)).values()
  const moves = [...facts].map(async (records) => {
    for (const { id } of records) await moveOne(ctx, memory, id, { from, to }, merged)
  })
  // If one fails, the others may still succeed, and the audit event counts them.
  await Promise.allSettled(moves)
  await Promise.all(moves)
}

/** Moves a record, or forgets it if it is there already; nothing if somebody moved or forgot it meanwhile. */
async function moveOne(
  ctx: AppContext,
  memory: Memory,
  id: string,
  { from, to }: { from: Workspace; to: Workspace },
  merged: Merged,
): Promise<void> {
  const findLeft = async (reads: ProjectReads) => {
    const head = await reads.findHead(undefined, id)
    return head?.workspaceId === from.id ? head : undefined
  }
  try {
    await relocate(ctx, memory, id, async (tx, { workspaceId, audience }) => {
      if (workspaceId !== from.id) throw new Refusal(`record '${id}' was moved meanwhile`)
      return { workspace: await requireLiving(tx, to), audience }
    })
    merged.moved += 1
  } catch (error) {
    if (error instanceof SavedAgain) {
      const gone = await forgetFound(memory.records, findLeft, { now: ctx.clock.now(), byAssistant: false })
      if (gone !== undefined) merged.there += 1
    } else if ((await findLeft(memory.records)) !== undefined) throw error
  }
}

/** @throws Refusal if the workspace was removed meanwhile. */
async function requireLiving(reads: ProjectReads, { id, name }: Workspace): Promise<Workspace> {
  const workspace = await requireWorkspaceById(reads, id)
  if (workspace.removedAt !== null) throw new Refusal(`workspace '${name}' was removed meanwhile`)
  return workspace
}
