import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { yieldIfDue } from '../../cooperative.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { Selection, StoredRecord, TrashPlace, Visible } from '../../store/record.ts'
import { scopeOf, visibleTo } from '../visibility.ts'
import { requireWorkspace } from '../workspaces/workspace.ts'
import type { Scope, Status } from './record.ts'
import { shorten } from './require-text.ts'

/** Records of one part of a list. */
export const PAGE_SIZE = 50

/** A part of a list; `older` is the record after which the next begins, undefined where there is none. */
export type RecordPage = { records: StoredRecord[]; older: string | undefined }

/** What is listed; what is left out does not narrow. A source is one of a workspace. */
export type ListFilter = {
  workspace?: string | undefined
  source?: string | undefined
  scope?: Scope | undefined
  status?: Status | undefined
  /** The last record of the part before this one. */
  before?: string | undefined
}

/** The caller's records, last saved first, a part at a time. Throws a Refusal for a workspace that is not active and for no record as `before`. */
export async function listRecords(
  { store }: AppContext,
  caller: Caller,
  { workspace, source, scope, status, before }: ListFilter,
): Promise<RecordPage> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const found = await listNewest(project, {
    visible: visible.filter((audience) => scope === undefined || scopeOf(audience) === scope),
    workspaceId: workspace === undefined ? undefined : (await requireWorkspace(project, visible, workspace)).id,
    sourceId: workspace === undefined ? undefined : source,
    status,
    beforeSeq: before === undefined ? undefined : (await requireAnyRecord(project, visible, before)).seq,
  })
  return toPart(found)
}

/** Numbers of records in the first slice that is looked through, and the bounds of later ones. */
const FIRST_SLICE = 128
const MIN_SLICE = 16
const MAX_SLICE = 1 << 20
/** A slice that took longer, in milliseconds, is followed by one half as wide, and else by one twice as wide. */
const SLICE_MS = 3
/** Records read at once: with the longest contents some 1 MB. */
const TOGETHER = 16

/** The newest records of a selection, one more than a part, looked for in slices between which others have their turn: there may be few of them among very many. */
async function listNewest(project: ProjectReads, selection: Selection): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  let beforeSeq = selection.beforeSeq ?? (await project.findLastSeq()) + 1
  for (let width = FIRST_SLICE; beforeSeq > 0 && found.length <= PAGE_SIZE; ) {
    await yieldIfDue()
    const start = performance.now()
    const limit = Math.min(TOGETHER, PAGE_SIZE + 1 - found.length)
    const slice = { ...selection, beforeSeq, afterSeq: beforeSeq - width - 1, newestFirst: true, limit }
    const records = await project.listRecords(slice)
    found.push(...records)
    beforeSeq = records.length < limit ? beforeSeq - width : (records.at(-1)?.seq ?? 0)
    width = performance.now() - start > SLICE_MS ? Math.max(MIN_SLICE, width / 2) : Math.min(MAX_SLICE, width * 2)
  }
  return found
}

/** What the caller may see of the trash, last forgotten first, a part at a time. A `before` that was restored meanwhile begins it anew. */
export async function listTrash({ store }: AppContext, caller: Caller, before: string | undefined): Promise<RecordPage> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const last = before === undefined ? undefined : await requireAnyRecord(project, visible, before)
  const start = last === undefined || last.forgottenAt === null ? undefined : { seq: last.seq, forgottenAt: last.forgottenAt }
  return toPart(await lookThroughTrash(project, visible, start))
}

/** What may be seen of it, one record more than a part, in slices: there may be little of it among much that others forgot. */
async function lookThroughTrash(project: ProjectReads, visible: Visible, start: TrashPlace | undefined): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  for (let before = start, isLast = false; !isLast && found.length <= PAGE_SIZE; ) {
    await yieldIfDue()
    const slice: Awaited<ReturnType<ProjectReads['listTrashSlice']>> = await project.listTrashSlice(visible, { before, examine: TOGETHER })
    found.push(...slice.records)
    before = slice.next
    isLast = slice.next === undefined
  }
  return found
}

/** A record, forgotten or not. Throws a Refusal where there is none that may be seen. */
export async function requireAnyRecord(project: ProjectReads, visible: Visible, id: string): Promise<StoredRecord> {
  const found = await project.findRecord(visible, id, { forgotten: true })
  if (found === undefined) throw new Refusal(`no record '${shorten(id)}'`)
  return found
}

/** One more than a part was asked for, to know whether there is more. */
function toPart(found: StoredRecord[]): RecordPage {
  const records = found.slice(0, PAGE_SIZE)
  return { records, older: found.length > PAGE_SIZE ? records.at(-1)?.id : undefined }
}
