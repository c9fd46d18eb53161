import { type Static, Type } from 'typebox'
import type { Actor, MemberActor } from '../account/auth/actor.ts'
import { type Caller, OPERATOR } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { listVisibleProjects, requireVisibleProject } from '../account/organizations/project-access.ts'
import { requireActiveSubscription, type ToolAccess } from '../account/subscription/subscription.ts'
import { Refusal } from '../errors.ts'
import type { Account, Project } from '../store/account.ts'
import type { ProjectStore } from '../store/project.ts'
import type { Audience, Visible } from '../store/record.ts'

/** Who sees a record: every caller of the project, callers of the author's department, or its author alone. */
export const Scope = Type.Union([Type.Literal('shared'), Type.Literal('department'), Type.Literal('draft')])
export type Scope = Static<typeof Scope>
export const SCOPES = Scope.anyOf.map((scope) => scope.const)

/**
 * The identity under which somebody saves and reads records: a member or a service key, and the member's department.
 */
export type Principal = Pick<Caller, 'authorId' | 'departmentId'>

/**
 * The audiences whose records a principal may see. Every read of records is restricted to them; isolation within a
 * project depends on it.
 */
export function visibleTo({ authorId, departmentId }: Principal): Audience[] {
  const own = ['*', `a:${authorId}`]
  return departmentId === undefined ? own : [...own, `d:${departmentId}`]
}

/**
 * The audience of a record that a principal saves with a scope.
 *
 * @throws Refusal for scope `department` of a principal without one.
 */
export function audienceOf({ authorId, departmentId }: Principal, scope: Scope): Audience {
  if (scope === 'shared') return '*'
  if (scope === 'draft') return `a:${authorId}`
  if (departmentId === undefined)
    throw new Refusal("scope 'department' needs a department, and this key's holder has none")
  return `d:${departmentId}`
}

/** The scope that a record of this audience was saved with. */
export function scopeOf(audience: Audience): Scope {
  if (audience === '*') return 'shared'
  return audience.startsWith('d:') ? 'department' : 'draft'
}

/** The id of the department of an audience; undefined for other audiences. */
export function departmentOf(audience: Audience): string | undefined {
  return audience.startsWith('d:') ? audience.slice('d:'.length) : undefined
}

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
