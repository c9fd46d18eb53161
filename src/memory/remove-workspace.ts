import type { Clock, Means } from '../account/means.ts'
import type { ProjectStore, ProjectWrites } from '../store/project.ts'
import { requireWorkspace } from './workspace.ts'

/** Most records forgotten in one transaction, and the time after which one ends, in milliseconds: nobody else can save meanwhile. */
const CHUNK = 50
const LONGEST = 5

type Given = Pick<Means, 'store' | 'clock'>

/**
 * Removes a workspace: it is not active from the first step on, and its records are forgotten after that, chunk by chunk. Returns how many were.
 * What a crash leaves, `forgetLeftovers` forgets. Throws a Refusal for a workspace that is not active.
 */
export async function removeWorkspace({ store, clock }: Given, projectId: string, name: string): Promise<number> {
  const project = store.project(projectId)
  const id = await project.write(async (tx) => {
    const workspace = await requireWorkspace(tx, undefined, name)
    await tx.removeWorkspace(workspace.id, clock.now())
    return workspace.id
  })
  return forgetLeftovers({ clock }, project, id)
}

/** Forgets the records that a removed workspace still has. Returns how many. */
export async function forgetLeftovers({ clock }: Pick<Means, 'clock'>, project: ProjectStore, workspaceId: number): Promise<number> {
  for (let forgotten = 0; ; ) {
    const chunk = await project.write((tx) => forgetSome(tx, clock, workspaceId))
    if (chunk === 0) return forgotten
    forgotten += chunk
  }
}

async function forgetSome(tx: ProjectWrites, clock: Clock, workspaceId: number): Promise<number> {
  const end = clock.ticks() + LONGEST
  let forgotten = 0
  for (const { id } of await tx.listRecords({ visible: undefined, workspaceId, limit: CHUNK })) {
    await tx.forgetRecord(id, clock.now())
    forgotten += 1
    if (clock.ticks() > end) break
  }
  return forgotten
}
