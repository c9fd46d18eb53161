import { HOUR_MS } from '../../../src/clock.ts'
import { listSuggestions, setSuggesting } from '../../../src/history/suggestions/review.ts'
import { suggestFromSessions } from '../../../src/history/suggestions/suggest.ts'
import type { Member } from '../../../src/store/account.ts'
import { startHistories } from '../start-histories.ts'
import { claudeLine } from '../upload-client.ts'

export const RULE = 'From now on we always deploy only on Mondays.'
export const OTHER_RULE = 'From now on we always let the cat sleep outside.'

/** A service whose owner agreed to suggestions, and what is suggested to whom. */
export async function startSuggestions(wish: Parameters<typeof startHistories>[0] = {}) {
  const running = await startHistories(wish)
  const { service, actorOf, client, projectId, pass, owner } = running
  const agree = (member: Member, isOn = true) => setSuggesting(service, actorOf(member), projectId, isOn)
  await agree(owner)
  /** Uploads a session of these prompts; returns the id of its source. */
  async function upload(name: string, prompts: string[], by = client): Promise<string> {
    const lines = prompts.map((text, at) => claudeLine(`${name} ${at} ${text}`, text))
    return (await by.append(await by.head({ session_id: name }), lines)).source_id
  }
  /** What the service does once nothing has arrived for an hour. */
  async function rest(): Promise<void> {
    pass(HOUR_MS + 1)
    await suggestFromSessions(service)
  }
  const waiting = (member = owner) => listSuggestions(service, actorOf(member), projectId)
  const texts = async (member?: Member) => (await waiting(member)).map(({ text }) => text)
  return { ...running, agree, upload, rest, waiting, texts }
}
