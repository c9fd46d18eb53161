import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A note, with its language as a code of ISO 639-1. */
export type Note = { id: string; language: string; text: string }

/** A question with the notes of which each answers it, and the one or two words that somebody would look it up by. */
export type Question = { answers: string[]; language: string; keywords: string; question: string }

export type Dataset = { notes: Note[]; questions: Question[] }

/**
 * Notes of a made-up company and questions about them, in words that a person would use. Each question was written from
 * what a note means.
 */
export function readDataset(): Dataset {
  const notes = readRows('notes.tsv').map(([id = '', language = '', text = '']) => ({ id, language, text }))
  const questions = readRows('questions.tsv').map(([answers = '', language = '', keywords = '', question = '']) => ({
    answers: answers.split(' '),
    language,
    keywords,
    question,
  }))
  return { notes, questions }
}

/** The rows of a file of values that tabs separate, without its heading. */
function readRows(name: string): string[][] {
  const lines = readFileSync(join(import.meta.dir, 'dataset', name), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.slice(1).map((line) => line.split('\t'))
}
