import { yieldIfDue } from '../../cooperative.ts'

/** Characters (UTF-16 code units) of contents in one answer of a tool. In JSON that stands in JSON text, one takes 13 bytes at most. */
export const MAX_ANSWER_CHARACTERS = 24_000
/** Entries of one list in an answer of a tool. */
export const MAX_LISTED = 100

/** A content as an answer shows it; `excerpt` where it is a part of what is kept. */
export type Shown = { content: string; excerpt?: true }

/** Takes at most `most` characters of a content that is longer than that. */
export type Cut<Entry> = (entry: Entry, most: number) => string

/**
 * Shows contents in at most `room` characters in all. Shares are fair: short contents stay whole, and the longest are cut, all to one length.
 * Yields between contents that are cut.
 */
export async function shareRoom<Entry extends { content: string }>(entries: Entry[], room: number, cut: Cut<Entry>): Promise<Shown[]> {
  const share = fairShare(
    entries.map(({ content }) => content.length),
    room,
  )
  const shown: Shown[] = []
  for (const entry of entries) {
    const isWhole = entry.content.length <= share
    if (!isWhole) await yieldIfDue()
    shown.push(isWhole ? { content: entry.content } : { content: cut(entry, share), excerpt: true })
  }
  return shown
}

/** The length to which contents are cut where those of these lengths share `room` characters; infinite where all of them fit. */
export function fairShare(lengths: number[], room: number): number {
  const rising = lengths.toSorted((a, b) => a - b)
  let left = room
  for (const [at, length] of rising.entries()) {
    const share = Math.floor(left / (rising.length - at))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

/** The first `most` characters of an entry's content or fewer: cut after a sentence where one ends in their second half, else after a word, else between characters. */
export const cutBeginning: Cut<{ content: string }> = ({ content }, most) => content.slice(0, endBefore(content, 0, most))

/** Where to end a part of a text that begins at `start`, at `limit` at the latest. */
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

/** Ends of sentences that need no space after them, and those that do. */
const FULL_STOPS = '\n。！？'
const STOPS = '.!?…؟।'

const isBlank = (text: string, at: number) => /\s/.test(text[at] ?? ' ')

function endsSentence(text: string, at: number): boolean {
  const last = text[at - 1]
  return last !== undefined && (FULL_STOPS.includes(last) || (STOPS.includes(last) && isBlank(text, at)))
}

function afterBlanks(text: string, at: number, latest: number): number {
  let start = at
  while (start < latest && isBlank(text, start)) start++
  return start
}

/** What is one character with what stands before it, for its reader. */
const JOINED = /^(?:\p{M}|\p{EMod}|\u200d|[\udc00-\udfff])/u
/** A run of joined signs longer than this is cut all the same. */
const MAX_JOINED = 32

/** The last place from `limit` down to `least` that is not in the midst of a character. */
function beforeCharacter(text: string, least: number, limit: number): number {
  const end = Math.max(least, limit - MAX_JOINED)
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
