import type { ProjectStore, ProjectWrites } from '../../../store/project.ts'
import type { RecordHead } from '../../../store/record.ts'
import type { SupersededPlace } from '../../../store/record-lists.ts'
import { eachSlice } from '../slices.ts'
import { MAX_SETTLED_AT_ONCE, settle, sortByRank, statusOf } from './rivals.ts'

/**
 * Result of settling some heirs of a record (the records that it superseded): those that are current again, and where
 * the next heirs begin.
 */
export type SettledHeirs = { returned: RecordHead[]; next: number | undefined }

/**
 * Decides, inside a write, about some heirs of a record that was forgotten or is no longer verified: the newest of each
 * fact becomes current again, or whatever superseded the record supersedes the heirs too. Of identical records only one
 * returns: a verified one, otherwise the newest. `beforeSeq` is the `next` of the previous call.
 */
export async function settleHeirs(
  tx: ProjectWrites,
  id: string,
  now: number,
  beforeSeq?: number,
): Promise<SettledHeirs> {
  const heirs = await tx.listSupersededBy(id, { beforeSeq, limit: MAX_SETTLED_AT_ONCE })
  const returned: RecordHead[] = []
  for (const heir of sortByRank(heirs)) if (await returns(tx, heir.id, now)) returned.push(heir)
  return { returned, next: heirs.length < MAX_SETTLED_AT_ONCE ? undefined : heirs.at(-1)?.seq }
}

/**
 * As `settleHeirs`, for the heirs after the `first`, in further writes. Returns all that are current again. After a
 * crash `settleOrphans` does the rest.
 */
export async function settleFurtherHeirs(
  project: ProjectStore,
  id: string,
  now: number,
  first: SettledHeirs,
): Promise<RecordHead[]> {
  const all = [...first.returned]
  for (let next = first.next; next !== undefined; ) {
    const beforeSeq = next
    const settled = await project.write((tx) => settleHeirs(tx, id, now, beforeSeq))
    all.push(...settled.returned)
    next = settled.next
  }
  return all
}

/**
 * Settles every record that no current one stands for, because its superseder is forgotten, erased or elsewhere (left
 * over by a crash, or imported without it). Returns how many were settled.
 */
export async function settleOrphans(
  project: ProjectStore,
  now: number,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let settled = 0
  for await (const { ids } of eachSlice((after?: SupersededPlace) => project.listOrphans({ after }))) {
    for (const id of ids) {
      if (isStopped()) return settled
      if (await project.write((tx) => settleOrphan(tx, id, now))) settled += 1
    }
  }
  return settled
}

/** Decides about one superseded record. Returns whether it is current again. */
async function returns(tx: ProjectWrites, id: string, now: number): Promise<boolean> {
  const record = await tx.findRecord(undefined, id)
  if (record?.status !== 'superseded') return false
  const same = await tx.findSame(record, now)
  const isBetter = same?.status === 'unverified' && statusOf(record) === 'verified'
  if (same !== undefined && !isBetter && (await tx.supersede(id, same.id))) return false
  await tx.updateRecord(id, { status: statusOf(record), supersededBy: null })
  if (isBetter) await tx.supersede(same.id, id)
  return (await settle(tx, record)).status !== 'superseded'
}

/** Decides about an orphan, and returns true, unless another write has given it a superseder meanwhile. */
async function settleOrphan(tx: ProjectWrites, id: string, now: number): Promise<boolean> {
  const orphan = await tx.findHead(undefined, id)
  if (orphan === undefined || orphan.supersededBy === null) return false
  const superseder = await tx.findHead(undefined, orphan.supersededBy)
  if (superseder?.workspaceId === orphan.workspaceId && superseder.audience === orphan.audience) return false
  await returns(tx, id, now)
  return true
}
