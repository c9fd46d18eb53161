import { readFileSync } from 'node:fs'

/** Texts and questions to measure with: of files with a JSON object a line (`content`, `query`), or made up where none are named. */
export type Corpus = { text: (at: number) => string; questions: string[] }

const MADE_UP_WORDS = 60_000
const FUNCTION_WORDS = 'the of and to in is that for it was on with as by at from this are be not we has have will can which'.split(' ')
const ASKING = 'what did when where how which does the of in for to is was a'.split(' ')

/** A corpus that is the same for the same files, or for none. */
export function openCorpus(notes: string[], questions: string[]): Corpus {
  return notes.length > 0 && questions.length > 0 ? mix(readLines(notes, 'content'), readLines(questions, 'query')) : makeUp()
}

function readLines(files: string[], field: 'content' | 'query'): string[] {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  return lines.filter((line) => line !== '').map((line) => String(JSON.parse(line)[field]))
}

/** As many different texts as wanted: the first half of one note and the second half of another, at most 60 words. */
function mix(notes: string[], queries: string[]): Corpus {
  const random = createRandom(1)
  const halves = notes.map((note) => note.split(' ').slice(0, 60))
  const questions = queries.filter((query) => {
    const { length } = query.split(' ')
    return length >= 8 && length <= 12
  })
  const pick = () => halves[Math.floor(random() * halves.length)] ?? []
  const text = () => {
    const [one, other] = [pick(), pick()]
    return [...one.slice(0, one.length / 2), ...other.slice(other.length / 2)].join(' ') || 'empty'
  }
  return { text, questions }
}

/** Notes of 20 to 40 words, as often as words are in English: four in ten are function words, the others follow Zipf's law. */
function makeUp(): Corpus {
  const random = createRandom(1)
  const words = Array.from({ length: MADE_UP_WORDS }, (_, at) => toWord(at))
  const zipf = () => words[Math.floor(MADE_UP_WORDS ** random()) - 1] ?? 'word'
  const one = (of: string[]) => of[Math.floor(random() * of.length)] ?? 'the'
  const text = () => Array.from({ length: 20 + Math.floor(random() * 20) }, () => (random() < 0.4 ? one(FUNCTION_WORDS) : zipf())).join(' ')
  const question = () => Array.from({ length: 8 + Math.floor(random() * 5) }, () => (random() < 0.5 ? one(ASKING) : zipf())).join(' ')
  return { text, questions: Array.from({ length: 1_000 }, question) }
}

/** A word that can be spoken, another for each number. */
function toWord(number: number): string {
  const syllables = []
  for (let rest = number + 20; rest > 0; rest = Math.floor(rest / 60))
    syllables.push(`${'bdfgklmnprst'[rest % 12]}${'aeiou'[Math.floor((rest % 60) / 12)]}`)
  return syllables.join('')
}

/** Numbers in [0, 1) that only look like chance (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
