import type { Means } from '../account/means.ts'
import { mayManage } from '../account/rights.ts'
import type { Visitor } from '../account/session.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Project } from '../store/control.ts'

export type Rejection = AuditEntry & { seq: number }

/** `beforeSeq` is the last line of the part before. */
type Part = { beforeSeq: number | undefined; limit: number }

/**
 * What the guard rejected in a project, newest first, as far as a visitor may know of it: owners and admins all, as in the audit log; others
 * what they saved themselves and what was meant for everybody, without the address of somebody else.
 */
export async function listRejections(
  { store }: Pick<Means, 'store'>,
  { member }: Visitor,
  { id: projectId }: Pick<Project, 'id'>,
  part: Part,
): Promise<Rejection[]> {
  const self = `member:${member.id}`
  const manages = mayManage(member)
  const lines = await store.control.listAudit({ projectId, act: 'record.reject', sharedOrBy: manages ? undefined : self, ...part })
  return manages ? lines : lines.map((line) => (line.actor === self ? line : { ...line, origin: null }))
}
