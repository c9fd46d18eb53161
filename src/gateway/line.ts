/**
 * A line is made of at most this many times its length, because runs of blanks and control characters are collapsed.
 */
const MAX_BLANKS_FACTOR = 4

/** The beginning of an upstream's text as one line of well-formed Unicode with at most this many characters. */
export function toLine(text: string, maxCharacters: number): string {
  return text
    .slice(0, MAX_BLANKS_FACTOR * maxCharacters)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed()
}
