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

/** Rejections read at once. */
const READ_ROWS = 200

/**
 * Number of rejections since a time, up to about `most`: for a member, those that `listRejections` lists; for the
 * operator, all.
 *
 * @throws Refusal for a project that the member may not open.
 */
export async function countRejected(
  ctx: AppContext,
  actor: Actor,
  { projectId, since, most }: { projectId: string; since: number; most: number },
): Promise<number> {
  const isRecent = ({ at }: AuditEntry) => at >= since
  if (actor.kind !== 'member')
    return (await ctx.store.control.listAudit({ projectId, act: 'record.reject', limit: most })).filter(isRecent).length
  let count = 0
  for (let beforeSeq: number | undefined; ; ) {
    const events = await listRejections(ctx, actor, projectId, { beforeSeq, limit: READ_ROWS })
    const recent = events.filter(isRecent)
    count += recent.length
    if (recent.length < READ_ROWS || count >= most) return count
    beforeSeq = events.at(-1)?.seq
  }
}
