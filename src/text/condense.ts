import { createGate, finish, finishInSlices, type Steps, yieldIfDue } from '../cooperative.ts'
import { CUT, cutRunsInSteps } from './cut-runs.ts'
import { toForm } from './form.ts'
import { evidenceOf, guessLanguage } from './language.ts'
import { createLexicon } from './lexicon.ts'
import { normaliseInSteps } from './normalise.ts'
import { createSheet } from './sheet.ts'
import { LANGUAGES, type Language } from './stop.ts'

/** What is kept of a text for search. */
export type TermBuffer = {
  /** Terms as one string with a space between them: letters, digits, marks and pictures only, lower case. What comes of a word that the text repeats stands there once. */
  terms: string
  language: Language
  /** Length in words; a script without spaces counts its pairs or triples of characters. At least 1. */
  length: number
  /** A code for each word, in the order of the text, packed. */
  packed: Uint8Array
}

/** UTF-16 units that are worked on in one piece: those that take longest, words that were not met before, take some 2 ms. */
const PIECE_LENGTH = 1_024

/** Condenses one text at a time, a piece at a time: none may begin before the one before is done. */
type Condenser = (text: string) => Steps<TermBuffer>

function createCondenser(): Condenser {
  const lexicon = createLexicon()
  const sheet = createSheet()
  /** Room for the entries and the evidence of one text's runs; nothing stays in it. */
  let entries = new Int32Array(1 << 10)
  let evidence = new Int32Array(1 << 10)

  function* lookUp(text: string, cuts: Int32Array, runs: number): Steps<void> {
    if (entries.length < runs) {
      entries = new Int32Array(2 * runs)
      evidence = new Int32Array(2 * runs)
    }
    lexicon.open()
    let pieceEnd = PIECE_LENGTH
    for (let run = 0; run < runs; run++) {
      const [start, end, role] = [cuts[run * CUT] ?? 0, cuts[run * CUT + 1] ?? 0, cuts[run * CUT + 2] ?? 0]
      if (end > pieceEnd) {
        yield
        pieceEnd = end + PIECE_LENGTH
      }
      const found = lexicon.find(text, start, end, role)
      const speaks = found === 0 ? evidenceOf(text.slice(start, end)) : lexicon.evidenceOf(found)
      entries[run] = found === 0 ? lexicon.add(text, start, end, role, speaks) : found
      evidence[run] = speaks
    }
  }

  /** Writes what becomes of every run onto the sheet. Answers the length of the text. */
  function* write(text: string, cuts: Int32Array, language: Language): Steps<number> {
    const number = LANGUAGES.indexOf(language)
    let length = 0
    let pieceEnd = PIECE_LENGTH
    for (let run = 0; run * CUT < cuts.length; run++) {
      const entry = entries[run] ?? 0
      if ((cuts[run * CUT + 1] ?? 0) > pieceEnd) {
        yield
        pieceEnd = (cuts[run * CUT + 1] ?? 0) + PIECE_LENGTH
      }
      if (lexicon.hasForm(entry, number)) {
        length += lexicon.copy(entry, sheet)
        continue
      }
      const form = toForm(text.slice(cuts[run * CUT], cuts[run * CUT + 1]), cuts[run * CUT + 2] ?? 0, language)
      lexicon.setForm(entry, number, form)
      sheet.write(form)
      length += form.length
    }
    return length
  }

  return function* steps(text) {
    const plain = yield* normaliseInSteps(text)
    const cuts = yield* cutRunsInSteps(plain)
    const runs = cuts.length / CUT
    yield* lookUp(plain, cuts, runs)
    const language = guessLanguage(evidence, runs)
    const length = yield* write(plain, cuts, language)
    return { ...sheet.take(), language, length: length || 1 }
  }
}

const condenseAtOnce = createCondenser()

/** What search keeps of a text. Never throws; the same text always gives the same; takes time in proportion to its length. */
export function toTermBuffer(text: string): TermBuffer {
  return finish(condenseAtOnce(text))
}

const condenseLong = createCondenser()
const oneAfterTheOther = createGate(1)

/** The same as `condense`, a slice at a time. */
export async function condenseInSlices(text: string): Promise<TermBuffer> {
  if (text.length > PIECE_LENGTH) return oneAfterTheOther(() => finishInSlices(condenseLong(text)))
  await yieldIfDue()
  return toTermBuffer(text)
}
