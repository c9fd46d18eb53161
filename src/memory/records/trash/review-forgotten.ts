import { recordEventAlone } from '../../../account/audit/audit.ts'
import type { Actor } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { Refusal } from '../../../errors.ts'
import { authorizeMemory, placeOf } from '../../authorize-memory.ts'
import { requireForgotten } from './restore.ts'

type Input = { projectId: string; id: string }

/**
 * Removes a verified record that an assistant forgot from the review queue: a person agrees that it stays forgotten.
 *
 * @throws Refusal for a record that does not exist or is not forgotten.
 */
export function acceptForgetting(ctx: AppContext, actor: Actor, input: Input): Promise<void> {
  return setNeedsReview(ctx, actor, input, { act: 'record.leave', needsReview: false })
}

/**
 * Undoes `acceptForgetting`: the record is in the review queue again.
 *
 * @throws Refusal for a record that does not exist, is not forgotten or was not verified.
 */
export function returnToReview(ctx: AppContext, actor: Actor, input: Input): Promise<void> {
  return setNeedsReview(ctx, actor, input, { act: 'record.unleave', needsReview: true })
}

type Change = { act: string; needsReview: boolean }

async function setNeedsReview(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: Input,
  { act, needsReview }: Change,
): Promise<void> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  await memory.records.write(async (tx) => {
    const { status } = await requireForgotten(tx, memory.visible, id)
    if (needsReview && status !== 'verified')
      throw new Refusal('only a verified record that was forgotten waits for a review')
    await tx.updateRecord(id, { needsReview })
  })
  await recordEventAlone(ctx, actor, { act, ...placeOf(memory), target: id })
}
