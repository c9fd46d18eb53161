/** UTF-16 units of a text that are read in one piece, at most. */
const PIECE_LENGTH = 4_096
/** What two pieces have in common, so that a sentence is whole in one of them. A multiple of GROUP_LENGTH. */
const OVERLAP_LENGTH = 384
/**
 * A longer word is split after a multiple of so many characters, so that its parts can be decoded if it is base64,
 * base32, hexadecimal or binary.
 */
const GROUP_LENGTH = 8
const IN_WORD = /[\w+/=\u00c0-\u06ff-]/

/**
 * The pieces of a text, split between words if they are short. Each is read by itself, and other work gets a turn
 * between them.
 */
export function toPieces(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > PIECE_LENGTH) {
    const end = endOfPiece(text, start)
    pieces.push(text.slice(start, end))
    start = end - OVERLAP_LENGTH
    while (start < end && isInWord(text, start)) start++
    if (isInWord(text, start)) start = end - OVERLAP_LENGTH
  }
  return [...pieces, text.slice(start)]
}

function endOfPiece(text: string, start: number): number {
  const end = start + PIECE_LENGTH
  let wordStart = end
  while (wordStart > start && isInWord(text, wordStart)) wordStart--
  return end - wordStart < OVERLAP_LENGTH ? wordStart : end - ((end - wordStart) % GROUP_LENGTH)
}

/** Whether a word of an alphabet or of an encoding goes on at a position. */
const isInWord = (text: string, at: number) => IN_WORD.test(text[at - 1] ?? ' ')

/**
 * The passages of a text that reach some UTF-16 units before and after the matches of a global pattern, each on a line;
 * what is far from all of them is left out.
 */
export function passagesAround(text: string, pattern: RegExp, margin: number): string {
  let passages = ''
  let from = -1
  let to = -1
  for (const match of text.matchAll(pattern)) {
    const start = Math.max(0, match.index - margin)
    if (start > to) {
      if (from >= 0) passages += `${text.slice(from, to)}\n`
      from = start
    }
    to = match.index + match[0].length + margin
  }
  return from < 0 ? passages : passages + text.slice(from, to)
}
