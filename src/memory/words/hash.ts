/** FNV-1a over the UTF-16 units of `text` from `start` up to `end`, 32 bits. */
export function textHash(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Bits of a code that tell the form a term had in the text; the others tell the term. */
const FORM_BITS = 5
const TERM_BITS = 25

/**
 * 30 bits for a word of a record: 25 tell its term, 5 the form it had. A term is taken for another of a record of 40 words once in
 * 800 000 times, a form for another of its term once in 32.
 */
export function toCode(term: string, form: string): number {
  return (termBits(term) << FORM_BITS) | formBits(form)
}

/** What a code tells of the term. */
export function termOf(code: number): number {
  return code >>> FORM_BITS
}

/** What a code tells of the form. */
export function formOf(code: number): number {
  return code & ((1 << FORM_BITS) - 1)
}

export function termBits(term: string): number {
  return textHash(term, 0, term.length) >>> (32 - TERM_BITS)
}

export function formBits(form: string): number {
  return formOf(textHash(form, 0, form.length) >>> 20)
}
