/** FNV-1a over the UTF-16 units of `text` from `start` up to `end`, 32 bits. */
export function textHash(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Codes there are: three bytes hold one, and leave 64 values of the first byte to common words (`pack.ts`). */
const CODES = 0xc0_0000
/** Numbers for the form that a word had in the text; the other part of a code tells its term. */
const FORMS = 8
const TERMS = CODES / FORMS

/**
 * A number below 12 582 912 for a word of a record. One word in 1 572 864 has the term of another, so a term is taken for one of a record
 * of 40 words once in 40 000 times: what is found by codes alone is to be confirmed. A form is taken for another of its term once in 8.
 */
export function toCode(term: string, form: string): number {
  return termBits(term) * FORMS + formBits(form)
}

/** What a code tells of the term. */
export function termOf(code: number): number {
  return (code / FORMS) | 0
}

/** What a code tells of the form. */
export function formOf(code: number): number {
  return code % FORMS
}

export function termBits(term: string): number {
  return textHash(term, 0, term.length) % TERMS
}

export function formBits(form: string): number {
  return formOf(textHash(form, 0, form.length) >>> 20)
}
