import { toCode } from './hash.ts'
import { stem } from './stem.ts'
import { stopWordsOf } from './stop.ts'

/** A first byte below this names a common word; from here on it begins a code of four bytes, whose two highest bits it lends. */
const FOUR = 0xc0

/** The most common words, one byte each: four in ten words of an English text. */
const common = Uint32Array.from(
  stopWordsOf('en')
    .slice(0, FOUR)
    .map((word) => toCode(stem(word, 'en'), word)),
)
const places = new Map([...common].map((code, at) => [code, at]))

/** Codes in as few bytes as they go into. */
export function pack(codes: Iterable<number> & { length: number }): Uint8Array {
  const bytes = new Uint8Array(codes.length * 4)
  let end = 0
  for (const code of codes) {
    const place = places.get(code)
    if (place === undefined) {
      bytes[end++] = FOUR | (code >>> 24)
      bytes[end++] = code >>> 16
      bytes[end++] = code >>> 8
    }
    bytes[end++] = place ?? code
  }
  return bytes.slice(0, end)
}

/** The codes that were packed. */
export function unpack(bytes: Uint8Array): Uint32Array {
  const codes = new Uint32Array(bytes.length)
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] ?? 0
    if (first < FOUR) codes[count++] = common[first] ?? 0
    else codes[count++] = ((first - FOUR) << 24) | ((bytes[++at] ?? 0) << 16) | ((bytes[++at] ?? 0) << 8) | (bytes[++at] ?? 0)
  }
  return codes.slice(0, count)
}
