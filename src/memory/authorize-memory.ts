import type { Actor } from '../account/auth/actor.ts'
import { OPERATOR } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { requireVisibleProject } from '../account/organizations/project-access.ts'
import { requireActiveSubscription, type ToolAccess } from '../account/subscription/subscription.ts'
import { Refusal } from '../errors.ts'
import type { Account } from '../store/account.ts'
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
 * Authorizes an actor for the records of a project. A caller of a tool may use the project of their key, and a member the projects visible to them, both as
 * far as the account's subscription allows; the operator and the service itself may always use every project.
 *
 * @throws Refusal for a project that the actor may not use, Notice if the subscription does not allow this access.
 */
export async function authorizeMemory(ctx: AppContext, actor: Actor, projectId: string, access: ToolAccess): Promise<Memory> {
  const { account, author, visible } = await authorize(ctx, actor, projectId)
  if (visible !== undefined) requireActiveSubscription(ctx, { account }, access)
  return { account, projectId, records: ctx.store.project(projectId), author, visible }
}

const NO_PROJECT = 'there is no such project, or it is not open to you'

type Authorized = Pick<Memory, 'account' | 'author' | 'visible'>

async function authorize(ctx: AppContext, actor: Actor, projectId: string): Promise<Authorized> {
  switch (actor.kind) {
    case 'caller':
      if (actor.caller.projectId !== projectId) throw new Refusal(NO_PROJECT)
      return { account: actor.caller.account, author: actor.caller, visible: visibleTo(actor.caller) }
    case 'member': {
      await requireVisibleProject(ctx, actor, projectId)
      const author = { authorId: actor.member.id, departmentId: actor.member.departmentId ?? undefined }
      return { account: actor.account, author, visible: visibleTo(author) }
    }
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

function requireFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Refusal(NO_PROJECT)
  return found
}

/** The fields that every audit event about a project's records has. */
export const placeOf = ({ account, projectId }: Memory) => ({ accountId: account.id, projectId })
