import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import type { Conflict, ProjectReads, StoredRecord } from '../store/project.ts'
import { listRecords, type Part, requireAnyRecord } from './list-records.ts'
import { findRivals } from './save.ts'
import { visibleTo } from './visible.ts'

type Given = Pick<Means, 'store' | 'clock'>

/** Contradictions shown at once; settled, they make room for more. */
const MOST_CONFLICTS = 20
/** Records of one fact that are named beside a record. */
const MOST_BESIDE = 50

/** What is to be looked at: contradictions, and records nobody verified. `rivals` has those that say something else, by id of the record. */
export type Review = { conflicts: Conflict[]; more: boolean; unverified: Part; rivals: Map<string, StoredRecord[]> }

/** What the caller may review, newest first; `before` is the last record of the part before. Throws a Refusal where that is none. */
export async function review(means: Given, caller: Caller, before: string | undefined): Promise<Review> {
  const project = means.store.project(caller.projectId)
  const found = await project.listConflicts(visibleTo(caller), MOST_CONFLICTS + 1)
  const conflicts = found.slice(0, MOST_CONFLICTS)
  const unverified = await listRecords(means, caller, { status: 'unverified', before })
  const shown = [...conflicts.flatMap(({ verified, other }) => [verified, other]), ...unverified.records]
  return { conflicts, more: found.length > MOST_CONFLICTS, unverified, rivals: await rivalsOf(project, shown) }
}

async function rivalsOf(project: ProjectReads, records: StoredRecord[]): Promise<Map<string, StoredRecord[]>> {
  const rivals = new Map<string, StoredRecord[]>()
  for (const record of records) rivals.set(record.id, await findRivals(project, record))
  return rivals
}

/** A record among the others of its fact. */
export type InContext = {
  record: StoredRecord
  /** Current ones that say something else; none of a record that is not current itself. */
  rivals: StoredRecord[]
  supersededBy: StoredRecord | undefined
  superseded: StoredRecord[]
}

/** One record that the caller may see, forgotten or not, with those it has to do with. Throws a Refusal where there is none. */
export async function readInContext({ store }: Given, caller: Caller, id: string): Promise<InContext> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const record = await requireAnyRecord(project, visible, id)
  const { supersededBy, status, forgottenAt } = record
  return {
    record,
    rivals: status === 'superseded' || forgottenAt !== null ? [] : await findRivals(project, record),
    supersededBy: supersededBy === null ? undefined : await project.findRecord(visible, supersededBy, { forgotten: true }),
    superseded: await project.listSupersededBy(record, MOST_BESIDE),
  }
}
