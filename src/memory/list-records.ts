import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import { Refusal } from '../errors.ts'
import type { ProjectReads, StoredRecord, Visible } from '../store/project.ts'
import type { Scope, Status } from './record.ts'
import { shorten } from './text.ts'
import { scopeOf, visibleTo } from './visible.ts'
import { requireWorkspace } from './workspace.ts'

/** Records of one part of a list. */
export const PART = 50

/** A part of a list; `older` is the record after which the next begins, undefined where there is none. */
export type Part = { records: StoredRecord[]; older: string | undefined }

/** What is listed; what is left out does not narrow. A source is one of a workspace. */
export type Wish = {
  workspace?: string | undefined
  source?: string | undefined
  scope?: Scope | undefined
  status?: Status | undefined
  /** The last record of the part before this one. */
  before?: string | undefined
}

type Given = Pick<Means, 'store' | 'clock'>

/** The caller's records, last saved first, a part at a time. Throws a Refusal for a workspace that is not active and for no record as `before`. */
export async function listRecords({ store }: Given, caller: Caller, { workspace, source, scope, status, before }: Wish): Promise<Part> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const found = await project.listRecords({
    visible: visible.filter((audience) => scope === undefined || scopeOf(audience) === scope),
    workspaceId: workspace === undefined ? undefined : (await requireWorkspace(project, visible, workspace)).id,
    sourceId: workspace === undefined ? undefined : source,
    status,
    beforeSeq: before === undefined ? undefined : (await requireAnyRecord(project, visible, before)).seq,
    newestFirst: true,
    limit: PART + 1,
  })
  return toPart(found)
}

/** What the caller may see of the trash, last forgotten first, a part at a time. A `before` that was restored meanwhile begins it anew. */
export async function listTrash({ store }: Given, caller: Caller, before: string | undefined): Promise<Part> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const last = before === undefined ? undefined : await requireAnyRecord(project, visible, before)
  const start = last === undefined || last.forgottenAt === null ? undefined : { seq: last.seq, forgottenAt: last.forgottenAt }
  return toPart(await project.listTrash(visible, { before: start, limit: PART + 1 }))
}

/** A record, forgotten or not. Throws a Refusal where there is none that may be seen. */
export async function requireAnyRecord(project: ProjectReads, visible: Visible, id: string): Promise<StoredRecord> {
  const found = await project.findRecord(visible, id, { forgotten: true })
  if (found === undefined) throw new Refusal(`no record '${shorten(id)}'`)
  return found
}

/** One more than a part was asked for, to know whether there is more. */
function toPart(found: StoredRecord[]): Part {
  const records = found.slice(0, PART)
  return { records, older: found.length > PART ? records.at(-1)?.id : undefined }
}
