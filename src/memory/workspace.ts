import { Refusal } from '../errors.ts'
import type { ProjectReads, ProjectWrites, Visible, Workspace } from '../store/project.ts'
import { shorten } from './text.ts'

export const DEFAULT_WORKSPACE = 'default'

/** 1 to 64 letters, digits, `.`, `_` or `-`, of any script. */
const NAME = /^[\p{L}\p{M}\p{N}._-]{1,64}$/u

/** The workspace that is saved into: made at its first save, or anew after it was removed. Throws a Refusal for a bad name. */
export async function openWorkspace(tx: ProjectWrites, name: string, now: number): Promise<Workspace> {
  if (!NAME.test(name)) throw new Refusal("workspace must be 1 to 64 letters, digits, '.', '_' or '-'")
  return (await tx.findWorkspace(name)) ?? (await tx.insertWorkspace(name, now))
}

/**
 * The workspace that is read from. Throws a Refusal when it was never written to or is removed. Where all that was ever written to it
 * was for others, it was never written to as far as this reader may know.
 */
export async function requireWorkspace(project: ProjectReads, visible: Visible, name: string): Promise<Workspace> {
  const found = await project.findWorkspace(name)
  const known = found !== undefined && (visible === undefined || (await project.isWrittenFor(visible, found.id)))
  if (!known) throw new Refusal(`workspace '${shorten(name)}' is not active`)
  return found
}
