/** Generators of notes and questions, which are the same in every run. */
export type Texts = { note: () => string; question: () => string }

const VOCABULARY_WORDS = 60_000
const FUNCTION_WORDS =
  'the of and to in is that for it was on with as by at from this are be not we has have will can which'.split(' ')
const ASKING_WORDS = 'what did when where how which does the of in for to is was a'.split(' ')
/** Shares of function words, approximately those of English prose and of questions. */
const [NOTE_FUNCTION_SHARE, QUESTION_FUNCTION_SHARE] = [0.4, 0.5]

/**
 * Generates notes of 20 to 39 and questions of 8 to 12 words: function words, and invented words whose frequencies
 * follow Zipf's law.
 */
export function makeUpTexts(seed = 1): Texts {
  const random = createRandom(seed)
  const words = Array.from({ length: VOCABULARY_WORDS }, (_, number) => toWord(number))
  const pick = (of: string[]) => of[Math.floor(random() * of.length)] ?? 'the'
  const rare = () => words[Math.floor(VOCABULARY_WORDS ** random()) - 1] ?? 'word'
  const text = (least: number, more: number, common: string[], share: number) => {
    const length = least + Math.floor(random() * more)
    return Array.from({ length }, () => (random() < share ? pick(common) : rare())).join(' ')
  }
  return {
    note: () => text(20, 20, FUNCTION_WORDS, NOTE_FUNCTION_SHARE),
    question: () => text(8, 5, ASKING_WORDS, QUESTION_FUNCTION_SHARE),
  }
}

/** A pronounceable word, unique for each number. It ends in `x`, so that stemmers leave it unchanged. */
export function toWord(number: number): string {
  const syllables = []
  for (let rest = number + 20; rest > 0; rest = Math.floor(rest / 60)) {
    syllables.push(`${'bdfgklmnprst'[rest % 12]}${'aeiou'[Math.floor((rest % 60) / 12)]}`)
  }
  return `${syllables.join('')}x`
}

/** A pseudo-random generator of numbers in [0, 1) (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
