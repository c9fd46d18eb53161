import { join } from 'node:path'

/** A note of a made-up team, and the phrases with which an assistant that saw only the note saved it. */
export type Note = { id: string; text: string; asked_as?: string[] }

/**
 * A question, and what an assistant that saw only the question would search with. `kind` says how many words it has of
 * the note; `note` is null where none answers.
 */
export type Question = { note: string | null; kind: string; question: string; query?: string; also?: string[] }

export const KINDS = ['same', 'part', 'none']

/** Where a note is in a result, from 0 on; infinite where it is not. */
export type Rank = { kind: string; rank: number }

/** The set that took no part in tuning. */
export const OTHER_TEAMS = join(import.meta.dir, 'other-teams')

export async function readSet(folder = import.meta.dir): Promise<{ notes: Note[]; questions: Question[] }> {
  return {
    notes: await readLines<Note>(join(folder, 'notes.jsonl')),
    questions: await readLines<Question>(join(folder, 'questions.jsonl')),
  }
}

/** Values of JSON Lines. */
export async function readLines<T>(path: string): Promise<T[]> {
  const lines = (await Bun.file(path).text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}

/** Shares of the questions whose note is first / among the first `limit`: of each kind, and of all. */
export function toShares(ranks: Rank[], limit: number): string[] {
  const answered = ranks.filter(({ kind }) => KINDS.includes(kind))
  return [...KINDS.map((kind) => answered.filter((one) => one.kind === kind)), answered].map((of) => {
    const within = (most: number) => (of.filter(({ rank }) => rank < most).length / of.length).toFixed(2)
    return `${within(1)} / ${within(limit)}`
  })
}
