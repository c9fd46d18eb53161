import { fnv1a } from '../../text/token-codes.ts'

/** What an answer rests on: the project as it was committed, the accounts as they were, and the time, in milliseconds since 1970. */
export type DataVersion = { version: number; generation: number; now: number }

/**
 * Answers given lately, kept while nothing they rest on has changed: assistants begin many conversations with the same question. Most
 * questions are asked once, so an answer is kept from the second time on: those of the first would be garbage of many megabytes.
 */
export type AnswerCache<Answer> = {
  recall: (question: string, ground: DataVersion) => Answer | undefined
  /** Until the time `until` the answer does not change by itself. */
  keep: (question: string, ground: DataVersion, answer: Answer, until: number) => void
}

/** Places for questions asked once; a later one takes the place of another with the same end of its hash. */
const PLACES = 1 << 12

/** Keeps the answers to at most `most` questions, those asked last. */
export function createAnswerCache<Answer>(most: number): AnswerCache<Answer> {
  const kept = new Map<string, DataVersion & { answer: Answer; until: number }>()
  const asked = new Uint32Array(PLACES)

  function isAskedAgain(question: string): boolean {
    const hash = fnv1a(question)
    const place = hash % PLACES
    const known = asked[place] === hash
    asked[place] = hash
    return known
  }

  return {
    recall: (question, { version, generation, now }) => {
      const known = kept.get(question)
      if (known === undefined || known.version !== version || known.generation !== generation) return undefined
      return now >= known.now && now < known.until ? known.answer : undefined
    },
    keep: (question, ground, answer, until) => {
      if (!isAskedAgain(question)) return
      kept.delete(question)
      kept.set(question, { ...ground, answer, until })
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
  }
}
