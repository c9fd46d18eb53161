import { Refusal } from '../../errors.ts'
import { RULES_VERSION } from '../../secrets/credentials.ts'
import type { Account, Project } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads, Filter } from '../../store/control.ts'
import { type AuditEvent, recordEvent } from '../audit/audit.ts'
import { type Actor, requireManager, requireOwner } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireName } from './names.ts'

/** Maximum number of projects of an account, which are read together for every page of the console, in about 6 ms. */
const MAX_PROJECTS = 5_000

type NewProject = { account: Account; name: string }

/**
 * Makes a project without storing it.
 *
 * @throws Refusal for a bad name.
 */
export function newProject({ clock, random }: AppContext, { account, name }: NewProject): Project {
  const now = clock.now()
  const made = { id: random.uuid(now), accountId: account.id, name: requireName('the project name', name) }
  return { ...made, createdAt: now, removedAt: null, credentialRules: RULES_VERSION, keepsQuestions: false }
}

/**
 * Adds a project to an account.
 *
 * @throws Refusal for an actor who does not manage the account, for a bad name, for one in use there, and if there are
 *   5 000.
 */
export async function addProject(ctx: AppContext, actor: Actor, input: NewProject): Promise<Project> {
  requireManager(actor, input.account.id)
  const project = newProject(ctx, input)
  await ctx.store.control.write(async (tx) => {
    await requireNameAndRoom(tx, project)
    await tx.insert('projects', project)
    await recordEvent(ctx, tx, actor, toProjectEvent('project.add', project, { name: project.name }))
  })
  return project
}

/**
 * The project of this name or id, in one account or in any.
 *
 * @throws Refusal if there is none, and where several accounts have one of the name.
 */
export async function requireProject({ store }: AppContext, ref: string, account?: Account): Promise<Project> {
  const named = await store.control.findProjects(ref)
  const found = account === undefined ? named : named.filter(({ accountId }) => accountId === account.id)
  const [only] = found
  if (only === undefined) throw new Refusal(`no project '${ref}'`)
  if (found.length > 1)
    throw new Refusal(`several accounts have a project '${ref}'; name the account too, or give the project's id`)
  return only
}

/**
 * The projects of all accounts that meet the conditions, including removed ones whose files are not yet erased. They are
 * read account by account, which never takes long.
 */
export async function listAllProjects({ store }: AppContext, filter: Filter<'projects'> = {}): Promise<Project[]> {
  const accounts = await store.control.list('accounts', {})
  const list = ({ id }: Account) => store.control.list('projects', { ...filter, accountId: id })
  return (await Promise.all(accounts.map(list))).flat()
}

/**
 * Renames a project; its id, keys and records stay.
 *
 * @throws Refusal for an actor who does not manage the account, for a bad name and for one in use there.
 */
export async function renameProject(
  ctx: AppContext,
  actor: Actor,
  { project, name: to }: { project: Project; name: string },
): Promise<Project> {
  requireManager(actor, project.accountId)
  const name = requireName('the project name', to)
  await ctx.store.control.write(async (tx) => {
    await requireNameAndRoom(tx, { ...project, name })
    await tx.update('projects', { id: project.id }, { name })
    await recordEvent(ctx, tx, actor, toProjectEvent('project.rename', project, { from: project.name, to: name }))
  })
  return { ...project, name }
}

/**
 * Removes a project permanently: its keys are invalid at once, then its records are erased.
 *
 * @throws Refusal for everybody but the operator and owners of the account.
 */
export async function removeProject(ctx: AppContext, actor: Actor, project: Project): Promise<void> {
  requireOwner(actor, project.accountId)
  await ctx.store.control.write(async (tx) => {
    await tx.update('projects', { id: project.id }, { removedAt: ctx.clock.now() })
    await recordEvent(ctx, tx, actor, toProjectEvent('project.remove', project, { name: project.name }))
  })
  await ctx.store.eraseProject(project.id)
}

/** An audit event about a project. */
export function toProjectEvent(act: string, { id, accountId }: Project, details: AuditEntry['details']): AuditEvent {
  return { act, accountId, projectId: id, target: id, details }
}

/** Throws a Refusal if the account has another project with this name, or 5 000 others. */
export async function requireNameAndRoom(
  reads: Pick<ControlReads, 'list'>,
  { id, accountId, name }: Project,
): Promise<void> {
  const others = (await reads.list('projects', { accountId, removedAt: null })).filter((other) => other.id !== id)
  // A project is named by its id, too.
  if (others.some((other) => other.name === name || other.id === name))
    throw new Refusal(`the account already has a project '${name}'`, 'name')
  if (others.length >= MAX_PROJECTS)
    throw new Refusal(`an account has at most ${MAX_PROJECTS} projects; remove some first`)
}
