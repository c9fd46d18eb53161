import type { ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { NewRecord, StoredRecord } from '../../store/record.ts'
import { listRivals, supersedeAll, supersedeInSteps, supersedeSome, type Yielding } from './rivals.ts'

type Coming = Omit<NewRecord, 'entry'>
type Standing = Pick<StoredRecord, 'status' | 'supersededBy'>

/** What gives way to a record that comes in: what nobody verified and is not newer. */
const olderThan = ({ createdAt }: Pick<Coming, 'createdAt'>): Yielding => ({ statuses: ['unverified'], savedUntil: createdAt })

/**
 * Settles who is current when a record with a history of its own comes into a workspace: the newer of one given fact key is, and a verified record
 * stays beside it. Marks the older ones there, of very many some (`supersedeRest` has the others), and returns how the coming one is to stand.
 */
export async function settle(tx: ProjectWrites, coming: Coming): Promise<Standing> {
  const { status, supersededBy } = coming
  if (!coming.factKeyGiven || status === 'superseded') return { status, supersededBy }
  const newer = status === 'verified' ? undefined : await tx.findNewerRival(coming, coming.createdAt)
  if (newer !== undefined) return { status: 'superseded', supersededBy: newer.id }
  await supersedeSome(tx, coming, olderThan(coming))
  return { status, supersededBy }
}

/** Settles it inside one write, for a process that answers nobody else. */
export async function settleWhole(tx: ProjectWrites, coming: Coming): Promise<Standing> {
  const standing = await settle(tx, coming)
  if (standing.status !== 'superseded') await supersedeAll(tx, coming, olderThan(coming))
  return standing
}

/** Supersedes, after the write, what older records `settle` left there. */
export async function supersedeOlder(project: ProjectStore, record: StoredRecord): Promise<void> {
  if (record.status === 'superseded') return
  const left = await listRivals(project, record, olderThan(record), 1)
  if (left.length > 0) await supersedeInSteps(project, record, olderThan(record))
}
