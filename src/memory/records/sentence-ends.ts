/** Where to end a part of a text that begins at `start`: after a sentence in the second half, else after a word there, at `limit` at the latest. */
export function endBefore(text: string, start: number, limit: number): number {
  if (limit >= text.length) return text.length
  const half = start + Math.ceil((limit - start) / 2)
  for (let at = limit; at > half; at--) if (endsSentence(text, at)) return at
  for (let at = limit; at > half; at--) if (isBlank(text, at)) return at
  return beforeCharacter(text, half, limit)
}

/** Where to begin a part of a text: after a sentence that ends between `from` and `latest`, else after a word, else between characters. */
export function startAfter(text: string, from: number, latest: number): number {
  if (from <= 0) return 0
  for (let at = from; at <= latest; at++) if (endsSentence(text, at)) return afterBlanks(text, at, latest)
  for (let at = from; at < latest; at++) if (isBlank(text, at)) return afterBlanks(text, at, latest)
  return beforeCharacter(text, 0, from)
}

/** Ends of sentences after which no space is needed, and those that need one. */
const ENDS_WITHOUT_SPACE = '\n。！？'
const ENDS_WITH_SPACE = '.!?…؟।'

const isBlank = (text: string, at: number) => /\s/.test(text[at] ?? ' ')

function endsSentence(text: string, at: number): boolean {
  const last = text[at - 1]
  return last !== undefined && (ENDS_WITHOUT_SPACE.includes(last) || (ENDS_WITH_SPACE.includes(last) && isBlank(text, at)))
}

function afterBlanks(text: string, at: number, latest: number): number {
  let start = at
  while (start < latest && isBlank(text, start)) start++
  return start
}

/** Code units that a reader sees as one character with what stands before them: combining marks, emoji modifiers, joiners, low surrogates. */
const JOINED = /^(?:\p{M}|\p{EMod}|\u200d|[\udc00-\udfff])/u
/** Joined code units that are kept together; a longer sequence is cut all the same. */
const MAX_JOINED_LENGTH = 32

/** The last place from `limit` down to `least` that is not inside a character as a reader sees it. */
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
