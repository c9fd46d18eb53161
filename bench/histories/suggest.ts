import type { MemberActor } from '../../src/account/auth/actor.ts'
import { HOUR_MS } from '../../src/clock.ts'
import { findSavedIn } from '../../src/history/find/saved-in.ts'
import { PASSAGE_VERSION } from '../../src/history/index/index-histories.ts'
import { listSuggestions, settleSuggestion, toSuggestionSource } from '../../src/history/suggestions/review.ts'
import { suggestFromSessions } from '../../src/history/suggestions/suggest.ts'
import { saveByHand } from '../../src/memory/records/save/remember.ts'
import { DEFAULT_WORKSPACE } from '../../src/memory/workspaces/workspace.ts'
import type { Service } from '../../src/service.ts'
import type { Suggestion } from '../../src/store/history.ts'

/** What a person types behind the task of each week: two are kept, one is edited, and one is dismissed. */
export const RULES = [
  'From now on we always grease the winches only on Mondays.',
  'From now on we always give every barge a number.',
  'From now on we always count the pelicans twice. From now on we always call the northern basin Q7.',
] as const
const DISMISSED = 'From now on we always count the pelicans twice.'
/** What they type later: the dismissed one, one like it, and another. */
const LATER = `${DISMISSED} Please, from now on we always count pelicans twice! From now on we always ring the terns.`
/** Words of the tasks and rules. */
const WORDS = ['quay', 'winches', 'barge', 'pelicans', 'basin', 'terns']

type Place = { service: Service; actor: MemberActor; projectId: string }

/**
 * Walks through what is suggested from the sessions in which the rules were typed: keeps two, edits one, dismisses one,
 * and sees what a later session brings. `goOn` runs a program once more, in which this is typed, and uploads it.
 */
export async function trySuggestions({ service, actor, projectId }: Place, goOn: (typed: string) => Promise<unknown>) {
  const later = { ...service, clock: { ...service.clock, now: () => service.clock.now() + 2 * HOUR_MS } }
  const suggest = async () => {
    await suggestFromSessions(later)
    return listSuggestions(service, actor, projectId)
  }
  const settle = (id: string, state: Suggestion['state']) => settleSuggestion(service, actor, { projectId, id, state })
  /** Whether the kept record leads to the line. */
  const keep = async (suggestion: Suggestion, content = suggestion.text) => {
    const sourceId = toSuggestionSource(suggestion)
    const place = { workspace: DEFAULT_WORKSPACE, scope: 'shared', source_id: sourceId } as const
    const { id } = await saveByHand(service, actor, { projectId, content, ...place, confirm: true })
    await settle(suggestion.id, 'kept')
    const savedIn = await findSavedIn(service, actor, { projectId, id, authorId: actor.member.id, sourceId })
    return typeof savedIn === 'object' && savedIn.line === suggestion.line
  }
  const made = await suggest()
  const linked: boolean[] = []
  for (const suggestion of made) {
    if (suggestion.text === DISMISSED) await settle(suggestion.id, 'dismissed')
    else linked.push(await keep(suggestion, suggestion.text.replace('Q7', 'Q8')))
  }
  await goOn(LATER)
  const next = (await suggest()).map(({ text }) => text)
  return {
    suggested: made.length,
    'of no rule': made.filter(({ text }) => !RULES.some((rule) => rule.includes(text))).length,
    'kept with a link': linked.filter(Boolean).length,
    'suggested later': next.join(' | '),
  }
}

/** What is left of all sessions: blocks, sources in the index, and how many of these words stand in the file. */
export async function countLeft({ store }: Service, projectId: string, file: string) {
  const histories = store.history(projectId)
  const blocks = await histories.listBlocks({ after: 0, limit: 100 })
  const indexed = await histories.listIndexed({ rules: PASSAGE_VERSION, limit: 100 })
  const bytes = Buffer.from(await Bun.file(file).bytes())
  return { blocks: blocks.length, indexed: indexed.length, words: WORDS.filter((word) => bytes.includes(word)).length }
}
