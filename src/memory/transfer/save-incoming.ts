import type { Limits } from '../../account/limits/plan.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectStore, ProjectWrites } from '../../store/project.ts'
import { bytesOf, type SourceState, type StoredRecord, type Visible } from '../../store/record.ts'
import type { Draft } from '../records/save/draft.ts'
import {
  findLaterRival,
  hasEarlierRivals,
  MAX_SETTLED_AT_ONCE,
  settle,
  statusOf,
  supersedeEarlier,
} from '../records/save/rivals.ts'
import { requireRoom } from '../records/save/room.ts'
import { save } from '../records/save/save.ts'
import { findInAnyCase, openWorkspace } from '../workspaces/workspace.ts'
import type { IncomingRecord } from './entry.ts'

/**
 * Outcome of an imported record. `there`: it already exists; `forgotten`: it exists but was forgotten, and stays so.
 * `id` is the record of the project that it stands for from now on. `unsettled` is the record if the write left rivals
 * that it supersedes: `supersedeEarlier` continues after the write. `beforeSeq`, if set, is for the next line with the
 * same identity. `pending` is for `settlePending`, after the last line.
 */
export type Imported = {
  outcome: 'saved' | 'there' | 'forgotten'
  id: string
  unsettled?: StoredRecord
  beforeSeq?: number
  pending?: Pending
}

/**
 * A record about which later lines may decide: a new one that was current in the file, while one of later rank is here,
 * or a current one that is here and was superseded in the file, by the record `supersededBy`.
 */
export type Pending = { id: string; supersededBy: string | null }

/**
 * `beforeSeq`: earlier lines of the import with the same identity stand for the outdated records from this number on.
 * What is not `visible` to the importer must not be revealed.
 */
type Import = { beforeSeq: number | undefined; limits: Limits; visible: Visible }

/**
 * Saves an imported record inside a write.
 *
 * @throws Refusal for a record that cannot be saved.
 */
export function saveIncoming(tx: ProjectWrites, incoming: IncomingRecord, context: Import): Promise<Imported> {
  if (incoming.hasId) return saveAsItWas(tx, incoming, context)
  return canBeOutdated(incoming.draft)
    ? saveUnlessOutdated(tx, incoming.draft, context)
    : saveDraft(tx, incoming.draft, context)
}

/**
 * Whether a record can be superseded or expire. Then an outdated record may have the same content, and `beforeSeq`
 * matters.
 */
export const canBeOutdated = ({ factKeyGiven, expiresAt }: Draft) => factKeyGiven || expiresAt !== null

async function saveDraft(tx: ProjectWrites, draft: Draft, { limits, visible }: Import): Promise<Imported> {
  const { record, created, superseded } = await save(tx, visible, draft, limits)
  const imported: Imported = { outcome: created ? 'saved' : 'there', id: record.id }
  // Ranked by the time of this save: an identical record whose key is given only now supersedes rivals that are newer
  // than itself.
  return superseded.length < MAX_SETTLED_AT_ONCE
    ? imported
    : { ...imported, unsettled: { ...record, createdAt: draft.createdAt } }
}

/**
 * `remember` makes a superseded fact current when it is saved again. Importing the same file again must not: an
 * outdated record with the same content stands for one line of the file, and only a further line with that content
 * makes it current.
 */
async function saveUnlessOutdated(tx: ProjectWrites, draft: Draft, context: Import): Promise<Imported> {
  const { beforeSeq = Number.MAX_SAFE_INTEGER, visible } = context
  const { workspace: name, ...rest } = draft
  const workspace = await findInAnyCase(tx, visible, name)
  if (workspace === undefined) return { ...(await saveDraft(tx, draft, context)), beforeSeq: NONE_LEFT }
  const saved = { ...rest, workspaceId: workspace.id }
  const live = await tx.findSame(saved, draft.createdAt)
  if (live !== undefined) return { ...(await saveDraft(tx, draft, context)), beforeSeq: Math.min(beforeSeq, live.seq) }
  const outdated = await tx.findSame(saved, draft.createdAt, { outdatedBefore: beforeSeq })
  if (outdated !== undefined) return { outcome: 'there', id: outdated.id, beforeSeq: outdated.seq }
  return { ...(await saveDraft(tx, draft, context)), beforeSeq: NONE_LEFT }
}

/** A number that no record has a smaller one than. */
const NONE_LEFT = 0

/**
 * What a file says of supersession holds, whatever the times of the records and the order of the lines; only if it goes
 * round in a circle, the times decide.
 */
async function saveAsItWas(
  tx: ProjectWrites,
  incoming: IncomingRecord,
  { limits, visible }: Import,
): Promise<Imported> {
  const { draft, supersededBy, source } = incoming
  const { workspace: name, ...rest } = draft
  const there = await tx.findRecord(undefined, draft.id, { forgotten: true })
  if (there !== undefined && visible !== undefined && !visible.includes(there.audience))
    throw new Refusal(`record '${draft.id}' cannot be saved under its id`)
  if (there !== undefined && there.content !== draft.content)
    throw new Refusal(`record '${draft.id}' is here and says something else`)
  if (there !== undefined && there.forgottenAt !== null) return { outcome: 'forgotten', id: there.id }
  if (there !== undefined) {
    const isPending = mayYield(there, incoming) || (await isLeftCurrent(tx, there, incoming))
    return { outcome: 'there', id: there.id, ...(isPending && { pending: { id: there.id, supersededBy } }) }
  }
  await requireRoom(tx, { records: 1, contentBytes: bytesOf(draft) }, limits)
  // Two workspaces that differ only in case stay two.
  const workspace = await openWorkspace(tx, [], name, draft.createdAt, limits)
  const record = { ...rest, workspaceId: workspace.id }
  const saved = await tx.insertRecord({ ...record, status: supersededBy === null ? record.status : statusOf(record) })
  await saveSource(tx, record, source)
  const isSuperseded =
    record.status === 'superseded' && (supersededBy === null || (await tx.supersede(draft.id, supersededBy)))
  if (supersededBy === null && !isSuperseded && (await findLaterRival(tx, saved)) !== undefined)
    return { outcome: 'saved', id: draft.id, pending: { id: draft.id, supersededBy } }
  if (!isSuperseded) await settle(tx, saved)
  const isSettled = isSuperseded || !(await hasEarlierRivals(tx, saved))
  return { outcome: 'saved', id: draft.id, ...(!isSettled && { unsettled: saved }) }
}

/**
 * Whether a current record that is here yields to what the file says superseded it: not if a person verified it since.
 */
const mayYield = (there: StoredRecord, { supersededBy, draft }: IncomingRecord): boolean =>
  supersededBy !== null && there.status !== 'superseded' && (there.status === 'unverified' || draft.verifiedAt !== null)

/**
 * Whether an earlier import was cut off before it decided between a record and one of later rank: both may be current.
 */
const isLeftCurrent = async (
  tx: ProjectWrites,
  there: StoredRecord,
  { supersededBy }: IncomingRecord,
): Promise<boolean> =>
  supersededBy === null && there.status !== 'superseded' && (await findLaterRival(tx, there)) !== undefined

/** Settles, when every line was saved, what waited for that. What the file says comes before what the times say. */
export async function settlePending(project: ProjectStore, pending: Pending[]): Promise<void> {
  for (const { id, supersededBy } of pending)
    if (supersededBy !== null) await project.write((tx) => supersedeAsSaid(tx, id, supersededBy))
  for (const { id, supersededBy } of pending) if (supersededBy === null) await settleByTime(project, id)
}

/** Supersedes a record that is current by one that is here too, of the same workspace and audience. */
async function supersedeAsSaid(tx: ProjectWrites, id: string, supersededBy: string): Promise<void> {
  const [record, by] = [await tx.findHead(undefined, id), await tx.findHead(undefined, supersededBy)]
  if (record === undefined || record.status === 'superseded') return
  if (by?.workspaceId === record.workspaceId && by.audience === record.audience) await tx.supersede(id, supersededBy)
}

async function settleByTime(project: ProjectStore, id: string): Promise<void> {
  const settled = await project.write(async (tx) => {
    const record = await tx.findRecord(undefined, id)
    if (record === undefined || record.status === 'superseded') return undefined
    await settle(tx, record)
    return record
  })
  if (settled !== undefined) await supersedeEarlier(project, settled)
}

type OfSource = Pick<StoredRecord, 'workspaceId' | 'audience' | 'sourceId' | 'sourceHash' | 'createdAt'>

/**
 * Saves a source's state with its original save sequence, so that the later of two states is current, in whatever order
 * they are imported.
 */
async function saveSource(tx: ProjectWrites, record: OfSource, source: SourceState | undefined): Promise<void> {
  const { workspaceId, audience, sourceId, sourceHash, createdAt } = record
  if (sourceId === null) return
  if (source !== undefined) return tx.saveSourceState({ workspaceId, sourceId, audience }, source)
  if (sourceHash === null) return
  const [present] = await tx.findSourceStates([{ workspaceId, audience, sourceId }])
  if (present === undefined || present.saveSequence <= createdAt)
    await tx.saveSourceState({ workspaceId, sourceId, audience }, { hash: sourceHash, at: createdAt })
}
