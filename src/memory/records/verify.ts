import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectWrites } from '../../store/project.ts'
import type { RecordHead, StoredRecord, Visible } from '../../store/record.ts'
import { shorten } from './require-text.ts'
import { listRivals, MAX_TOGETHER, type Met, supersedeRest, supersedeSome, toMet, type Yielding } from './rivals.ts'
import { settle, supersedeOlder } from './settle.ts'

/** Where a record is, whose records may be seen by whoever acts, and who that is. */
export type ActingOn = { accountId: string; projectId: string; visible: Visible; by: Actor }

/** A record that a person confirmed, and the records it superseded by that, of very many the first; `total` counts all. */
export type Verified = { record: StoredRecord; superseded: RecordHead[]; total: number }

/** A record that is no longer confirmed, and how it stands. */
export type Unverified = { record: StoredRecord }

/**
 * Confirms a record for a person. Other current records of its given fact key that say something else are superseded by it, verified ones too;
 * where `seen` names those that the person knew of, any further one is a Refusal. So is a record that is not there, forgotten, superseded,
 * or verified with nothing left to settle. Noted in the audit log.
 */
export async function verifyRecord(ctx: AppContext, on: ActingOn, id: string, seen?: string[]): Promise<Verified> {
  const project = ctx.store.project(on.projectId)
  const { record, superseded: first } = await project.write((tx) => verify(tx, on.visible, id, seen))
  const all = seen === undefined ? await supersedeRest(project, record, EVERY, first) : first
  const named = all.heads.map((other) => other.id).join(' ')
  await noteOn(ctx, on, id, 'record.verify', named === '' ? {} : { superseded: named, ...(isCut(all) && { total: all.total }) })
  return { record, superseded: all.heads, total: all.total }
}

/** What gives way to a record that a person confirms. */
export const EVERY: Yielding = { statuses: ['verified', 'unverified'] }

const isCut = ({ heads, total }: Met) => total > heads.length

/** A person who knew of some rivals supersedes those; any beyond `MAX_TOGETHER` are for the next time. */
async function verify(tx: ProjectWrites, visible: Visible, id: string, seen: string[] | undefined) {
  const record = await requireCurrent(tx, visible, id)
  const rivals = await listRivals(tx, record, EVERY, MAX_TOGETHER)
  if (record.status === 'verified' && rivals.length === 0) throw new Refusal(`record '${id}' is verified already`)
  if (seen !== undefined && rivals.some((other) => !seen.includes(other.id))) {
    throw new Refusal('another record of its fact key says something else since this page was made; look at both and choose again')
  }
  const superseded = toMet(await supersedeSome(tx, record, EVERY))
  await tx.updateRecord(id, { status: 'verified' })
  return { record: { ...record, status: 'verified' as const }, superseded }
}

/**
 * Takes a confirmation back. Where another current record of its given fact key says something else, the newer of them is the current one again.
 * Throws a Refusal for a record that is not there, forgotten or not verified. Noted in the audit log.
 */
export async function unverifyRecord(ctx: AppContext, on: ActingOn, id: string): Promise<Unverified> {
  const project = ctx.store.project(on.projectId)
  const unverified = await project.write((tx) => unverify(tx, on.visible, id))
  await supersedeOlder(project, unverified.record)
  await noteOn(ctx, on, id, 'record.unverify')
  return unverified
}

async function unverify(tx: ProjectWrites, visible: Visible, id: string): Promise<Unverified> {
  const found = await requireCurrent(tx, visible, id)
  if (found.status !== 'verified') throw new Refusal(`record '${id}' is not verified`)
  const record: StoredRecord = { ...found, status: 'unverified' }
  const standing = await settle(tx, record)
  await tx.updateRecord(id, standing)
  return { record: { ...record, ...standing } }
}

async function requireCurrent(tx: ProjectWrites, visible: Visible, id: string): Promise<StoredRecord> {
  const found = await tx.findRecord(visible, id, { forgotten: true })
  if (found === undefined) throw new Refusal(`no record '${shorten(id)}'`)
  if (found.forgottenAt !== null) throw new Refusal(`record '${id}' is forgotten; restore it first`)
  if (found.status === 'superseded')
    throw new Refusal(`record '${id}' is superseded${found.supersededBy ? ` by '${found.supersededBy}'` : ''}`)
  return found
}

function noteOn(ctx: AppContext, { accountId, projectId, by }: ActingOn, target: string, act: string, details = {}): Promise<void> {
  return recordEventAlone(ctx, by, { act, accountId, projectId, target, details })
}
