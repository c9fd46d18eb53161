/**
 * Where an excerpt that begins at `start` ends, at most at `limit`: after a sentence in its second half, else after a
 * word there, else between characters.
 */
export function endBefore(text: string, start: number, limit: number): number {
  if (limit >= text.length) return text.length
  const half = start + Math.ceil((limit - start) / 2)
  for (let at = limit; at > half; at--) if (endsSentence(text, at)) return at
  for (let at = limit; at > half; at--) if (isBlank(text, at)) return at
  return beforeCharacter(text, half, limit)
}

/**
 * Where an excerpt begins: after a sentence that ends between `from` and `latest`, else after a word there, else
 * between characters.
 */
export function startAfter(text: string, from: number, latest: number): number {
  if (from <= 0) return 0
  for (let at = from; at <= latest; at++) if (endsSentence(text, at)) return afterBlanks(text, at, latest)
  for (let at = from; at < latest; at++) if (isBlank(text, at)) return afterBlanks(text, at, latest)
  return beforeCharacter(text, 0, from)
}

/** Characters that end a sentence by themselves, and characters that do so only before white space. */
const ENDS_WITHOUT_SPACE = '\n。！？'
const ENDS_WITH_SPACE = '.!?…؟।'

const isBlank = (text: string, at: number) => /\s/.test(text[at] ?? ' ')

function endsSentence(text: string, at: number): boolean {
  const last = text[at - 1]
  return (
    last !== undefined && (ENDS_WITHOUT_SPACE.includes(last) || (ENDS_WITH_SPACE.includes(last) && isBlank(text, at)))
  )
}

function afterBlanks(text: string, at: number, latest: number): number {
  let start = at
  while (start < latest && isBlank(text, start)) start++
  return start
}

/**
 * What belongs to the same grapheme as the code unit before it: combining marks, emoji modifiers, joiners, low
 * surrogates.
 */
const JOINED = /^(?:\p{M}|\p{EMod}|\u200d|[\udc00-\udfff])/u
/** Longest sequence of joined code units that is kept whole; a longer one is cut anyway. */
const MAX_JOINED_LENGTH = 32

/** The last position from `limit` down to `least` that is not inside a grapheme. */
function beforeCharacter(text: string, least: number, limit: number): number {
  const end = Math.max(least, limit - MAX_JOINED_LENGTH)
  for (let at = limit; at > end; at--) {
    const isInside = JOINED.test(text.slice(at, at + 2)) || text[at - 1] === '\u200d'
    if (!isInside) return at
  }
  return isLowSurrogate(text, limit) ? limit - 1 : limit
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
