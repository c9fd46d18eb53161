import { Refusal } from '../../errors.ts'
import type { Account, Project } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads } from '../../store/control.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireName } from './name.ts'

/** A project, not yet kept. Throws a Refusal for a bad name. */
export function newProject({ clock, random }: AppContext, account: Account, name: string): Project {
  const now = clock.now()
  return { id: random.uuid(now), accountId: account.id, name: requireName('the project name', name), createdAt: now, removedAt: null }
}

/** Makes a project in an account. Throws a Refusal for a name in use there. */
export async function addProject(ctx: AppContext, account: Account, name: string, by: Actor): Promise<Project> {
  const project = newProject(ctx, account, name)
  await ctx.store.control.write(async (tx) => {
    await refuseTakenName(tx, account.id, project.name)
    await tx.insertProject(project)
    await recordEvent(ctx, tx, by, toDeed('project.add', project, { name: project.name }))
  })
  return project
}

/** The project of this name or id, in one account or in any. Throws a Refusal when there is none, or several of the name. */
export async function requireProject({ store }: AppContext, ref: string, account?: Account): Promise<Project> {
  const named = await store.control.findProjects(ref)
  const found = account === undefined ? named : named.filter(({ accountId }) => accountId === account.id)
  const [only] = found
  if (only === undefined) throw new Refusal(`no project '${ref}'`)
  if (found.length > 1) throw new Refusal(`several accounts have a project '${ref}'; name the account too, or give the project's id`)
  return only
}

/** Renames a project; its id, keys and records stay. Throws a Refusal for a name in use in its account. */
export async function renameProject(ctx: AppContext, project: Project, to: string, by: Actor): Promise<Project> {
  const name = requireName('the project name', to)
  await ctx.store.control.write(async (tx) => {
    if (name !== project.name) await refuseTakenName(tx, project.accountId, name)
    await tx.updateProject(project.id, { name })
    await recordEvent(ctx, tx, by, toDeed('project.rename', project, { from: project.name, to: name }))
  })
  return { ...project, name }
}

/** Removes a project for good: its keys are dead at once, then its file is erased. */
export async function removeProject(ctx: AppContext, project: Project, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    await tx.updateProject(project.id, { removedAt: ctx.clock.now() })
    await recordEvent(ctx, tx, by, toDeed('project.remove', project, { name: project.name }))
  })
  await ctx.store.eraseProject(project.id)
}

const toDeed = (act: string, { id, accountId }: Project, details: AuditEntry['details']) => ({
  act,
  accountId,
  projectId: id,
  target: id,
  details,
})

async function refuseTakenName(tx: ControlReads, accountId: string, name: string): Promise<void> {
  const taken = await tx.findProjects(name)
  if (taken.some((other) => other.accountId === accountId)) throw new Refusal(`the account already has a project '${name}'`)
}
