/**
 * Escape character, followed by a digit, for U+0000, which PostgreSQL cannot store in text. A noncharacter, so that it
 * hardly occurs itself.
 */
const ESCAPE = '\u{10ffff}'

/** The text as it is stored: one without U+0000 and U+10FFFF is stored as it is. Takes time by its length. */
export function toText(text: string): string {
  if (!text.includes('\0') && !text.includes(ESCAPE)) return text
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`)
}

/** The text that `toText` was given. */
export function fromText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored
  return stored.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE)
}
