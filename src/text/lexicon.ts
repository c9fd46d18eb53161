import type { Form } from './form.ts'
import { carry, clear, FIELD, FIELDS, isCrowded, look, newGeneration, put, putForm } from './generation.ts'
import type { Sheet } from './sheet.ts'

/**
 * What the runs of texts became, remembered without an object for any of them: a run met again costs a look into four rows of numbers,
 * and nothing for the collector of garbage. Entries are numbers from 1; 0 stands for what is not remembered.
 */
export type Lexicon = {
  /** To be called before a text: makes room. Entries found for earlier texts mean nothing afterwards. */
  open: () => void
  /** The entry of a run; 0 where it is not remembered. */
  find: (text: string, start: number, end: number, role: number) => number
  /** Remembers a run and the languages it speaks for; 0 where it is too long, or there is no room. */
  add: (text: string, start: number, end: number, role: number, evidence: number) => number
  evidenceOf: (entry: number) => number
  /** Whether the form of an entry is at hand in this language. */
  hasForm: (entry: number, language: number) => boolean
  /** Remembers a form that is written onto the sheet now; not where there is no room. */
  setForm: (entry: number, language: number, form: Form) => void
  /** Writes the form of an entry onto a sheet; its terms only once for each `open`. Answers what it adds to the length of the text. */
  copy: (entry: number, sheet: Sheet) => number
}

export function createLexicon(): Lexicon {
  let young = newGeneration()
  let old = newGeneration()
  let turn = 0
  const field = (entry: number, which: number) => young.fields[entry * FIELDS + which] ?? 0

  return {
    open: () => {
      turn = (turn + 1) | 0
      if (!isCrowded(young)) return
      const emptied = clear(old)
      old = young
      young = emptied
    },
    find: (text, start, end, role) => {
      const found = look(young, text, start, end, role)
      if (found !== 0) return found
      const earlier = look(old, text, start, end, role)
      return earlier === 0 ? 0 : carry(old, earlier, young, text, start, end, role)
    },
    add: (text, start, end, role, evidence) => put(young, text, start, end, role, evidence),
    evidenceOf: (entry) => field(entry, FIELD.evidence),
    hasForm: (entry, language) => field(entry, FIELD.language) === language + 1,
    setForm: (entry, language, form) => {
      if (entry !== 0 && putForm(young, entry, language, form)) young.fields[entry * FIELDS + FIELD.used] = turn
    },
    copy: (entry, sheet) => {
      const { fields, bytes } = young
      const at = entry * FIELDS
      const start = fields[at + FIELD.form] ?? 0
      const middle = start + (fields[at + FIELD.indexed] ?? 0)
      if (fields[at + FIELD.used] !== turn) sheet.copyTerms(bytes, start, middle)
      fields[at + FIELD.used] = turn
      sheet.copyCodes(bytes, middle, middle + (fields[at + FIELD.packed] ?? 0))
      return fields[at + FIELD.length] ?? 0
    },
  }
}
