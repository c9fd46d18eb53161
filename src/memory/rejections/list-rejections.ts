import type { Actor, MemberActor } from '../../account/auth/actor.ts'
import { mayManage } from '../../account/auth/authorize.ts'
import type { AppContext } from '../../account/context.ts'
import { requireVisibleProject } from '../../account/organizations/project-access.ts'
import type { AuditEntry } from '../../store/audit.ts'

/** An audit event about a record that the guard rejected. */
type Rejection = AuditEntry & { seq: number }

/** `beforeSeq` is the number of the last event of the previous page. */
type Page = { beforeSeq: number | undefined; limit: number }

/**
 * What the guard rejected in a project, newest first. A member sees rejections of their own saves and of shared
 * records; owners and admins also see those of department records. Nobody sees rejections of another person's drafts.
 * Only owners and admins see the client address of another member.
 */
export async function listRejections(
  ctx: AppContext,
  { member, account }: Pick<MemberActor, 'member' | 'account'>,
  projectId: string,
  page: Page,
): Promise<Rejection[]> {
  await requireVisibleProject(ctx, { member, account }, projectId)
  const actor = `member:${member.id}`
  const manages = mayManage(member)
  const scopes = manages ? ['shared', 'department'] : ['shared']
  const events = await ctx.store.control.listRejections({ projectId, scopes, actor, ...page })
  return manages ? events : events.map((event) => (event.actor === actor ? event : { ...event, via: null }))
}

/** Rejections are counted up to this number. */
const MAX_COUNTED = 100

/**
 * Number of rejections since a time, up to 100: for a member, those that `listRejections` lists; for the operator, all.
 *
 * @throws Refusal for a project that the member may not open.
 */
export async function countRejected(
  ctx: AppContext,
  actor: Actor,
  { projectId, since }: { projectId: string; since: number },
): Promise<number> {
  const page = { beforeSeq: undefined, limit: MAX_COUNTED }
  const events =
    actor.kind === 'member'
      ? await listRejections(ctx, actor, projectId, page)
      : await ctx.store.control.listAudit({ projectId, act: 'record.reject', limit: MAX_COUNTED })
  return events.filter(({ at }) => at >= since).length
}
