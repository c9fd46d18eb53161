import type { Caller } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import { Refusal } from '../../../errors.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { StoredRecord, Visible } from '../../../store/record.ts'
import type { SavedPlace, TrashPlace } from '../../../store/record-lists.ts'
import { visibleTo } from '../../visibility.ts'
import { requireWorkspace } from '../../workspaces/workspace.ts'
import { eachSlice } from '../slices.ts'
import { shorten } from '../text-argument.ts'
import { type FilterArguments, toRecordFilter, type Viewer } from './record-filter.ts'

/** Records on a page of a list. */
export const PAGE_SIZE = 50

/** More than any number of a record. */
const MAX_SEQ = 2 ** 31 - 1

/** A page of a list. `older` is the id of the record after which the next page begins, undefined on the last page. */
export type RecordPage = { records: StoredRecord[]; older: string | undefined }

/**
 * A page with its neighbour: `newer` is the id of the record before which the previous page ends, undefined on the
 * first page.
 */
type ListedPage = RecordPage & { newer: string | undefined }

/**
 * Which records are listed: those of a workspace or, without one, of all that the viewer may see. `before` is the id of
 * the last record of the previous page, and `offset` the number of further records to skip. With `after` instead, the
 * page ends right before the record with this id.
 */
export type ListArguments = FilterArguments & {
  workspace?: string | undefined
  before?: string | undefined
  after?: string | undefined
  offset?: number | undefined
  limit?: number | undefined
}

/**
 * A page of the records that a viewer may see, most recently saved or refreshed first; 50 if no limit is given. If few
 * records pass the filter, time is linear in the number of records of the workspaces; other work runs meanwhile.
 *
 * @throws Refusal for a workspace that is not active, for an invalid time, and for a `before` or `after` that is no
 *   record the viewer may see.
 */
export async function listRecords(ctx: AppContext, viewer: Viewer, args: ListArguments): Promise<ListedPage> {
  const { workspace, before, after, offset, limit = PAGE_SIZE } = args
  const project = ctx.store.project(viewer.projectId)
  const filter = {
    ...(await toRecordFilter(ctx, viewer, args)),
    workspaceId: workspace === undefined ? undefined : (await requireWorkspace(project, viewer.visible, workspace)).id,
  }
  const place = async (id: string) => toSavedPlace(await requireAnyRecord(project, viewer.visible, id))
  if (after !== undefined) {
    const found = await project.listLatest(filter, { after: await place(after), limit: limit + 1 })
    // Otherwise the list is shown from its beginning, so that only the last page is ever incomplete.
    if (found.length > limit) return toPageAbove(found.slice(-limit))
  }
  const start = before === undefined ? undefined : await place(before)
  const page = toPage(await project.listLatest(filter, { before: start, offset, limit: limit + 1 }), limit)
  return { ...page, newer: start === undefined ? undefined : page.records.at(0)?.id }
}

/** A page that has others on both sides. */
const toPageAbove = (records: StoredRecord[]): ListedPage => ({
  records,
  newer: records.at(0)?.id,
  older: records.at(-1)?.id,
})

const toSavedPlace = ({ seq, createdAt, refreshedAt }: StoredRecord): SavedPlace => ({
  seq,
  savedAt: refreshedAt ?? createdAt,
})

/** A caller's view of their project. */
export const viewerOf = (caller: Caller): Viewer => ({
  accountId: caller.accountId,
  projectId: caller.projectId,
  visible: visibleTo(caller),
})

/**
 * Which forgotten records are listed: those that pass `passes`, forgotten from one time until another, both included.
 * `workspaceIds` may belong to removed workspaces. `before` is the id of the last record of the previous page. A page
 * ends early once `examine` records were looked at.
 */
export type TrashArguments = {
  workspaceIds?: number[] | undefined
  sourceId?: string | undefined
  from?: number | undefined
  until?: number | undefined
  oldestFirst?: boolean
  passes?: ((record: StoredRecord) => boolean) | undefined
  before?: string | undefined
  limit?: number | undefined
  examine?: number | undefined
}

/**
 * A page of the forgotten records that a viewer may see, most recently forgotten first or, with `oldestFirst`, the
 * other way round; 50 if no limit is given. If `before` was restored meanwhile, it is the first page. `isCut`: it ends
 * because enough records were looked at.
 *
 * @throws Refusal for a `before` that is no record the viewer may see.
 */
export async function listTrash(
  ctx: AppContext,
  viewer: Viewer,
  args: TrashArguments,
): Promise<RecordPage & { isCut: boolean }> {
  const { limit = PAGE_SIZE, examine = Number.POSITIVE_INFINITY } = args
  const found: StoredRecord[] = []
  let count = 0
  for await (const { examined, passed } of eachTrashSlice(ctx, viewer, args)) {
    count += examined.length
    found.push(...passed)
    if (found.length > limit) break
    if (examined.length > 0 && count >= examine) return { records: found, older: examined.at(-1)?.id, isCut: true }
  }
  return { ...toPage(found, limit), isCut: false }
}

/**
 * What `keep` makes of the forgotten records that pass, among the `examine` that were forgotten last, so that no more
 * than that is in memory. `isCut`: as of a page.
 */
export async function collectTrash<Kept>(
  ctx: AppContext,
  viewer: Viewer,
  args: TrashArguments & { examine: number },
  keep: (record: StoredRecord) => Kept,
): Promise<{ kept: Kept[]; isCut: boolean }> {
  const kept: Kept[] = []
  let count = 0
  for await (const { examined, passed } of eachTrashSlice(ctx, viewer, args)) {
    kept.push(...passed.map(keep))
    count += examined.length
    if (count >= args.examine) return { kept, isCut: true }
  }
  return { kept, isCut: false }
}

/** The records of a trash that were forgotten within its times, and those of them that pass, slice by slice. */
async function* eachTrashSlice({ store }: AppContext, { projectId, visible }: Viewer, args: TrashArguments) {
  const { workspaceIds, sourceId, from = 0, until = Number.MAX_SAFE_INTEGER, before } = args
  const project = store.project(projectId)
  const last = before === undefined ? undefined : await requireAnyRecord(project, visible, before)
  const beginning = args.oldestFirst ? { seq: 0, forgottenAt: from } : { seq: MAX_SEQ, forgottenAt: until }
  const start = last === undefined || last.forgottenAt === null ? beginning : { ...last, forgottenAt: last.forgottenAt }
  const passes = (record: StoredRecord) =>
    (workspaceIds?.includes(record.workspaceId) ?? true) &&
    (sourceId === undefined || record.sourceId === sourceId) &&
    (args.passes?.(record) ?? true)
  const isWithin = (forgottenAt: number) => forgottenAt >= from && forgottenAt <= until
  for await (const { records } of eachSlice((place: TrashPlace | undefined) =>
    project.listTrashSlice(visible, { [args.oldestFirst ? 'after' : 'before']: place ?? start }),
  )) {
    const examined = records.filter(({ forgottenAt }) => isWithin(forgottenAt ?? 0))
    yield { examined, passed: examined.filter(passes) }
    if (examined.length < records.length) return
  }
}

/**
 * A record, forgotten or not.
 *
 * @throws Refusal if there is none of this id that may be seen.
 */
export async function requireAnyRecord(reads: ProjectReads, visible: Visible, id: string): Promise<StoredRecord> {
  const found = await reads.findRecord(visible, id, { forgotten: true })
  if (found === undefined) throw new Refusal(`no record '${shorten(id)}'`)
  return found
}

/** The first `limit` records as a page; one more record tells that there is an older page. */
function toPage(found: StoredRecord[], limit: number): RecordPage {
  const records = found.slice(0, limit)
  return { records, older: found.length > limit ? records.at(-1)?.id : undefined }
}
