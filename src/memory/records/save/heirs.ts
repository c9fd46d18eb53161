import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectStore, ProjectWrites } from '../../../store/project.ts'
import type { RecordHead } from '../../../store/record.ts'
import type { SupersededPlace } from '../../../store/record-lists.ts'
import { eachSlice } from '../bulk/slices.ts'
import { MAX_SETTLED_AT_ONCE, settle, statusOf } from './rivals.ts'

/** Heirs of a record, the ones that name it as what supersedes them, whose standing was settled: those that are current again, and where the next are found. */
export type SettledHeirs = { returned: RecordHead[]; next: number | undefined }

/**
 * Settles the standing of some heirs of a record that is forgotten, or not verified any more, inside a write: the newest of a fact is current again, or
 * what superseded the record supersedes them too. Of two that are the same save only one returns, a verified one or else the newer. `beforeSeq` is the `next` of the heirs before.
 */
export async function settleHeirs(tx: ProjectWrites, id: string, now: number, beforeSeq?: number): Promise<SettledHeirs> {
  const heirs = await tx.listHeirs(id, { beforeSeq, limit: MAX_SETTLED_AT_ONCE })
  const returned: RecordHead[] = []
  for (const heir of heirs) if (await returns(tx, heir.id, now)) returned.push(heir)
  return { returned, next: heirs.length < MAX_SETTLED_AT_ONCE ? undefined : heirs.at(-1)?.seq }
}

/** The same for the heirs after the first, in writes of their own. Returns all that are current again. A crash leaves some to `settleOrphans`. */
export async function settleFurtherHeirs(project: ProjectStore, id: string, now: number, first: SettledHeirs): Promise<RecordHead[]> {
  const all = [...first.returned]
  for (let next = first.next; next !== undefined; ) {
    await yieldIfDue()
    const beforeSeq = next
    const settled = await project.write((tx) => settleHeirs(tx, id, now, beforeSeq))
    all.push(...settled.returned)
    next = settled.next
  }
  return all
}

/**
 * Settles every record whose superseder is forgotten or erased: what a crash left, what an import brought without its superseder, and what older versions
 * did not settle.
 */
export async function settleOrphans(project: ProjectStore, now: number, isStopped: () => boolean = () => false): Promise<void> {
  for await (const { ids } of eachSlice((after?: SupersededPlace) => project.listOrphansSlice({ after }))) {
    for (const id of ids) {
      if (isStopped()) return
      await yieldIfDue()
      await project.write((tx) => returnUnlessClaimed(tx, id, now))
    }
  }
}

/** Settles the standing of one superseded record. Returns whether it is current again. */
async function returns(tx: ProjectWrites, id: string, now: number): Promise<boolean> {
  const record = await tx.findRecord(undefined, id)
  if (record === undefined) return false
  const same = await tx.findSame(record, now)
  const isBetter = same?.status === 'unverified' && statusOf(record) === 'verified'
  if (isBetter) await tx.updateRecord(same.id, { status: 'superseded', supersededBy: id })
  const standing = same === undefined || isBetter ? await settle(tx, record) : { status: 'superseded' as const, supersededBy: same.id }
  await tx.updateRecord(id, standing)
  return standing.status !== 'superseded'
}

/** Somebody else may have settled it meanwhile. */
async function returnUnlessClaimed(tx: ProjectWrites, id: string, now: number): Promise<void> {
  const { status, supersededBy } = (await tx.findHead(undefined, id)) ?? {}
  if (status !== 'superseded' || supersededBy === null || supersededBy === undefined) return
  if ((await tx.findHead(undefined, supersededBy)) === undefined) await returns(tx, id, now)
}
