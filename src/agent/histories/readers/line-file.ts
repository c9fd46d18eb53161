import type { HistorySource, Piece, ReadHistory, Rewritten } from '../source.ts'
import { type FilePosition, parseFilePosition } from './cursor.ts'
import { COMPRESSED_ENDING, openHistory, readBytes } from './history-file.ts'
import { toPieces } from './pieces.ts'
import { BEGINNING, createPrefixDigest, type PrefixDigest } from './prefix-digest.ts'

/**
 * Reads a file of lines. The bytes before the cursor are first compared with those that were read: only the last blocks if the file is still the same one;
 * all of them if it is a different one (moved from another disk, copied back, compressed), or if `checksAll` is set.
 */
export const readLineFile: ReadHistory = async function* (source, cursor, maxBytes, { checksAll = false } = {}) {
  if (source.file.endsWith(COMPRESSED_ENDING)) return yield* readPass(source, cursor, maxBytes, checksAll)
  // Each piece is read by a separate pass, which begins with that comparison, so that truncation is noticed while the caller processes a piece.
  for (let at = cursor; ; ) {
    const piece = await takeFirst(readPass(source, at, maxBytes, checksAll && at === cursor))
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
  checksAll: boolean,
): AsyncGenerator<Piece | Rewritten> {
  const read = cursor === null ? undefined : parseFilePosition(cursor)
  const { handle, stats } = await openHistory(file)
  try {
    const identity = { device: stats.dev, inode: stats.ino }
    const isSameFile = read?.device === identity.device && read.inode === identity.inode
    const digest = createPrefixDigest(isSameFile && !checksAll ? read.anchor : BEGINNING)
    const chunks = readBytes(handle, file, digest.position())
    const rest = await skipRead(chunks, digest, read)
    if (rest === undefined) yield 'rewritten'
    else yield* toPieces(prepend(rest, chunks), { assistant, maxBytes, digest, file: identity })
  } finally {
    await handle.close()
  }
}

/** Consumes what was read before, and returns the rest of its last chunk; undefined if the file no longer contains it. */
async function skipRead(
  chunks: AsyncGenerator<Uint8Array>,
  digest: PrefixDigest,
  read: FilePosition | undefined,
): Promise<Uint8Array | undefined> {
  if (read === undefined) return new Uint8Array()
  let rest: Uint8Array = new Uint8Array()
  while (digest.position() < read.offset) {
    const { value: chunk, done } = await chunks.next()
    if (done) return undefined
    const missing = read.offset - digest.position()
    digest.add([chunk.subarray(0, missing)])
    rest = chunk.subarray(missing)
  }
  return digest.digest() === read.digest ? rest : undefined
}

async function* prepend(first: Uint8Array, others: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  yield* others
}
