import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectReads, ProjectWrites } from '../../store/project.ts'
import type { RecordHead, StoredRecord, Visible } from '../../store/record.ts'
import { authorizeMemory, type Memory, placeOf } from '../visibility.ts'
import { requireAnyRecord } from './lists/list-records.ts'
import { settleFurtherHeirs, settleHeirs } from './save/heirs.ts'
import {
  ANY_STATUS,
  listRivals,
  MAX_SETTLED_AT_ONCE,
  settle,
  supersedeEarlier,
  supersedeRest,
  supersedeSome,
  toMet,
} from './save/rivals.ts'

/** A verified record, the first records that it superseded, and their `total` number. */
export type Verified = { record: StoredRecord; superseded: RecordHead[]; total: number }

/** `seen` has the ids of the rivals that the person was shown. */
type VerifyInput = { projectId: string; id: string; seen?: string[] }

/**
 * Marks a record as confirmed by a person. It supersedes its rivals, even verified ones; with `seen`, at most
 * `MAX_SETTLED_AT_ONCE` of them.
 *
 * @throws Refusal for a record that does not exist, is forgotten or superseded; for one that is already verified and
 *   has no rival; and if there is a rival that `seen` does not name.
 */
export async function verifyRecord(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, seen }: VerifyInput,
): Promise<Verified> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const { record, superseded } = await memory.records.write((tx) =>
    verify(tx, memory.visible, { id, seen, now: ctx.clock.now() }),
  )
  const { heads, total } =
    seen === undefined ? await supersedeRest(memory.records, record, ANY_STATUS, superseded) : toMet(superseded)
  const named = heads.map((other) => other.id).join(' ')
  const details = named === '' ? {} : { superseded: named, ...(total > heads.length && { total }) }
  await recordEventAlone(ctx, actor, { act: 'record.verify', ...placeOf(memory), target: id, details })
  return { record, superseded: heads, total }
}

/** The record has a rival; a person has to choose between the two. */
export class Contested extends Refusal {}

/**
 * Verifies a record that has no rival, for an actor who is already authorized, and without an audit event.
 *
 * @throws Refusal for a record that does not exist, is forgotten, superseded or already verified; Contested for one
 *   that has a rival.
 */
export function verifyUncontested({ records, visible }: Memory, id: string, now: number): Promise<StoredRecord> {
  return records.write(async (tx) => {
    const record = await requireCurrent(tx, visible, id)
    const rivals = await listRivals(tx, record, ANY_STATUS, 1)
    if (rivals.length > 0) throw new Contested(`record '${id}' contradicts another one`)
    if (record.status === 'verified') throw new Refusal(`record '${id}' is verified already`)
    await tx.updateRecord(id, toVerified(now))
    return record
  })
}

/** What a person's confirmation changes: it also removes the guard's mark, for good. */
const toVerified = (now: number) => ({ status: 'verified' as const, verifiedAt: now, marked: false })

type Verifying = { id: string; seen: string[] | undefined; now: number }

async function verify(tx: ProjectWrites, visible: Visible, { id, seen, now }: Verifying) {
  const record = await requireCurrent(tx, visible, id)
  const rivals = await listRivals(tx, record, ANY_STATUS, MAX_SETTLED_AT_ONCE)
  if (record.status === 'verified' && rivals.length === 0) throw new Refusal(`record '${id}' is verified already`)
  if (seen !== undefined && rivals.some((other) => !seen.includes(other.id))) {
    throw new Refusal(
      'another record of its fact key says something else since this page was made; look at both and choose again',
    )
  }
  const superseded = await supersedeSome(tx, record, ANY_STATUS)
  const verified = toVerified(now)
  await tx.updateRecord(id, verified)
  return { record: { ...record, ...verified }, superseded }
}

/**
 * Withdraws a confirmation and what followed from it: the newest record of the fact becomes current, beside any other
 * verified one. Returns the record as it is afterwards.
 *
 * @throws Refusal for a record that does not exist, is forgotten or not verified.
 */
export async function unverifyRecord(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<{ record: StoredRecord }> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const record = await unverifyFound(memory, id, ctx.clock.now())
  await recordEventAlone(ctx, actor, { act: 'record.unverify', ...placeOf(memory), target: id })
  return { record }
}

/** As `unverifyRecord`, for an actor who is already authorized, and without an audit event. */
export async function unverifyFound({ records, visible }: Memory, id: string, now: number): Promise<StoredRecord> {
  const { record, heirs } = await records.write((tx) => unverify(tx, visible, id, now))
  await settleFurtherHeirs(records, id, now, heirs)
  await supersedeEarlier(records, record)
  return record
}

async function unverify(tx: ProjectWrites, visible: Visible, id: string, now: number) {
  const found = await requireCurrent(tx, visible, id)
  if (found.status !== 'verified') throw new Refusal(`record '${id}' is not verified`)
  const unverified = { status: 'unverified', verifiedAt: null } as const
  await tx.updateRecord(id, unverified)
  await settle(tx, { ...found, ...unverified })
  const heirs = await settleHeirs(tx, id, now)
  // An heir may have superseded it in turn.
  return { record: await requireAnyRecord(tx, visible, id), heirs }
}

/** @throws Refusal for a record that does not exist, is forgotten or superseded. */
export async function requireCurrent(tx: ProjectReads, visible: Visible, id: string): Promise<StoredRecord> {
  const found = await requireAnyRecord(tx, visible, id)
  if (found.forgottenAt !== null) throw new Refusal(`record '${id}' is forgotten; restore it first`)
  if (found.status === 'superseded')
    throw new Refusal(`record '${id}' is superseded${found.supersededBy ? ` by '${found.supersededBy}'` : ''}`)
  return found
}
