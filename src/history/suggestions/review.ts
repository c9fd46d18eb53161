import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { Suggestion } from '../../store/history.ts'
import type { HistoryReads } from '../../store/history-verbs.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { requireOwnSession } from '../read/session.ts'
import { isSuggesting, MAX_OPEN } from './suggest.ts'

type Place = { projectId: string; id: string }

/** Whether the actor agreed to suggestions from their sessions in a project. @throws Refusal as `authorizeHistory`. */
export async function readSuggesting(ctx: AppContext, actor: Actor, projectId: string): Promise<boolean> {
  const { ownerId, store } = await authorizeHistory(ctx, actor, projectId)
  return (await ctx.store.hasHistory(projectId)) && isSuggesting(store, ownerId)
}

/**
 * Agrees to suggestions from the actor's own sessions in a project, or no longer does: then what waits is erased. What
 * was dismissed is remembered, so that it does not return.
 *
 * @throws Refusal as `authorizeHistory`, and for a service key: nobody would see its suggestions; Notice if the
 *   subscription forbids to switch them on.
 */
export async function setSuggesting(ctx: AppContext, actor: Actor, projectId: string, isOn: boolean): Promise<void> {
  const { account, ownerId, store } = await authorizeHistory(ctx, actor, projectId, isOn ? 'write' : undefined)
  if (isOn === (await readSuggesting(ctx, actor, projectId))) return
  if (isOn && (await ctx.store.control.findMembers(ownerId, 1)).length === 0)
    throw new Refusal('suggestions are shown to people in the console; a service key gets none')
  await store.write(async (tx) => {
    await tx.setAgreed(ownerId, isOn ? ctx.clock.now() : null)
    if (!isOn) await tx.eraseSuggestions({ ownerId })
  })
  if (!isOn) await store.scrub(() => false)
  const act = isOn ? 'history.suggest' : 'history.suggest-end'
  await recordEventAlone(ctx, actor, { act, accountId: account.id, projectId, target: projectId })
}

/**
 * The suggestions that wait for the actor in a project, newest first.
 *
 * @throws Refusal as `authorizeHistory`; Notice where the subscription forbids it.
 */
export async function listSuggestions(ctx: AppContext, actor: Actor, projectId: string): Promise<Suggestion[]> {
  const { store, ownerId } = await authorizeHistory(ctx, actor, projectId, 'read')
  if (!(await ctx.store.hasHistory(projectId))) return []
  return store.listSuggestions({ of: { ownerId }, state: 'open', limit: MAX_OPEN })
}

/**
 * A suggestion that waits for the actor.
 *
 * @throws Refusal, the same for one of somebody else, one that is settled, and none.
 */
export async function requireSuggestion(ctx: AppContext, actor: Actor, { projectId, id }: Place): Promise<Suggestion> {
  const { store, ownerId } = await authorizeHistory(ctx, actor, projectId, 'read')
  return find((await ctx.store.hasHistory(projectId)) ? store : undefined, { ownerId, id, isOpen: true })
}

async function find(
  reads: Pick<HistoryReads, 'findSuggestion'> | undefined,
  { ownerId, id, isOpen }: { ownerId: string; id: string; isOpen: boolean },
): Promise<Suggestion> {
  const found = await reads?.findSuggestion(id)
  if (found?.ownerId === ownerId && (found.state === 'open') === isOpen) return found
  throw noSuggestion()
}

const noSuggestion = () => new Refusal('there is no such suggestion; it may be settled, or its session erased')

/**
 * Settles a suggestion of the actor, or brings a settled one back.
 *
 * @throws Refusal as `requireSuggestion`, and for one to bring back if the actor ended suggestions.
 */
export async function settleSuggestion(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, state }: Place & { state: Suggestion['state'] },
): Promise<void> {
  const { store, ownerId } = await authorizeHistory(ctx, actor, projectId, 'read')
  if (!(await ctx.store.hasHistory(projectId))) throw noSuggestion()
  await store.write(async (tx) => {
    await find(tx, { ownerId, id, isOpen: state !== 'open' })
    if (state === 'open' && !(await isSuggesting(tx, ownerId))) throw noSuggestion()
    await tx.updateSuggestion(id, { state })
  })
}

/** The source of the record that is made of a suggestion: a name that leads its owner alone to the session. */
export const toSuggestionSource = ({ id }: Pick<Suggestion, 'id'>): string => `session:${id}`

/** The sources of the records that were kept from a session of the actor. @throws as `readSummary`. */
export async function listKeptSources(ctx: AppContext, actor: Actor, { projectId, id }: Place): Promise<string[]> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const { id: sourceId } = await requireOwnSession(ctx, histories, id)
  const kept = await histories.store.listSuggestions({ of: { sourceId }, state: 'kept', limit: MAX_OPEN })
  return kept.map(toSuggestionSource)
}
