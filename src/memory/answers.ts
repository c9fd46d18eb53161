/** What an answer rests on: the project as it was committed, the accounts as they were, and the time, in milliseconds since 1970. */
export type Ground = { version: number; generation: number; now: number }

/** Answers given lately, kept while nothing they rest on has changed: assistants begin many conversations with the same question. */
export type Answers<Answer> = {
  recall: (question: string, ground: Ground) => Answer | undefined
  /** Until the time `until` the answer does not change by itself. */
  keep: (question: string, ground: Ground, answer: Answer, until: number) => void
}

/** Keeps the answers to at most `most` questions, those asked last. */
export function createAnswers<Answer>(most: number): Answers<Answer> {
  const kept = new Map<string, Ground & { answer: Answer; until: number }>()
  return {
    recall: (question, { version, generation, now }) => {
      const known = kept.get(question)
      if (known === undefined || known.version !== version || known.generation !== generation) return undefined
      return now >= known.now && now < known.until ? known.answer : undefined
    },
    keep: (question, ground, answer, until) => {
      kept.delete(question)
      kept.set(question, { ...ground, answer, until })
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
  }
}
