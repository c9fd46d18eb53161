import { readFileSync } from 'node:fs'
import { createRandom, makeUpTexts } from '../src/commands/bench/texts.ts'

/**
 * Texts and questions to measure with: of files with a JSON object a line (`content`, `query`), or made up where none
 * are named.
 */
export type Corpus = { text: (at: number) => string; questions: string[] }

/** A corpus that is the same for the same files, or for none. */
export function openCorpus(notes: string[], questions: string[]): Corpus {
  return notes.length > 0 && questions.length > 0
    ? mix(readLines(notes, 'content'), readLines(questions, 'query'))
    : makeUp()
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

function makeUp(): Corpus {
  const { note, question } = makeUpTexts()
  return { text: note, questions: Array.from({ length: 1_000 }, question) }
}
