import { HOUR_MS } from '../../../src/clock.ts'
import { setSuggesting } from '../../../src/history/suggestions/consent.ts'
import { listSuggestions } from '../../../src/history/suggestions/review.ts'
import { suggestFromSessions } from '../../../src/history/suggestions/suggest.ts'
import type { Member } from '../../../src/store/account.ts'
import { startHistories } from '../start-histories.ts'
import { claudeLine } from '../upload-client.ts'

export const RULE = 'From now on please deploy only on Mondays.'
export const PLAIN = 'Please use uv and not pip for that.'

/** A service whose owner agreed to suggestions, and what is suggested to whom. */
export async function startSuggestions(wish: Parameters<typeof startHistories>[0] = {}) {
  const running = await startHistories(wish)
  const { service, actor, actorOf, client, projectId, pass, owner } = running
  await setSuggesting(service, actor, { projectId, isOn: true })
  /** Uploads a session of these prompts; returns the id of its source. */
  async function upload(name: string, prompts: string[], by = client): Promise<string> {
    const head = await by.head({ session_id: name })
    await by.append(
      head,
      prompts.map((text, at) => claudeLine(`${name} ${at}`, text)),
    )
    return head.source_id
  }
  /** What the service does once nothing has arrived for an hour. */
  async function rest(): Promise<void> {
    pass(HOUR_MS + 1)
    await suggestFromSessions(service)
  }
  const waiting = (member: Member = owner) => listSuggestions(service, actorOf(member), projectId)
  const texts = async (member?: Member) => (await waiting(member)).map(({ text }) => text)
  return { ...running, upload, rest, waiting, texts }
}
