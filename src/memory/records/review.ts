import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { Conflict, RecordHead, StoredRecord, Visible } from '../../store/record.ts'
import { visibleTo } from '../visibility.ts'
import { listRecords, type RecordPage, requireAnyRecord } from './list-records.ts'
import { listRivals, MAX_TOGETHER } from './rivals.ts'
import { EVERY } from './verify.ts'

/** Contradictions shown at once; settled, they make room for more. */
const MAX_CONFLICTS = 20
/** Records of one fact that are named beside a record. */
const MAX_BESIDE = 50

/** A verified record and another current one of its fact key that says something else. */
export type Contradiction = { verified: StoredRecord; other: StoredRecord }

/** What is to be looked at: contradictions, and records nobody verified. `rivals` has those that say something else, by id of the record, 8 at most. */
export type Review = { conflicts: Contradiction[]; more: boolean; unverified: RecordPage; rivals: Map<string, RecordHead[]> }

/** What the caller may review, newest first; `before` is the last record of the part before. Throws a Refusal where that is none. */
export async function review(ctx: AppContext, caller: Caller, before: string | undefined): Promise<Review> {
  const project = ctx.store.project(caller.projectId)
  const visible = visibleTo(caller)
  const found = await findConflicts(project, visible)
  const conflicts = await readConflicts(project, visible, found.slice(0, MAX_CONFLICTS))
  const unverified = await listRecords(ctx, caller, { status: 'unverified', before })
  const shown = [...conflicts.flatMap(({ verified, other }) => [verified, other]), ...unverified.records]
  return { conflicts, more: found.length > MAX_CONFLICTS, unverified, rivals: await rivalsOf(project, shown) }
}

/** Verified records looked at in one turn of the event loop: with the longest contents they take some 2 ms. */
const EXAMINED = 16

/** The contradictions with the newest other record, and one more than are shown. */
async function findConflicts(project: ProjectReads, visible: Visible): Promise<Conflict[]> {
  let newest: Conflict[] = []
  for (let beforeSeq: number | undefined, isFirst = true; isFirst || beforeSeq !== undefined; isFirst = false) {
    await yieldIfDue()
    const slice: Awaited<ReturnType<ProjectReads['listConflictsSlice']>> = await project.listConflictsSlice({
      visible,
      beforeSeq,
      examine: EXAMINED,
    })
    newest = [...newest, ...slice.conflicts].sort((a, b) => b.other - a.other || b.verified - a.verified).slice(0, MAX_CONFLICTS + 1)
    beforeSeq = slice.next
  }
  return newest
}

async function readConflicts(project: ProjectReads, visible: Visible, conflicts: Conflict[]): Promise<Contradiction[]> {
  const seqs = new Set(conflicts.flatMap(({ verified, other }) => [verified, other]))
  const records = new Map((await project.findRecordsBySeq(visible, [...seqs])).map((record) => [record.seq, record]))
  return conflicts.flatMap((conflict) => {
    const [verified, other] = [records.get(conflict.verified), records.get(conflict.other)]
    return verified === undefined || other === undefined ? [] : [{ verified, other }]
  })
}

async function rivalsOf(project: ProjectReads, records: StoredRecord[]): Promise<Map<string, RecordHead[]>> {
  const rivals = new Map<string, RecordHead[]>()
  for (const record of records) {
    await yieldIfDue()
    rivals.set(record.id, await listRivals(project, record, EVERY, MAX_TOGETHER))
  }
  return rivals
}

/** A record among the others of its fact. */
export type InContext = {
  record: StoredRecord
  /** Current ones that say something else, 8 at most; none of a record that is not current itself. */
  rivals: StoredRecord[]
  supersededBy: StoredRecord | undefined
  superseded: StoredRecord[]
}

/** One record that the caller may see, forgotten or not, with those it has to do with. Throws a Refusal where there is none. */
export async function readInContext({ store }: AppContext, caller: Caller, id: string): Promise<InContext> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const record = await requireAnyRecord(project, visible, id)
  const { supersededBy, status, forgottenAt } = record
  return {
    record,
    rivals: status === 'superseded' || forgottenAt !== null ? [] : await readRivals(project, visible, record),
    supersededBy: supersededBy === null ? undefined : await project.findRecord(visible, supersededBy, { forgotten: true }),
    superseded: await project.listSupersededBy(record, MAX_BESIDE),
  }
}

/** In the order in which a person settles them. */
async function readRivals(project: ProjectReads, visible: Visible, record: StoredRecord): Promise<StoredRecord[]> {
  const heads = await listRivals(project, record, EVERY, MAX_TOGETHER)
  const seqs = heads.map(({ seq }) => seq)
  const records = new Map((await project.findRecordsBySeq(visible, seqs)).map((found) => [found.seq, found]))
  return seqs.map((seq) => records.get(seq)).filter((found) => found !== undefined)
}
