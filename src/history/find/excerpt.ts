/** Characters of an excerpt, and how many of them stand before the first word in question. */
const EXCERPT_CHARACTERS = 240
const LEAD_CHARACTERS = 60
/** Characters of a text in which words are looked for. */
const MAX_SEARCHED_CHARACTERS = 8_000

/** The part of a text around the first of some words, in one line; its beginning if it has them in other forms only. */
export function toExcerpt(text: string, words: string): string {
  const line = text
    .slice(0, MAX_SEARCHED_CHARACTERS)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  const lower = line.toLowerCase()
  const places = words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0)
  const first = Math.min(...places, line.length)
  const from = first === line.length || first < LEAD_CHARACTERS ? 0 : first - LEAD_CHARACTERS
  const end = from + EXCERPT_CHARACTERS
  return `${from > 0 ? '…' : ''}${line.slice(from, end).toWellFormed()}${end < line.length ? '…' : ''}`
}
