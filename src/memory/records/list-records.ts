import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { StoredRecord, TrashPlace } from '../../store/record.ts'
import { type Scope, scopeOf, visibleTo } from '../visibility.ts'
import { requireWorkspace } from '../workspaces/workspace.ts'
import type { Status } from './record.ts'
import { eachSlice } from './slices.ts'
import { shorten } from './text-argument.ts'

/** Records on a page of a list. */
export const PAGE_SIZE = 50

/** A page of a list. `older` is the id of the record after which the next page begins, undefined on the last page. */
export type RecordPage = { records: StoredRecord[]; older: string | undefined }

/** Which records are listed; a field that is left out restricts nothing. `source` counts only together with `workspace`. */
export type ListFilter = {
  workspace?: string | undefined
  source?: string | undefined
  scope?: Scope | undefined
  status?: Status | undefined
  /** The id of the last record of the page before this one. */
  before?: string | undefined
}

/**
 * A page of the records that a caller may see, last saved first.
 *
 * @throws Refusal for a workspace that is not active, and for a `before` that is no record the caller may see.
 */
export async function listRecords(
  { store }: AppContext,
  caller: Caller,
  { workspace, source, scope, status, before }: ListFilter,
): Promise<RecordPage> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const found = await project.listNewest({
    visible: visible.filter((audience) => scope === undefined || scopeOf(audience) === scope),
    workspaceId: workspace === undefined ? undefined : (await requireWorkspace(project, visible, workspace)).id,
    sourceId: workspace === undefined ? undefined : source,
    status,
    beforeSeq: before === undefined ? undefined : (await requireAnyRecord(project, visible, before)).seq,
    limit: PAGE_SIZE + 1,
  })
  return toPage(found)
}

/**
 * A page of the forgotten records that a caller may see, last forgotten first. A `before` that was restored meanwhile gives the first page.
 *
 * @throws Refusal for a `before` that is no record the caller may see.
 */
export async function listTrash({ store }: AppContext, caller: Caller, before: string | undefined): Promise<RecordPage> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const last = before === undefined ? undefined : await requireAnyRecord(project, visible, before)
  const start = last === undefined || last.forgottenAt === null ? undefined : { seq: last.seq, forgottenAt: last.forgottenAt }
  const found: StoredRecord[] = []
  for await (const { records } of eachSlice((from: TrashPlace | undefined) => project.listTrashSlice(visible, { before: from ?? start }))) {
    found.push(...records)
    if (found.length > PAGE_SIZE) break
  }
  return toPage(found)
}

/**
 * A record, forgotten or not.
 *
 * @throws Refusal where there is none of this id that may be seen.
 */
export async function requireAnyRecord(reads: ProjectReads, visible: string[] | undefined, id: string): Promise<StoredRecord> {
  const found = await reads.findRecord(visible, id, { forgotten: true })
  if (found === undefined) throw new Refusal(`no record '${shorten(id)}'`)
  return found
}

/** Of more records than a page has, the page. */
function toPage(found: StoredRecord[]): RecordPage {
  const records = found.slice(0, PAGE_SIZE)
  return { records, older: found.length > PAGE_SIZE ? records.at(-1)?.id : undefined }
}
