import type { Static } from 'typebox'
import { recordEventAlone } from '../../../account/audit/audit.ts'
import type { Actor } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { Refusal, StorageRefusal } from '../../../errors.ts'
import { authorizeMemory, placeOf } from '../../authorize-memory.ts'
import { verifyRecord } from '../verify.ts'
import type { RememberArguments } from './draft.ts'
import { rememberRecord } from './remember.ts'

/** What a person writes. With `confirm` it is verified at once; `seen` has the ids of the current records that they know to say something else. */
export type WriteInput = Static<typeof RememberArguments> & { projectId: string; confirm: boolean; seen?: string[] }

/** `created` is false where the record was there already; `isContested` where it was to be verified, and is not, because another one says something else. */
export type Written = { id: string; created: boolean; isContested: boolean }

/**
 * Saves a record that a person wrote, as `rememberRecord` does, and verifies it where they confirm it.
 *
 * @throws Refusal as `rememberRecord` does.
 */
export async function writeRecord(ctx: AppContext, actor: Actor, { confirm, seen = [], ...args }: WriteInput): Promise<Written> {
  const { projectId } = args
  const { id, created, status } = await rememberRecord(ctx, actor, args)
  const place = placeOf(await authorizeMemory(ctx, actor, projectId, 'write'))
  await recordEventAlone(ctx, actor, { act: 'record.write', ...place, target: id, details: { created } })
  const isToVerify = confirm && status !== 'verified'
  return { id, created, isContested: isToVerify && !(await isVerifiedNow(ctx, actor, { projectId, id, seen })) }
}

/** Verifies a record that was just saved, unless another one that the person has not seen says something else. */
async function isVerifiedNow(ctx: AppContext, actor: Actor, input: { projectId: string; id: string; seen: string[] }): Promise<boolean> {
  try {
    await verifyRecord(ctx, actor, input)
    return true
  } catch (error) {
    if (error instanceof Refusal && !(error instanceof StorageRefusal)) return false
    throw error
  }
}
