import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { authorizeMemory, placeOf } from '../authorize-memory.ts'
import { requireForgotten } from './restore.ts'

/**
 * Takes a verified record that an assistant forgot off the review: a person has looked at it, and it stays forgotten.
 *
 * @throws Refusal for a record that is not there or not forgotten.
 */
export async function leaveForgotten(ctx: AppContext, actor: Actor, { projectId, id }: { projectId: string; id: string }): Promise<void> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  await memory.records.write(async (tx) => {
    await requireForgotten(tx, memory.visible, id)
    await tx.updateRecord(id, { needsReview: false })
  })
  await recordEventAlone(ctx, actor, { act: 'record.leave', ...placeOf(memory), target: id })
}
