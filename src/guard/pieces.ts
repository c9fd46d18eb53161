import type { Steps } from '../cooperative.ts'

/** UTF-16 units of a text that are worked on in one piece. The slowest step takes about 4 ms for so many. */
export const PIECE_LENGTH = 4_096

/** `text.replace(pattern, replace)` for a global pattern, a piece at a time. The replacement depends on the match and its groups alone. */
export function* replaceInSteps(text: string, pattern: RegExp, replace: (match: string, ...groups: string[]) => string): Steps<string> {
  if (text.length <= PIECE_LENGTH) return text.replace(pattern, replace)
  const parts: string[] = []
  let last = 0
  for (const match of matchInSteps(text, pattern)) {
    if (match === undefined) {
      yield
      continue
    }
    parts.push(text.slice(last, match.index), replace(...(match as unknown as [string, ...string[]])))
    last = match.index + match[0].length
  }
  return parts.join('') + text.slice(last)
}

/** The matches of a global pattern, and undefined whenever the caller should yield. */
export function* matchInSteps(text: string, pattern: RegExp): Generator<RegExpExecArray | undefined, void> {
  let pieceEnd = PIECE_LENGTH
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length
    if (end > pieceEnd) {
      yield undefined
      pieceEnd = end + PIECE_LENGTH
    }
    yield match
  }
}

/** The passages of a text that reach some UTF-16 units before and after the matches of a global pattern, each on a line; what is far from all of them is left out. */
export function* passagesAround(text: string, pattern: RegExp, margin: number): Steps<string> {
  let passages = ''
  let from = -1
  let to = -1
  for (const match of matchInSteps(text, pattern)) {
    if (match === undefined) {
      yield
      continue
    }
    const start = Math.max(0, match.index - margin)
    if (start > to) {
      if (from >= 0) passages += `${text.slice(from, to)}\n`
      from = start
    }
    to = match.index + match[0].length + margin
  }
  return from < 0 ? passages : passages + text.slice(from, to)
}

/** Places where a text may be split without changing the lower case of a letter, which depends on its neighbours: before a blank or a letter without case. */
const LOWER_BOUNDARY = /[ \n\u0621-\u063a\u3400-\u9fff]/g

/** `text.toLowerCase()`, a piece at a time. */
export function* lowerInSteps(text: string): Steps<string> {
  let lower = ''
  for (let start = 0; start < text.length; ) {
    LOWER_BOUNDARY.lastIndex = start + PIECE_LENGTH
    const end = LOWER_BOUNDARY.exec(text)?.index ?? text.length
    lower += text.slice(start, end).toLowerCase()
    start = end
    if (start < text.length) yield
  }
  return lower
}

/** `map(text)`, a piece at a time, for a mapping of each UTF-16 unit by itself. */
export function* mapInSteps(text: string, map: (piece: string) => string): Steps<string> {
  let mapped = ''
  for (let start = 0; start < text.length; start += PIECE_LENGTH) {
    if (start > 0) yield
    mapped += map(text.slice(start, start + PIECE_LENGTH))
  }
  return mapped
}

/** The number of UTF-16 units of a text for which `isCounted` holds, a piece at a time. */
export function* countInSteps(text: string, isCounted: (code: number) => boolean): Steps<number> {
  let count = 0
  for (let start = 0; start < text.length; start += PIECE_LENGTH) {
    if (start > 0) yield
    count += countUnits(text.slice(start, start + PIECE_LENGTH), isCounted)
  }
  return count
}

function countUnits(text: string, isCounted: (code: number) => boolean): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if (isCounted(text.charCodeAt(at))) count++
  return count
}
