import { createLru } from '../cache/lru.ts'

/** How long after the answer the same form counts as a double click. */
const DOUBLE_SUBMIT_MS = 2_000
/** Maximum number of answers kept, most of them redirects; the least recently used is dropped. */
const MAX_ANSWERS = 200

/**
 * Creates a function that does an act once for the same `form`: sent again while the act is under way or within 2
 * seconds after, it gets the first answer. After a refusal the act is done again.
 */
export function createDoubleSubmits<Answer>() {
  const answers = createLru<string, Promise<Answer>>({ maxEntries: MAX_ANSWERS })
  return (form: string[], act: () => Promise<Answer>): Promise<Answer> => {
    const name = Bun.SHA256.hash(JSON.stringify(form), 'hex')
    const first = answers.get(name)
    if (first !== undefined) return first
    const answer = act()
    const forget = () => answers.delete(name)
    answers.set(name, answer)
    answer.then(() => setTimeout(forget, DOUBLE_SUBMIT_MS).unref(), forget)
    return answer
  }
}
