/**
 * What the characters of a text hint at, a bit each. One pass over the characters is several times faster than the
 * patterns that look for what is hinted at.
 */
export const NOT_ASCII = 1
/** Characters that show nothing or are another form of a letter, or halves of such characters. */
export const UNUSUAL = 2
/** Letters that may look like Latin ones, and the capitals of such letters. */
export const LOOKALIKE = 4
/** Braille and regional indicators. */
export const SPELLED = 8
/** Characters that show nothing, or halves of them. */
export const INVISIBLE = 16
/** How an escape begins. */
export const ESCAPED = 32
/** What begins or ends an element, or ends the text of a link. */
export const MARKUP = 64

/** Characters that show nothing or are another form of a letter. */
export const UNUSUAL_CHARACTERS =
  /\u034f|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2460-\u24ff\u3164\ufb00-\ufb06\ufeff\uff00-\uffef\ud835\udb40]|\ud83c[\udd10-\uddff]/

/**
 * What UTF-16 units hint at. U+D83C is the first half of enclosed letters and regional indicators, and of other emoji.
 */
const HINTED_AT: [RegExp, number][] = [
  [new RegExp(`${UNUSUAL_CHARACTERS.source}|\\ud83c`, 'g'), UNUSUAL],
  [/[\u0180-\u058f\u1d00-\u1d7f\u2126\u2c60-\u2c7f\ua640-\ua7ff]/g, LOOKALIKE],
  [/[\u2801-\u283f\ud83c]/g, SPELLED],
  [
    /\u034f|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\udb40]/g,
    INVISIBLE,
  ],
  [/[%=\\&]/g, ESCAPED],
  [/[<\]]/g, MARKUP],
]
const UNITS = 0x10000

/** Built at the first text, because most commands of the executable never inspect one. */
let hintsByUnit: Uint8Array | undefined

function buildHints(): Uint8Array {
  const hints = new Uint8Array(UNITS).fill(NOT_ASCII, 128)
  const units = Array.from(hints.keys(), (unit) => String.fromCharCode(unit)).join('')
  for (const [pattern, hint] of HINTED_AT)
    for (const { index } of units.matchAll(pattern)) hints[index] = (hints[index] ?? 0) | hint
  return hints
}

/** All that a text hints at. */
export function hintsOf(text: string): number {
  hintsByUnit ??= buildHints()
  let hints = 0
  for (let at = 0; at < text.length; at++) hints |= hintsByUnit[text.charCodeAt(at)] ?? 0
  return hints
}
