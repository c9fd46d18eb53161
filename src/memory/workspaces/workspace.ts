import type { Limits } from '../../account/limits/plan.ts'
import { CountedRefusal, Refusal } from '../../errors.ts'
import type { ProjectReads, ProjectWrites } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import type { SeenWorkspace, Workspace } from '../../store/workspace.ts'
import { toComparableKey } from '../../text/comparable.ts'
import { shorten } from '../records/text-argument.ts'

export const DEFAULT_WORKSPACE = 'default'

/**
 * 1 to 64 letters, digits, `.`, `_` or `-`, of any script, but not the names that file systems and URLs have for a
 * folder itself and the one above.
 */
const NAME = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._-]{1,64}$/u

/** @throws Refusal for an invalid name. */
export function requireWorkspaceName(name: string, field = 'workspace'): void {
  if (!NAME.test(name))
    throw new Refusal("workspace must be 1 to 64 letters, digits, '.', '_' or '-', and not '.' or '..'", field)
}

/**
 * The workspace with a name; otherwise the oldest whose name differs from it only in case, among those active for the
 * audiences `visible`.
 */
export const findInAnyCase = async (
  reads: ProjectReads,
  visible: Visible,
  name: string,
): Promise<Workspace | undefined> => (await reads.findWorkspace(name)) ?? reads.findWorkspaceInAnyCase(name, visible)

/**
 * The workspace that `findInAnyCase` finds, to save into; for no audiences, the one of exactly this name. It is created
 * at its first save, and again, empty, after it was removed.
 *
 * @throws Refusal for an invalid name, and if a new workspace would exceed the plan's limit.
 */
export async function openWorkspace(
  tx: ProjectWrites,
  visible: Visible,
  name: string,
  now: number,
  limits: Limits,
): Promise<Workspace> {
  requireWorkspaceName(name)
  const found = await findInAnyCase(tx, visible, name)
  if (found !== undefined) return found
  if ((await tx.countWorkspaces()) >= limits.workspaces)
    throw new CountedRefusal(
      'memory_limit',
      'project memory limit exceeded (workspaces)',
      undefined,
      'Name a workspace that exists, or ask an owner of the account for a larger plan.',
    )
  return tx.insertWorkspace(name, now)
}

/**
 * The workspace of a record, removed or not, by its number. Throws an Error for a record without one, which is damage.
 */
export async function requireWorkspaceById(reads: ProjectReads, id: number): Promise<Workspace> {
  const [workspace] = await reads.findWorkspacesById([id])
  if (workspace === undefined) throw new Error(`no row of workspace ${id}`)
  return workspace
}

/** Whether a workspace that is not removed ever had a record that everyone in the project saw. */
export const isSharedWorkspace = async (project: ProjectReads, name: string): Promise<boolean> =>
  (await project.findWorkspace(name, ['*'])) !== undefined

/**
 * The workspace with a name, otherwise the oldest whose name differs only in case, to read from. It is active for the
 * audiences `visible` if it is not removed, and a record for one of them was saved into it.
 *
 * @throws Refusal for a workspace that is not active for the audiences `visible`, with the same message whether it
 *   never existed or only others saved into it.
 */
export async function requireWorkspace(project: ProjectReads, visible: Visible, name: string): Promise<Workspace> {
  const found = (await project.findWorkspace(name, visible)) ?? (await project.findWorkspaceInAnyCase(name, visible))
  if (found === undefined)
    throw new CountedRefusal(
      'not_found',
      `workspace '${shorten(name)}' is not active`,
      'workspace',
      await toAdvice(project, visible),
    )
  return found
}

/** Names in the advice of a refusal. */
const MAX_NAMED = 20

/** Says which workspaces have records for the audiences. */
async function toAdvice(project: ProjectReads, visible: Visible): Promise<string> {
  const names: string[] = []
  for await (const batch of eachWorkspaceBatch(project, visible)) {
    names.push(...batch.filter(({ records }) => records > 0).map(({ name }) => `'${name}'`))
    if (names.length > MAX_NAMED) break
  }
  if (names.length === 0) return 'Nothing is saved in this project yet. The first save makes its workspace.'
  const more = names.length > MAX_NAMED ? ' and others' : ''
  return `Records are in ${names.slice(0, MAX_NAMED).join(', ')}${more}. Name one of these as workspace, or '*' for all of them in search.`
}

const MAX_REMOVED_WORKSPACES = 100_000

/** Ids of the workspace of this name, and of removed ones that had it; none if there never was one. */
export async function findWorkspaceIds(project: ProjectReads, visible: Visible, name: string): Promise<number[]> {
  const active = await findInAnyCase(project, visible, name)
  const removed = await project.listRemovedWorkspaces({ name, limit: MAX_REMOVED_WORKSPACES })
  return [...(active === undefined ? [] : [active]), ...removed].map(({ id }) => id)
}

/** Workspaces on a page of the console. */
const PAGE_SIZE = 50
/** Workspaces that are read at a time to visit all. */
export const BATCH_WORKSPACES = 500

/** A page of workspaces. `more` is the name after which the next page begins, undefined on the last page. */
export type WorkspacePage = { workspaces: SeenWorkspace[]; more: string | undefined }

/**
 * A page of the workspaces after the name `after` that are active for the audiences `visible`, by name, each with the
 * number of its visible records. Time does not depend on the number of workspaces.
 */
export async function listWorkspaces(project: ProjectReads, visible: Visible, after?: string): Promise<WorkspacePage> {
  const found = await project.listWorkspaces(visible, { after, limit: PAGE_SIZE + 1 })
  const workspaces = found.slice(0, PAGE_SIZE)
  return { workspaces, more: found.length > PAGE_SIZE ? workspaces.at(-1)?.name : undefined }
}

/** Yields all active workspaces after the name `after` by name, in batches that are never empty. */
export async function* eachWorkspaceBatch(
  project: ProjectReads,
  visible: Visible,
  after?: string,
): AsyncGenerator<SeenWorkspace[]> {
  for (let last = after; ; ) {
    const batch = await project.listWorkspaces(visible, { after: last, limit: BATCH_WORKSPACES })
    if (batch.length > 0) yield batch
    if (batch.length < BATCH_WORKSPACES) return
    last = batch.at(-1)?.name
  }
}

/** Yields all workspaces that were removed and are not erased yet. */
export async function* eachRemovedWorkspace(project: ProjectReads): AsyncGenerator<Workspace, void> {
  for (let afterId = 0; ; ) {
    const batch = await project.listRemovedWorkspaces({ afterId, limit: BATCH_WORKSPACES })
    yield* batch
    if (batch.length < BATCH_WORKSPACES) return
    afterId = batch.at(-1)?.id ?? afterId
  }
}

/** Yields all workspaces, active ones first. */
export async function* eachWorkspace(project: ProjectReads): AsyncGenerator<Workspace, void> {
  for await (const batch of eachWorkspaceBatch(project, undefined)) yield* batch
  yield* eachRemovedWorkspace(project)
}

/** How many workspaces are active for the audiences `visible`. */
export async function countVisibleWorkspaces(project: ProjectReads, visible: Visible): Promise<number> {
  let count = 0
  for await (const batch of eachWorkspaceBatch(project, visible)) count += batch.length
  return count
}

/**
 * Names of active workspaces that differ only in case, each group by name. Earlier programs made them. Time is linear
 * in the number of workspaces.
 */
export async function findTwinWorkspaces(project: ProjectReads): Promise<string[][]> {
  const names = new Map<string, string[]>()
  for await (const batch of eachWorkspaceBatch(project, undefined))
    for (const { name } of batch) names.set(toComparableKey(name), [...(names.get(toComparableKey(name)) ?? []), name])
  return [...names.values()].filter(({ length }) => length > 1)
}
