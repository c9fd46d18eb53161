import { CUT, cutRuns } from './cut-runs.ts'
import { evidenceOf, guessLanguage } from './language.ts'
import { createMemo } from './memo.ts'
import { normalise } from './normalise.ts'
import { spell } from './spell.ts'
import { LANGUAGES, type Language } from './stop.ts'
import type { Word } from './word.ts'

/** One run of a question. */
export type Piece = { run: string; role: number }

/** A question as the runs that become terms, and the language its Latin script is read in. */
export type Reading = { pieces: Piece[]; language: Language }

/** Runs whose words are remembered in each language: questions repeat theirs. */
const KEPT = 1 << 12

const memos = Object.fromEntries(
  LANGUAGES.map((language) => [language, createMemo(KEPT, (key) => spell(key.slice(1), Number(key[0]), language))]),
)

/** Reads any text: never throws, and takes time in proportion to its length. */
export function read(text: string): Reading {
  const plain = normalise(text)
  const cuts = cutRuns(plain)
  const pieces: Piece[] = []
  for (let at = 0; at < cuts.length; at += CUT) pieces.push({ run: plain.slice(cuts[at], cuts[at + 1]), role: cuts[at + 2] ?? 0 })
  const evidence = pieces.map(({ run }) => evidenceOf(run))
  return { pieces, language: guessLanguage(evidence, evidence.length) }
}

/** The words of a piece in a language. */
export function wordsOf({ run, role }: Piece, language: Language): Word[] {
  return memos[language]?.(`${role}${run}`) ?? spell(run, role, language)
}
