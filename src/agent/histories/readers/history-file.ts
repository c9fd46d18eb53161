import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress, constants as zlib } from 'node:zlib'

const CHUNK_BYTES = 128 * 1_024

/** Does not follow symbolic links, nor wait for the writer of a pipe. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Maximum window of a compressed file, as the exponent of a power of two: 16 MiB. Levels up to 19 need 8 MiB. */
const MAX_WINDOW_LOG = 24

const MAX_SMALL_FILE_BYTES = 64 * 1_024

export const COMPRESSED_ENDING = '.zst'

const USER = process.getuid?.()

/** Whether a file is a regular one that belongs to this user. */
export function isOwnFile(stats: Stats): boolean {
  return stats.isFile() && (USER === undefined || stats.uid === USER)
}

/** @throws Error of the file system; with the code `EINVAL` if it is not a regular file of this user. */
export async function openHistory(file: string): Promise<{ handle: FileHandle; stats: Stats }> {
  const handle = await open(file, OPEN_FLAGS)
  try {
    const stats = await handle.stat()
    if (!isOwnFile(stats)) throw Object.assign(new Error('not a regular file of this person'), { code: 'EINVAL' })
    return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * The uncompressed content from a position on, in chunks that are valid until the next one is requested. Does not close
 * the file.
 */
export function readBytes(handle: FileHandle, file: string, from: number): AsyncGenerator<Uint8Array> {
  if (file.endsWith(COMPRESSED_ENDING)) return readCompressed(handle, from)
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  return readPlain(handle, from, () => buffer)
}

async function* readPlain(handle: FileHandle, from: number, toBuffer: () => Buffer): AsyncGenerator<Uint8Array> {
  for (let at = from; ; ) {
    const { bytesRead, buffer } = await handle.read(toBuffer(), 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Always decompresses from the beginning. */
async function* readCompressed(handle: FileHandle, from: number): AsyncGenerator<Uint8Array> {
  const inflater = createZstdDecompress({ params: { [zlib.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } })
  const feeding = pipeline(
    readPlain(handle, 0, () => Buffer.allocUnsafe(CHUNK_BYTES)),
    inflater,
  )
  feeding.catch(() => undefined)
  let at = 0
  for await (const chunk of inflater as AsyncIterable<Uint8Array>) {
    const skipped = Math.min(Math.max(from - at, 0), chunk.length)
    at += chunk.length
    if (skipped < chunk.length) yield chunk.subarray(skipped)
  }
  await feeding
}

/** The text of a small file; undefined if there is none, or it is longer than 64 KiB. */
export async function readSmallFile(file: string): Promise<string | undefined> {
  const opened = await openHistory(file).catch(() => undefined)
  if (opened === undefined) return undefined
  try {
    return opened.stats.size > MAX_SMALL_FILE_BYTES ? undefined : await opened.handle.readFile('utf8')
  } catch {
    return undefined
  } finally {
    await opened.handle.close()
  }
}
