import { Refusal } from '../../errors.ts'
import type { Member, Project } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import { recordEvent } from '../audit/audit.ts'
import {
  type AccountMember,
  type Actor,
  type MemberActor,
  mayManage,
  requireManager,
  requireMayChange,
} from '../auth/actor.ts'
import type { AppContext } from '../context.ts'

/** Why a project is open to a member: they hold a live key of it, or somebody opened it to them. */
export type ProjectAccess = 'key' | 'opened'

/**
 * The projects open to a member, by id. Owners and admins see all projects of their account without this. `now` is in
 * milliseconds since 1970.
 */
export async function readAccess(
  control: ControlReads,
  member: Pick<Member, 'id'>,
  now: number,
): Promise<Map<string, ProjectAccess>> {
  const live = await control.list('keys', { memberId: member.id, revokedAt: null, expiresAt: { after: now } })
  const opened = await control.list('access', { memberId: member.id })
  return new Map<string, ProjectAccess>([
    ...opened.map(({ projectId }) => [projectId, 'opened'] as const),
    ...live.map(({ projectId }) => [projectId, 'key'] as const),
  ])
}

/**
 * The projects a member sees in the console, by name: owners and admins all of their account, others those that are
 * open to them.
 */
export async function listVisibleProjects(
  { store, clock }: AppContext,
  { member, account }: AccountMember,
): Promise<Project[]> {
  const projects = await store.control.list('projects', { accountId: account.id, removedAt: null })
  const sorted = projects.sort((a, b) => a.name.localeCompare(b.name))
  if (mayManage(member)) return sorted
  const access = await readAccess(store.control, member, clock.now())
  return sorted.filter(({ id }) => access.has(id))
}

/**
 * The project of this id, for a member who sees it.
 *
 * @throws Refusal, the same for a project of another account, one that is not open to the member, a removed one and
 *   none.
 */
export async function requireVisibleProject(
  { store, clock }: AppContext,
  { member, account }: AccountMember,
  id: string,
): Promise<Project> {
  const found = (await store.control.findProjects(id)).find(
    (project) => project.id === id && project.accountId === account.id,
  )
  const isVisible =
    found !== undefined && (mayManage(member) || (await readAccess(store.control, member, clock.now())).has(id))
  if (!isVisible) throw new Refusal('there is no such project, or it is not open to you')
  return found
}

/**
 * The project of this id, for those who manage its account.
 *
 * @throws Refusal for others, and as `requireVisibleProject`.
 */
export async function requireManagedProject(ctx: AppContext, actor: MemberActor, id: string): Promise<Project> {
  requireManager(actor, actor.account.id)
  return requireVisibleProject(ctx, actor, id)
}

type AccessChange = { project: Project; member: Member; isOpen: boolean }

/**
 * Opens a project to a member, who then sees its shared records in the console and may issue keys to themselves; or
 * closes it again. Keys that they hold stay, and keep it open while they are live.
 *
 * @throws Refusal for an actor who may not change the member, and for a member of another account.
 */
export async function changeAccess(
  ctx: AppContext,
  actor: Actor,
  { project, member, isOpen }: AccessChange,
): Promise<void> {
  const { id: projectId, accountId } = project
  requireMayChange(actor, member.accountId, member.role)
  if (accountId !== member.accountId) throw new Refusal(`'${member.email}' is no member of the project's account`)
  const [act, access] = [isOpen ? 'project.open' : 'project.close', { memberId: member.id, projectId }]
  await ctx.store.control.write(async (tx) => {
    await (isOpen ? tx.save('access', access) : tx.delete('access', access))
    const details = { email: member.email }
    await recordEvent(ctx, tx, actor, { act, accountId, projectId, target: member.id, details })
  })
}
