import { toCode } from './hash.ts'
import { stem } from './stem.ts'

/** The 64 most common words of English texts, one byte each: a third of their words. */
const COMMON = `the of and to in is that for it was on with as by at from this be not we has have will can which you he she they i my your
  his her their our its or but an a if so do did what when where who how there then than about out up all been would could some into more after`
  .split(/\s+/)
  .map((word) => toCode(stem(word, 'en'), word))
const places = new Map(COMMON.map((code, at) => [code, at]))

/** A first byte below this is the place of a common word; from here on it begins a code of three bytes. */
const LONG = COMMON.length

/** Codes in as few bytes as they go into. */
export function pack(codes: Iterable<number> & { length: number }): Uint8Array {
  const bytes = new Uint8Array(codes.length * 3)
  let end = 0
  for (const code of codes) {
    const place = places.get(code)
    if (place === undefined) {
      bytes[end++] = LONG + (code >>> 16)
      bytes[end++] = code >>> 8
    }
    bytes[end++] = place ?? code
  }
  return bytes.slice(0, end)
}

/** Room for the codes of one text; nothing stays in it. A text whose codes are kept is at most 64 KiB. */
let room = new Uint32Array(1 << 12)

/** The codes that were packed. */
export function unpack(bytes: Uint8Array): Uint32Array {
  if (room.length < bytes.length) room = new Uint32Array(bytes.length)
  const codes = room
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] ?? 0
    if (first < LONG) codes[count++] = COMMON[first] ?? 0
    else codes[count++] = ((first - LONG) << 16) | ((bytes[++at] ?? 0) << 8) | (bytes[++at] ?? 0)
  }
  return codes.slice(0, count)
}
