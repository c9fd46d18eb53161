import type { Act } from './handle.ts'

/** How long after a form the same one is taken for a second click, in milliseconds. */
const LATELY = 2_000

/**
 * An act that shows what is shown once, a key or a link. The same form of the same person that comes just after is given the first one's
 * answer: an impatient second click makes no second key, and does not put a refusal in the place of the new one.
 */
export function onceForTwoClicks(act: Act): Act {
  const answers = new Map<string, Promise<Response>>()
  return async (visit, form) => {
    const name = Bun.SHA256.hash(`${visit.visitor.member.id} ${visit.request.url} ${form}`, 'hex')
    const answer = answers.get(name) ?? act(visit, form)
    if (!answers.has(name)) {
      const forget = () => void answers.delete(name)
      answers.set(name, answer)
      answer.then(() => setTimeout(forget, LATELY).unref(), forget)
    }
    return (await answer).clone() as Response
  }
}
