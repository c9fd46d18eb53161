import type { Limits } from '../../account/limits/plan.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectReads, ProjectWrites } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import type { Workspace } from '../../store/workspace.ts'
import { shorten } from '../records/require-text.ts'

export const DEFAULT_WORKSPACE = 'default'

/** 1 to 64 letters, digits, `.`, `_` or `-`, of any script. */
const NAME = /^[\p{L}\p{M}\p{N}._-]{1,64}$/u

/**
 * The workspace that is saved into: made at its first save, or anew after it was removed. Throws a Refusal for a bad name, and where a
 * new one would take the project beyond its plan; those that are there stay usable.
 */
export async function openWorkspace(tx: ProjectWrites, name: string, now: number, limits: Limits): Promise<Workspace> {
  if (!NAME.test(name)) throw new Refusal("workspace must be 1 to 64 letters, digits, '.', '_' or '-'")
  const known = await tx.findWorkspace(name)
  if (known !== undefined) return known
  if ((await tx.countWorkspaces()) >= limits.workspaces) throw new Refusal('project memory limit exceeded (workspaces)')
  return tx.insertWorkspace(name, now)
}

/** Whether a workspace is active for those who see what is `visible`. */
export async function isActive(project: ProjectReads, visible: Visible, name: string): Promise<boolean> {
  return (await findActive(project, visible, name)) !== undefined
}

/**
 * The workspace that is read from. Throws a Refusal when it was never written to or is removed. Where all that was ever written to it
 * was for others, it was never written to as far as this reader may know.
 */
export async function requireWorkspace(project: ProjectReads, visible: Visible, name: string): Promise<Workspace> {
  const found = await findActive(project, visible, name)
  if (found === undefined) throw new Refusal(`workspace '${shorten(name)}' is not active`)
  return found
}

async function findActive(project: ProjectReads, visible: Visible, name: string): Promise<Workspace | undefined> {
  const found = await project.findWorkspace(name)
  if (found === undefined || visible === undefined) return found
  return (await project.isWrittenFor(visible, found.id)) ? found : undefined
}
