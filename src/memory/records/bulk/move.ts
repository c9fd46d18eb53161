import { recordEventAlone } from '../../../account/audit/audit.ts'
import { type Actor, mayManage } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { limitsOf } from '../../../account/limits/plan.ts'
import { Refusal } from '../../../errors.ts'
import { maskCredentials } from '../../../secrets/credentials.ts'
import type { ProjectReads, ProjectWrites } from '../../../store/project.ts'
import type { RecordHead, StoredRecord, Visible } from '../../../store/record.ts'
import { passName } from '../../rejections/pass-credentials.ts'
import { toContentEntry } from '../../search/index/index-entry.ts'
import { audienceOf, authorizeMemory, type Memory, placeOf, type Scope } from '../../visibility.ts'
import { openWorkspace, requireWorkspaceById } from '../../workspaces/workspace.ts'
import { settleFurtherHeirs } from '../save/heirs.ts'
import { supersedeEarlier } from '../save/rivals.ts'
import { shorten } from '../text-argument.ts'
import { putInTrash } from '../trash/forget-record.ts'
import { bringBack, type Destination, openItsWorkspace, requireSameContent } from '../trash/restore.ts'

/** The workspace in which a record is, and who sees it. */
export type RecordPlace = Pick<StoredRecord, 'workspaceId' | 'audience'>

/**
 * A moved record, the name of its new workspace, where it was before, and the records that became current again there.
 */
type Moved = { record: StoredRecord; workspace: string; before: RecordPlace; returned: RecordHead[] }

/**
 * Moves a record into another workspace, which is made if needed; it keeps its id, its author and its times. It is as
 * if it were forgotten where it was and restored there: what it superseded is current again, and in the other workspace
 * the rules of its fact key hold.
 *
 * @throws Refusal for a record that does not exist, is in that workspace already or was saved there too, and for a
 * workspace that cannot be made or in whose name a credential stands.
 */
export async function moveRecord(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, workspace: name }: { projectId: string; id: string; workspace: string },
): Promise<Moved> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  await passName(ctx, actor, memory, { field: 'workspace', text: name })
  const moved = await moveFound(ctx, memory, id, name)
  const details = await toPlaces(memory, [moved.before], name)
  await recordEventAlone(ctx, actor, { act: 'record.move', ...placeOf(memory), target: id, details })
  return moved
}

/**
 * Where records were and where they are, for the audit log. Names of workspaces stand there only for records that
 * everybody of the project sees, since those of drafts and departments are hidden from some who read the log.
 */
export async function toPlaces({ records }: Memory, before: Iterable<RecordPlace>, to: string) {
  const [first, ...others] = new Set([...before].flatMap((one) => (one.audience === '*' ? [one.workspaceId] : [])))
  if (first === undefined) return {}
  const from = others.length === 0 ? (await requireWorkspaceById(records, first)).name : undefined
  return { ...(from !== undefined && { from: await maskCredentials(from) }), to: await maskCredentials(to) }
}

/** As `moveRecord`, for an actor who is already authorized, and without an audit event. */
export function moveFound(ctx: AppContext, memory: Memory, id: string, name: string): Promise<Moved> {
  const limits = limitsOf(memory.account)
  return relocate(ctx, memory, id, async (tx, { workspaceId, audience }) => {
    const workspace = await openWorkspace(tx, memory.visible, name, ctx.clock.now(), limits)
    if (workspace.id === workspaceId) throw new Refusal(`record '${id}' is in workspace '${name}' already`)
    return { workspace, audience }
  })
}

/**
 * Moves a record back to the place where it was. A workspace that was removed meanwhile is made again.
 *
 * @throws Refusal for a record that does not exist, has no such place, is in it already or was saved there too.
 */
export function moveBack(ctx: AppContext, memory: Memory, id: string, place: RecordPlace | undefined): Promise<Moved> {
  const context = { limits: limitsOf(memory.account), now: ctx.clock.now() }
  return relocate(ctx, memory, id, async (tx, { workspaceId, audience }) => {
    if (place === undefined || (place.workspaceId === workspaceId && place.audience === audience))
      throw new Refusal(`record '${id}' is there already`)
    const workspace = await openItsWorkspace(tx, memory.visible, place.workspaceId, context)
    return { workspace, audience: place.audience }
  })
}

/**
 * Moves a record to the place that `choose` says inside the write: it is as if it were forgotten where it was and
 * restored there.
 *
 * @throws Refusal for a record that does not exist or was saved there too, if credentials in its content are masked
 *   meanwhile, and what `choose` throws.
 */
export async function relocate(
  ctx: AppContext,
  { records, visible }: Memory,
  id: string,
  choose: (tx: ProjectWrites, found: StoredRecord) => Promise<Destination>,
): Promise<Moved> {
  const now = ctx.clock.now()
  // Analysed before the write, which blocks other saves.
  const read = await requireLive(records, visible, id)
  const entry = await toContentEntry(read)
  const { heirs, ...moved } = await records.write(async (tx) => {
    const found = await requireLive(tx, visible, id)
    requireSameContent(read, found)
    const destination = await choose(tx, found)
    const heirs = await putInTrash(tx, found, { now, byAssistant: false })
    const moved = await bringBack(tx, { ...found, supersededBy: null }, destination, entry, now)
    return { ...moved, heirs, before: found }
  })
  await supersedeEarlier(records, moved.record)
  return { ...moved, returned: await settleFurtherHeirs(records, id, now, heirs) }
}

async function requireLive(reads: ProjectReads, visible: Visible, id: string): Promise<StoredRecord> {
  const found = await reads.findRecord(visible, id)
  if (found === undefined) throw new Refusal(`no record '${shorten(id)}'`)
  return found
}

/** The actor may not give this scope to a record of somebody else. */
export class ForeignScope extends Refusal {}

/**
 * Changes who sees a record, for an actor who is authorized for its project, without an audit event. It is as if the
 * record were forgotten and restored with the other scope: its fact key is settled among those who see it then.
 *
 * @throws Refusal for a record that does not exist, has that scope already or was saved with it too, and for
 *   `department` without a department; ForeignScope for the record of somebody else, which owners and admins alone may
 *   give to everybody.
 */
export function changeScope(
  ctx: AppContext,
  memory: Memory,
  actor: Actor,
  { id, scope }: { id: string; scope: Scope },
): Promise<Moved> {
  return relocate(ctx, memory, id, async (tx, found) => {
    const isOwn = found.authorId === memory.author.authorId
    const mayShare =
      scope === 'shared' && (actor.kind !== 'member' ? memory.visible === undefined : mayManage(actor.member))
    if (!isOwn && !mayShare) throw new ForeignScope(`record '${id}' is somebody else's`)
    const audience = audienceOf(memory.author, scope)
    if (audience === found.audience) throw new Refusal(`record '${id}' has the scope '${scope}' already`)
    return { workspace: await requireWorkspaceById(tx, found.workspaceId), audience }
  })
}
