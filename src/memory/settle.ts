import type { NewRecord, ProjectWrites, StoredRecord } from '../store/project.ts'
import { findRivals } from './save.ts'

type Coming = Omit<NewRecord, 'entry'>
type Standing = Pick<StoredRecord, 'status' | 'supersededBy'>

/**
 * Settles who is current when a record with a history of its own comes into a workspace: the newer of one given fact key is, and a verified record
 * stays beside it. Marks the older ones there and returns how the coming one is to stand.
 */
export async function settle(tx: ProjectWrites, coming: Coming): Promise<Standing> {
  const { status, supersededBy } = coming
  if (!coming.factKeyGiven || status === 'superseded') return { status, supersededBy }
  const rivals = await findRivals(tx, coming)
  const newer = rivals.filter((rival) => rival.createdAt > coming.createdAt).at(-1)
  if (newer !== undefined && status !== 'verified') return { status: 'superseded', supersededBy: newer.id }
  for (const rival of rivals) {
    const gives = rival.status !== 'verified' && rival.createdAt <= coming.createdAt
    if (gives) await tx.updateRecord(rival.id, { status: 'superseded', supersededBy: coming.id })
  }
  return { status, supersededBy }
}
