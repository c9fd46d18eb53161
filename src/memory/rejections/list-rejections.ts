import { mayManage } from '../../account/auth/authorize.ts'
import type { Visitor } from '../../account/auth/session.ts'
import type { AppContext } from '../../account/context.ts'
import { requireVisibleProject } from '../../account/organizations/visible-projects.ts'
import type { Project } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'

export type Rejection = AuditEntry & { seq: number }

/** `beforeSeq` is the last line of the part before. */
type Part = { beforeSeq: number | undefined; limit: number }

/**
 * What the guard rejected in a project, newest first, as far as a visitor may know of it: what they saved themselves and what was meant for everybody;
 * owners and admins what was meant for departments too. A draft is its author's alone. The address of somebody else is for owners and admins.
 */
export async function listRejections(ctx: AppContext, visitor: Visitor, { id }: Pick<Project, 'id'>, part: Part): Promise<Rejection[]> {
  const { id: projectId } = await requireVisibleProject(ctx, visitor, id)
  const actor = `member:${visitor.member.id}`
  const manages = mayManage(visitor.member)
  const scopes = manages ? ['shared', 'department'] : ['shared']
  const lines = await ctx.store.control.listRejections({ projectId, scopes, actor, ...part })
  return manages ? lines : lines.map((line) => (line.actor === actor ? line : { ...line, origin: null }))
}
