import type { Actor, MemberActor } from '../account/auth/actor.ts'
import { OPERATOR } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { listVisibleProjects, requireVisibleProject } from '../account/organizations/project-access.ts'
import { requireActiveSubscription, type ToolAccess } from '../account/subscription/subscription.ts'
import { Refusal } from '../errors.ts'
import type { Account, Project } from '../store/account.ts'
import type { ProjectStore } from '../store/project.ts'
import type { Visible } from '../store/record.ts'
import { type Principal, visibleTo } from './visibility.ts'

/** The records of one project, as an actor may use them. */
export type Memory = {
  account: Account
  projectId: string
  records: ProjectStore
  /** The identity under which the actor saves. */
  author: Principal
  /** The audiences whose records the actor sees; undefined, meaning all, for the operator and the service itself. */
  visible: Visible
}

/**
 * Authorizes an actor for the records of a project. A caller of a tool may use the project of their key, and a member
 * the projects visible to them, both as far as the account's subscription allows; the operator and the service itself
 * may always use every project.
 *
 * @throws Refusal for a project that the actor may not use, Notice if the subscription does not allow this access.
 */
export async function authorizeMemory(
  ctx: AppContext,
  actor: Actor,
  projectId: string,
  access: ToolAccess,
): Promise<Memory> {
  const { account, author, visible } = await authorize(ctx, actor, projectId)
  if (visible !== undefined) requireActiveSubscription(ctx, { account }, access)
  return { account, projectId, records: ctx.store.project(projectId), author, visible }
}

/**
 * Authorizes a member for several projects at once, which takes one look at their rights. Returns the records by
 * project; a project that is not visible to the member has none.
 *
 * @throws Notice if the subscription does not allow this access.
 */
export async function authorizeMemories(
  ctx: AppContext,
  actor: MemberActor,
  projects: Project[],
  access: ToolAccess,
): Promise<Map<string, Memory>> {
  requireActiveSubscription(ctx, actor, access)
  const permitted = new Set((await listVisibleProjects(ctx, actor)).map(({ id }) => id))
  const toMemory = (projectId: string) => ({
    projectId,
    records: ctx.store.project(projectId),
    ...authorizedMember(actor),
  })
  return new Map(projects.flatMap(({ id }) => (permitted.has(id) ? [[id, toMemory(id)]] : [])))
}

const NO_PROJECT = 'there is no such project, or it is not open to you'

type Authorized = Pick<Memory, 'account' | 'author' | 'visible'>

async function authorize(ctx: AppContext, actor: Actor, projectId: string): Promise<Authorized> {
  switch (actor.kind) {
    case 'caller':
      if (actor.caller.projectId !== projectId) throw new Refusal(NO_PROJECT)
      return { account: actor.caller.account, author: actor.caller, visible: visibleTo(actor.caller) }
    case 'member':
      await requireVisibleProject(ctx, actor, projectId)
      return authorizedMember(actor)
    case 'application':
    case 'anonymous':
      throw new Refusal(NO_PROJECT)
    default: {
      const project = (await ctx.store.control.findProjects(projectId)).find(({ id }) => id === projectId)
      const account = await requireAccount(ctx, requireFound(project).accountId)
      return { account, author: { authorId: OPERATOR, departmentId: undefined }, visible: undefined }
    }
  }
}

function authorizedMember({ member, account }: MemberActor): Authorized {
  const author = { authorId: member.id, departmentId: member.departmentId ?? undefined }
  return { account, author, visible: visibleTo(author) }
}

function requireFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Refusal(NO_PROJECT)
  return found
}

/** The fields that every audit event about a project's records has. */
export const placeOf = ({ account, projectId }: Memory) => ({ accountId: account.id, projectId })
