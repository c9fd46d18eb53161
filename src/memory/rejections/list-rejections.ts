import { type Actor, type MemberActor, mayManage } from '../../account/auth/actor.ts'
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
  const manages = mayManage(member)
  const { scopes, actor } = toVisible(member)
  const events = await ctx.store.control.listRejections({ projectId, scopes, actor, ...page })
  return manages ? events : events.map((event) => (event.actor === actor ? event : { ...event, via: null }))
}

const toVisible = (member: MemberActor['member']) => ({
  scopes: mayManage(member) ? ['shared', 'department'] : ['shared'],
  actor: `member:${member.id}`,
})

/** Rejections that are counted, of each scope and of one's own: by an index, and own ones by their rows. */
export const MAX_REJECTED = 10_000

/**
 * Number of rejections since a time, or more than `MAX_REJECTED` if there are as many: for a member, those that
 * `listRejections` lists; for the operator, all.
 *
 * @throws Refusal for a project that the member may not open.
 */
export async function countRejected(
  ctx: AppContext,
  actor: Actor,
  { projectId, since }: { projectId: string; since: number },
): Promise<number> {
  const { control } = ctx.store
  const limit = MAX_REJECTED + 1
  if (actor.kind !== 'member')
    return (await control.listAudit({ projectId, act: 'record.reject', limit })).filter(({ at }) => at >= since).length
  await requireVisibleProject(ctx, actor, projectId)
  const [first] = await control.list(
    'audit',
    { accountId: actor.account.id, at: { from: since } },
    { by: 'at', limit: 1 },
  )
  return first === undefined
    ? 0
    : control.countRejections({ projectId, ...toVisible(actor.member), fromSeq: first.seq, limit })
}
