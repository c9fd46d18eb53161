import { yieldIfDue } from '../../../cooperative.ts'
import type { Assistant } from '../../../transcripts/format.ts'
import { createLongLine, findObject, LONG_LINE_BYTES, reduceLine } from '../../../transcripts/reduce.ts'
import { type HistorySource, MAX_PIECE_LINES, type Piece, type ReadHistory, type Rewritten } from '../source.ts'
import { COMPRESSED_ENDING, openHistory, readBytes } from './history-file.ts'

/**
 * How far a file was read: up to `end`, which is directly after a line feed or a whole object, with the last piece from
 * `start` on and its SHA-256. Bytes of the uncompressed content. The digest never leaves this machine.
 */
type FilePosition = { start: number; end: number; digest: string }

/**
 * Reads a file of lines. The last piece before the cursor is first compared with what was read: if it is another one,
 * or the file has become shorter, the history is rewritten. A change before that piece that moves nothing is not
 * noticed.
 */
export const readLineFile: ReadHistory = async function* (source, cursor, maxBytes) {
  if (source.file.endsWith(COMPRESSED_ENDING)) return yield* readPass(source, cursor, maxBytes)
  // Each piece is read by a separate pass, which begins with that comparison, so that truncation is noticed while the
  // caller processes a piece.
  for (let at = cursor; ; ) {
    const piece = await takeFirst(readPass(source, at, maxBytes))
    if (piece === undefined) return
    yield piece
    if (piece === 'rewritten') return
    at = piece.cursor
  }
}

async function takeFirst<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item
  return undefined
}

async function* readPass(
  { assistant, file }: HistorySource,
  cursor: string | null,
  maxBytes: number,
): AsyncGenerator<Piece | Rewritten> {
  const read: FilePosition | undefined = cursor === null ? undefined : JSON.parse(cursor)
  const { handle } = await openHistory(file)
  try {
    const chunks = readBytes(handle, file, read?.start ?? 0)
    const rest = read === undefined ? new Uint8Array() : await skipRead(chunks, read)
    if (rest === undefined) yield 'rewritten'
    else yield* toPieces(prepend(rest, chunks), { assistant, maxBytes, start: read?.end ?? 0 })
  } finally {
    await handle.close()
  }
}

const createDigest = () => new Bun.CryptoHasher('sha256')

/**
 * Consumes the piece that was read last, and returns the rest of its last chunk; undefined if the file no longer
 * contains it.
 */
async function skipRead(
  chunks: AsyncGenerator<Uint8Array>,
  { start, end, digest }: FilePosition,
): Promise<Uint8Array | undefined> {
  const found = createDigest()
  for (let at = start; ; ) {
    const { value: chunk, done } = await chunks.next()
    if (done) return undefined
    const part = chunk.subarray(0, end - at)
    found.update(part)
    at += part.length
    if (at === end) return found.digest('hex') === digest ? chunk.subarray(part.length) : undefined
  }
}

async function* prepend(first: Uint8Array, others: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  yield* others
}

type Options = { assistant: Assistant; maxBytes: number; start: number }

/**
 * The complete lines of a file in pieces. What comes after the last line feed is one too if it is a whole JSON object,
 * since some programs write the line feed before the next line; otherwise it is left for later. At most one piece and
 * one line are in memory.
 */
async function* toPieces(
  chunks: AsyncIterable<Uint8Array>,
  { assistant, maxBytes, start }: Options,
): AsyncGenerator<Piece> {
  let line = createLine(assistant)
  let lines: string[] = []
  let digest = createDigest()
  let bytes = 0
  let rawStart = start
  let rawEnd = start

  function endPiece(): Piece {
    const position: FilePosition = { start: rawStart, end: rawEnd, digest: digest.digest('hex') }
    const piece = { lines, rawStart, rawEnd, cursor: JSON.stringify(position) }
    lines = []
    digest = createDigest()
    bytes = 0
    rawStart = rawEnd
    return piece
  }

  const isBegun = () => rawEnd > rawStart

  function* endLine(): Generator<Piece> {
    const text = line.toText()
    const lineBytes = Math.max(line.length(), Buffer.byteLength(text))
    if (isBegun() && (bytes + lineBytes > maxBytes || lines.length === MAX_PIECE_LINES)) yield endPiece()
    for (const part of line.take()) digest.update(part)
    if (text !== '') lines.push(text)
    bytes += lineBytes
    rawEnd += line.length()
    line = createLine(assistant)
  }

  for await (const chunk of chunks) {
    for (const part of splitAfterLineFeeds(chunk)) {
      await yieldIfDue()
      line.add(part)
      // A line is added to the digest only once it is certain that the piece does not end before it; for a long line,
      // that is now.
      if (line.isLong() && isBegun()) yield endPiece()
      if (line.isLong()) for (const taken of line.take()) digest.update(taken)
      if (isLineEnd(part)) yield* endLine()
    }
  }
  if (line.isWholeObject()) yield* endLine()
  if (isBegun()) yield endPiece()
}

const LINE_FEED = 0x0a

/** Splits bytes into parts that end with a line feed, except possibly the last. */
function* splitAfterLineFeeds(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from)
    const next = end < 0 ? bytes.length : end + 1
    yield bytes.subarray(from, next)
    from = next
  }
}

function isLineEnd(part: Uint8Array): boolean {
  return part.at(-1) === LINE_FEED
}

/**
 * A line of a file that arrives in parts. At most `LONG_LINE_BYTES` are kept as read; a longer line is reduced while it
 * arrives.
 */
function createLine(assistant: Assistant) {
  let parts: Uint8Array[] = []
  let untaken: Uint8Array[] = []
  let length = 0
  let long: ReturnType<typeof createLongLine> | undefined

  return {
    /**
     * The last part ends with the line feed, and must stay valid until the line has been used; the others are copied.
     */
    add: (part: Uint8Array): void => {
      length += part.length
      const held = isLineEnd(part) ? part : Buffer.from(part)
      untaken.push(held)
      parts.push(held)
      if (long === undefined && length > LONG_LINE_BYTES) long = createLongLine(assistant)
      if (long === undefined) return
      for (const one of parts) long.push(one)
      parts = []
    },
    length: () => length,
    isLong: () => long !== undefined,
    /**
     * Whether the line is a JSON object, to which nothing can be added but blanks. A long line is never known to be
     * one.
     */
    isWholeObject: (): boolean => long === undefined && findObject(Buffer.concat(parts).toString()) !== undefined,
    /** The bytes added since the last call. */
    take: (): Uint8Array[] => {
      const taken = untaken
      untaken = []
      return taken
    },
    /** The trimmed and reduced line. */
    toText: (): string =>
      long === undefined ? reduceLine(assistant, Buffer.concat(parts).toString().trim()) : long.finish(),
  }
}
