import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { authorizeHistory } from '../authorize-history.ts'

type Place = { projectId: string }

/** Whether the actor agreed to suggestions from their sessions in a project. @throws Refusal as `authorizeHistory`. */
export async function readSuggesting(ctx: AppContext, actor: Actor, { projectId }: Place): Promise<boolean> {
  const { ownerId, store } = await authorizeHistory(ctx, actor, projectId)
  if (!(await ctx.store.hasHistory(projectId))) return false
  return (await store.listSuggestionOwners()).some((one) => one.ownerId === ownerId)
}

/**
 * Switches suggestions from the actor's own sessions in a project on or off. Off, what waits for them is erased; what
 * they dismissed is remembered, so that it does not return.
 *
 * @throws Refusal as `authorizeHistory`, and for a service key: nobody would see its suggestions; Notice if the
 *   subscription forbids to switch them on.
 */
export async function setSuggesting(
  ctx: AppContext,
  actor: Actor,
  { projectId, isOn }: Place & { isOn: boolean },
): Promise<void> {
  const { account, ownerId, store } = await authorizeHistory(ctx, actor, projectId, isOn ? 'write' : undefined)
  if (!isOn && !(await readSuggesting(ctx, actor, { projectId }))) return
  const [member] = await ctx.store.control.findMembers(ownerId, 1)
  if (isOn && member === undefined)
    throw new Refusal('suggestions are shown to people in the console; a service key gets none')
  await store.write(async (tx) => {
    await tx.saveSuggestionOwner(ownerId, isOn ? ctx.clock.now() : undefined)
    if (!isOn) await tx.eraseSuggestions({ ownerId, states: ['open', 'seen'] })
  })
  if (!isOn) await store.scrub()
  const act = isOn ? 'history.suggest' : 'history.suggest-end'
  await recordEventAlone(ctx, actor, { act, accountId: account.id, projectId, target: projectId })
}
