/** How a character takes part in words. */
export const BREAK = 0
/** A letter, digit or mark of a script that puts spaces between words. */
export const WORD = 1
/** Stands inside compounds such as paths, addresses and identifiers. */
export const JOINT = 2
/** Han, Hiragana, Katakana: no spaces, short words. */
export const HAN = 3
/** Thai, Lao, Khmer, Burmese: no spaces, longer words. */
export const UNSPACED = 4
/** An emoji or another picture that someone may search by. */
export const PICTURE = 5
/** Korean: words with spaces, but particles grown onto them. */
export const HANGUL = 6

export const ROLES = [BREAK, WORD, JOINT, HAN, UNSPACED, PICTURE, HANGUL]

const JOINTS = new Set(`/\\._@#:+-&'’`)
const HAN_CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]/u
const UNSPACED_CHARACTER = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u
const PICTURE_CHARACTER = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
const HANGUL_CHARACTER = /\p{Script=Hangul}/u
const VARIATION_SELECTOR = /[\ufe00-\ufe0f]/
const UNKNOWN = 255

/** Roles of UTF-16 units met before. Most of them are ideographs and syllables, which need not be looked at one by one. */
const known = new Uint8Array(0x10000).fill(UNKNOWN).fill(HAN, 0x3400, 0x4dc0).fill(HAN, 0x4e00, 0xa000).fill(HANGUL, 0xac00, 0xd7a4)

/** The part a code point plays: one of the constants above. */
export function roleOf(codePoint: number): number {
  if (codePoint > 0xffff) return classify(codePoint)
  const role = known[codePoint] ?? UNKNOWN
  if (role !== UNKNOWN) return role
  const found = classify(codePoint)
  known[codePoint] = found
  return found
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  if (JOINTS.has(character)) return JOINT
  if (HAN_CHARACTER.test(character)) return HAN
  if (UNSPACED_CHARACTER.test(character)) return UNSPACED
  if (HANGUL_CHARACTER.test(character)) return HANGUL
  if (VARIATION_SELECTOR.test(character)) return BREAK
  if (WORD_CHARACTER.test(character)) return WORD
  return PICTURE_CHARACTER.test(character) ? PICTURE : BREAK
}
