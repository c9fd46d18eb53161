import { finish, type Steps } from '../cooperative.ts'
import { BREAK, JOINT, PICTURE, roleOf, WORD } from './script.ts'

/** A long run without spaces is taken in slices, so that no step ever sees a million characters. */
const MAX_RUN_CHARACTERS = 256

/** Numbers that tell of one run: where it starts, where it ends, its role. */
export const CUT = 3

/** UTF-16 units that are looked at in one piece. */
const PIECE_LENGTH = 4_096

/** Cuts a text into runs of characters that play the same role: start, end and role of each in turn. */
export function splitRuns(text: string): Int32Array {
  return finish(cutRunsInSteps(text))
}

/** `cutRuns`, a piece at a time. */
export function* cutRunsInSteps(text: string): Steps<Int32Array> {
  let room = new Int32Array(CUT * Math.min(text.length + 1, 1 << 10))
  let pieceEnd = PIECE_LENGTH
  let count = 0
  let start = 0
  let role = BREAK
  for (let at = 0; at <= text.length; ) {
    if (at > pieceEnd) {
      yield
      pieceEnd = at + PIECE_LENGTH
    }
    const codePoint = text.codePointAt(at) ?? 0
    const next = at < text.length ? roleOf(codePoint) : BREAK
    if (!continues(role, next) || at - start >= MAX_RUN_CHARACTERS) {
      if (role !== BREAK && role !== JOINT) {
        if (count === room.length) room = double(room)
        room[count++] = start
        room[count++] = role === WORD ? endOfWord(text, start, at) : at
        room[count++] = role
      }
      start = at
      role = next
    }
    at += codePoint > 0xffff ? 2 : 1
  }
  return room.subarray(0, count)
}

/** Joints belong to the word before them. */
function continues(role: number, next: number): boolean {
  if (role === WORD) return next === WORD || next === JOINT
  return role === next && role !== PICTURE
}

/** Joints at the end of a word are punctuation, but for those of `C++` and `C#`. */
function endOfWord(text: string, start: number, end: number): number {
  let last = end
  while (last > start && roleOf(text.charCodeAt(last - 1)) === JOINT) last--
  if (last - start > 1 || last === end) return last
  if (text.startsWith('++', last)) return last + 2
  return text[last] === '#' ? last + 1 : last
}

function double(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
