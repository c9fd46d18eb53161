import { yieldIfDue } from '../../cooperative.ts'

/** Escapes of JSON, of URLs, and of HTML. */
const ESCAPE =
  /\\(?:u([0-9a-fA-F]{4})|(["'\\/bfnrt]))|%([0-9a-fA-F]{2})|&(?:(quot|apos|amp|lt|gt)|#(?:x([0-9a-fA-F]{2})|(\d{2})));/g
const NAMED: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
}

/** Whether a text has something to decode: most have not. */
export const hasEscapes = (text: string) => text.search(ESCAPE) >= 0

/** Escapes that are handled at a time: some tenths of a millisecond. */
const BATCH_ESCAPES = 1_000

/**
 * A text without one level of escapes, of JSON, URLs and HTML. A backslash or percent sign that escapes nothing stays.
 * Takes linear time, and yields to the event loop.
 */
export async function decodeEscapes(text: string): Promise<string> {
  let done = ''
  let parts: string[] = []
  let from = 0
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, unit, letter = '', byte, entity = letter, hex = byte ?? unit, decimal] = match
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    parts.push(
      text.slice(from, match.index),
      Number.isNaN(code) ? (NAMED[entity] ?? entity) : String.fromCharCode(code),
    )
    from = match.index + whole.length
    if (parts.length < BATCH_ESCAPES) continue
    done += parts.join('')
    parts = []
    await yieldIfDue()
  }
  return done + parts.join('') + text.slice(from)
}

/**
 * Where places of the decoded text are in the escaped one. Places are in ascending order, and so is what is returned.
 * Takes linear time, and yields to the event loop.
 */
export async function toEscapedPlaces(text: string, places: number[]): Promise<number[]> {
  const found: number[] = []
  let shift = 0
  let handled = 0
  for (const { index, 0: whole } of text.matchAll(ESCAPE)) {
    for (let place = places[found.length]; place !== undefined && place + shift <= index; place = places[found.length])
      found.push(place + shift)
    if (found.length === places.length) return found
    shift += whole.length - 1
    if (++handled % BATCH_ESCAPES === 0) await yieldIfDue()
  }
  return [...found, ...places.slice(found.length).map((place) => place + shift)]
}
