import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { Suggestion, SuggestionState } from '../../store/history.ts'
import { authorizeHistory, type Histories } from '../authorize-history.ts'

/** Maximum number of suggestions on a page. */
const MAX_SHOWN = 30

type Place = { projectId: string; id: string }

/**
 * The suggestions that wait for the actor in a project, newest first.
 *
 * @throws Refusal as `authorizeHistory`; Notice where the subscription forbids it.
 */
export async function listSuggestions(ctx: AppContext, actor: Actor, projectId: string): Promise<Suggestion[]> {
  const { store, ownerId } = await authorizeHistory(ctx, actor, projectId, 'read')
  if (!(await ctx.store.hasHistory(projectId))) return []
  return store.listSuggestions({ ownerId, states: ['open'], limit: MAX_SHOWN })
}

/**
 * One suggestion of the actor that waits.
 *
 * @throws Refusal, the same for one of somebody else, one that is settled, and none.
 */
export async function readSuggestion(ctx: AppContext, actor: Actor, place: Place): Promise<Suggestion> {
  const histories = await authorizeHistory(ctx, actor, place.projectId, 'read')
  const found = await findOwn(ctx, histories, place.id)
  if (found?.state !== 'open') throw noSuggestion()
  return found
}

async function findOwn(ctx: AppContext, { projectId, ownerId, store }: Histories, id: string) {
  const found = (await ctx.store.hasHistory(projectId)) ? await store.findSuggestion(id) : undefined
  return found?.ownerId === ownerId && found.state !== 'seen' ? found : undefined
}

const noSuggestion = () => new Refusal('there is no such suggestion; it may be settled, or its session erased')

/** Settles a suggestion of the actor, or returns a dismissed one to the review. @throws Refusal as `readSuggestion`. */
export async function settleSuggestion(
  ctx: AppContext,
  actor: Actor,
  { state, ...place }: Place & { state: Exclude<SuggestionState, 'seen'> },
): Promise<void> {
  const histories = await authorizeHistory(ctx, actor, place.projectId, 'read')
  const from = state === 'open' ? 'dismissed' : 'open'
  if ((await findOwn(ctx, histories, place.id))?.state !== from) throw noSuggestion()
  await histories.store.write(async (tx) => {
    if ((await tx.findSuggestion(place.id))?.state === from) await tx.updateSuggestion(place.id, { state })
  })
}

/**
 * The source id of records that are kept from a session: a name that says nothing about it, and that nobody can find it
 * by.
 */
export const toSessionName = (sourceId: string): string => `session:${sha256Hex(`name of ${sourceId}`).slice(0, 16)}`
