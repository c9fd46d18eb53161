import { Refusal } from '../errors.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Account, ControlReads, Project } from '../store/control.ts'
import { type By, note } from './audit.ts'
import type { Means } from './means.ts'
import { requireName } from './name.ts'

type Making = Pick<Means, 'clock' | 'random'>
type Changing = Pick<Means, 'store' | 'clock'>

/** A project, not yet kept. Throws a Refusal for a bad name. */
export function newProject({ clock, random }: Making, account: Account, name: string): Project {
  const now = clock.now()
  return { id: random.uuid(now), accountId: account.id, name: requireName('the project name', name), createdAt: now, removedAt: null }
}

/** Makes a project in an account. Throws a Refusal for a name in use there. */
export async function addProject(means: Making & Pick<Means, 'store'>, account: Account, name: string, by: By): Promise<Project> {
  const project = newProject(means, account, name)
  await means.store.control.write(async (tx) => {
    await refuseTakenName(tx, account.id, project.name)
    await tx.insertProject(project)
    await note(means, tx, by, toDeed('project.add', project, { name: project.name }))
  })
  return project
}

/** The project of this name or id, in one account or in any. Throws a Refusal when there is none, or several of the name. */
export async function requireProject({ store }: Pick<Means, 'store'>, ref: string, account?: Account): Promise<Project> {
  const named = await store.control.findProjects(ref)
  const found = account === undefined ? named : named.filter(({ accountId }) => accountId === account.id)
  const [only] = found
  if (only === undefined) throw new Refusal(`no project '${ref}'`)
  if (found.length > 1) throw new Refusal(`several accounts have a project '${ref}'; name the account too, or give the project's id`)
  return only
}

/** Renames a project; its id, keys and records stay. Throws a Refusal for a name in use in its account. */
export async function renameProject(means: Changing, project: Project, to: string, by: By): Promise<Project> {
  const name = requireName('the project name', to)
  await means.store.control.write(async (tx) => {
    if (name !== project.name) await refuseTakenName(tx, project.accountId, name)
    await tx.updateProject(project.id, { name })
    await note(means, tx, by, toDeed('project.rename', project, { from: project.name, to: name }))
  })
  return { ...project, name }
}

/** Removes a project for good: its keys are dead at once, then its file is erased. */
export async function removeProject(means: Changing, project: Project, by: By): Promise<void> {
  await means.store.control.write(async (tx) => {
    await tx.updateProject(project.id, { removedAt: means.clock.now() })
    await note(means, tx, by, toDeed('project.remove', project, { name: project.name }))
  })
  await means.store.eraseProject(project.id)
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
