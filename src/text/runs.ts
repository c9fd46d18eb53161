import { CHAR_CLASS, type CharClass, charClassOf } from './char-class.ts'

const { BREAK, WORD, JOINT, PICTOGRAPH } = CHAR_CLASS

/** A longer run without spaces is cut, so that no later step ever sees a million characters. In UTF-16 units. */
const MAX_RUN_LENGTH = 256

/** UTF-16 units that are looked at in one piece. */
const PIECE_LENGTH = 4_096

/**
 * Splits a filtered text into runs, a piece at a time: characters of one class in a row, words with the joints inside
 * them, one pictograph. Breaks are left out. The first character of a run has the class of the run.
 */
export function* splitRunsInSteps(text: string): Generator<void, string[]> {
  const runs: string[] = []
  let pieceEnd = PIECE_LENGTH
  let start = 0
  let charClass: CharClass = BREAK
  for (let at = 0; at <= text.length; ) {
    if (at > pieceEnd) {
      yield
      pieceEnd = at + PIECE_LENGTH
    }
    const codePoint = text.codePointAt(at) ?? 0
    const next = at < text.length ? charClassOf(codePoint) : BREAK
    if (!continues(charClass, next) || at - start >= MAX_RUN_LENGTH) {
      if (charClass === WORD) runs.push(text.slice(start, endOfWord(text, start, at)))
      else if (charClass !== BREAK && charClass !== JOINT) runs.push(text.slice(start, at))
      start = at
      charClass = next
    }
    at += codePoint > 0xffff ? 2 : 1
  }
  return runs
}

/** Whether a run of one class goes on with a character of another. Joints belong to the word before them. */
function continues(charClass: CharClass, next: CharClass): boolean {
  if (charClass === WORD) return next === WORD || next === JOINT
  return charClass === next && charClass !== PICTOGRAPH
}

/** Joints at the end of a word are punctuation, except those of `C++` and `C#`. */
function endOfWord(text: string, start: number, end: number): number {
  let last = end
  while (last > start && charClassOf(text.charCodeAt(last - 1)) === JOINT) last--
  if (last - start > 1 || last === end) return last
  if (text.startsWith('++', last)) return last + 2
  return text[last] === '#' ? last + 1 : last
}
