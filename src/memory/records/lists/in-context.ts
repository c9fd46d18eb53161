import type { Caller } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { RecordHead, StoredRecord, Visible } from '../../../store/record.ts'
import { visibleTo } from '../../visibility.ts'
import { ANY_STATUS, listRivals, MAX_SETTLED_AT_ONCE } from '../save/rivals.ts'
import { requireAnyRecord } from './list-records.ts'
import { readBySeq } from './review.ts'

/** Maximum number of records listed as superseded by a record. */
const MAX_SUPERSEDED = 50

/** A record together with the others of its fact. */
type RecordInContext = {
  record: StoredRecord
  /**
   * At most `MAX_SETTLED_AT_ONCE`, in the order in which verifying the record would supersede them; empty for a record
   * that is not current.
   */
  rivals: StoredRecord[]
  supersededBy: StoredRecord | undefined
  superseded: StoredRecord[]
}

/**
 * One record that a caller may see, forgotten or not, and the others of its fact.
 *
 * @throws Refusal if there is no such record.
 */
export async function readInContext({ store }: AppContext, caller: Caller, id: string): Promise<RecordInContext> {
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const record = await requireAnyRecord(project, visible, id)
  const { supersededBy, status, forgottenAt } = record
  return {
    record,
    rivals:
      status === 'superseded' || forgottenAt !== null
        ? []
        : await readInOrder(project, visible, await listRivals(project, record, ANY_STATUS, MAX_SETTLED_AT_ONCE)),
    supersededBy:
      supersededBy === null ? undefined : await project.findRecord(visible, supersededBy, { forgotten: true }),
    superseded: await readSuperseded(project, record),
  }
}

async function readSuperseded(
  project: ProjectReads,
  { id, workspaceId, audience }: StoredRecord,
): Promise<StoredRecord[]> {
  const heads = await project.listSupersededBy(id, { limit: MAX_SUPERSEDED })
  const own = heads.filter((head) => head.workspaceId === workspaceId && head.audience === audience)
  return readInOrder(project, [audience], own)
}

async function readInOrder(project: ProjectReads, visible: Visible, heads: RecordHead[]): Promise<StoredRecord[]> {
  const seqs = heads.map(({ seq }) => seq)
  const records = await readBySeq(project, visible, seqs)
  return seqs.map((seq) => records.get(seq)).filter((found) => found !== undefined)
}
