import { CUT, splitRuns } from './cut-runs.ts'
import { evidenceOf, guessLanguage } from './language.ts'
import { createMemo } from './memo.ts'
import { normalise } from './normalise.ts'
import { toTokens } from './spell.ts'
import { LANGUAGES, type Language } from './stop.ts'
import type { Token } from './word.ts'

/** One run of a question. */
export type Piece = { run: string; role: number }

/** A question as the runs that become terms, and the language its Latin script is read in. */
export type TokenizedQuery = { pieces: Piece[]; language: Language }

/** Runs whose words are remembered in each language: questions repeat theirs. */
const MAX_CACHED_READINGS = 1 << 12

const memos = Object.fromEntries(
  LANGUAGES.map((language) => [language, createMemo(MAX_CACHED_READINGS, (key) => toTokens(key.slice(1), Number(key[0]), language))]),
)

/** Reads any text: never throws, and takes time in proportion to its length. */
export function tokenize(text: string): TokenizedQuery {
  const plain = normalise(text)
  const cuts = splitRuns(plain)
  const pieces: Piece[] = []
  for (let at = 0; at < cuts.length; at += CUT) pieces.push({ run: plain.slice(cuts[at], cuts[at + 1]), role: cuts[at + 2] ?? 0 })
  const evidence = pieces.map(({ run }) => evidenceOf(run))
  return { pieces, language: guessLanguage(evidence, evidence.length) }
}

/** The words of a piece in a language. */
export function wordsOf({ run, role }: Piece, language: Language): Token[] {
  return memos[language]?.(`${role}${run}`) ?? toTokens(run, role, language)
}
