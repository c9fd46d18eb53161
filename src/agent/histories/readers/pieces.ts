import { yieldIfDue } from '../../../cooperative.ts'
import type { Assistant } from '../../../transcripts/format.ts'
import { MAX_PIECE_LINES, type Piece } from '../source.ts'
import { type FilePosition, toCursor } from './cursor.ts'
import { createLine, isLineEnd, splitAfterLineFeeds } from './line.ts'
import type { PrefixDigest } from './prefix-digest.ts'

type Options = {
  assistant: Assistant
  maxBytes: number
  /** Positioned at the beginning of the first chunk. */
  digest: PrefixDigest
  file: Pick<FilePosition, 'device' | 'inode'>
}

/**
 * The complete lines of a file in pieces. What comes after the last line feed is one too if it is a whole JSON object, since some programs write the line
 * feed before the next line; otherwise it is left for later. At most one piece and one line are in memory.
 */
export async function* toPieces(chunks: AsyncIterable<Uint8Array>, { assistant, maxBytes, digest, file }: Options): AsyncGenerator<Piece> {
  let line = createLine(assistant)
  let lines: string[] = []
  let bytes = 0
  let rawStart = digest.position()
  let rawEnd = rawStart

  function add(text: string, lineBytes: number): void {
    if (text !== '') lines.push(text)
    bytes += lineBytes
    rawEnd = digest.position()
    line = createLine(assistant)
  }

  function endPiece(): Piece {
    const cursor = toCursor({ ...file, offset: rawEnd, digest: digest.digest(), anchor: digest.anchor() })
    const piece = { lines, rawStart, rawEnd, cursor }
    lines = []
    bytes = 0
    rawStart = rawEnd
    return piece
  }

  const isBegun = () => rawEnd > rawStart

  function* endLine(): Generator<Piece> {
    const text = line.toText()
    const lineBytes = Math.max(line.length(), Buffer.byteLength(text))
    if (isBegun() && (bytes + lineBytes > maxBytes || lines.length === MAX_PIECE_LINES)) yield endPiece()
    digest.add(line.take())
    add(text, lineBytes)
  }

  for await (const chunk of chunks) {
    for (const part of splitAfterLineFeeds(chunk)) {
      await yieldIfDue()
      line.add(part)
      // A line is added to the digest only once it is certain that the piece does not end before it; for a long line, that is now.
      if (line.isLong() && isBegun()) yield endPiece()
      if (line.isLong()) digest.add(line.take())
      if (isLineEnd(part)) yield* endLine()
    }
  }
  if (line.isWholeObject()) yield* endLine()
  if (isBegun()) yield endPiece()
}
