import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { pipeline as finished } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import { Refusal } from '../../../errors.ts'

/** At higher levels zstd takes twice the time for a tenth less. */
const COMPRESSION_LEVEL = 3
/** Maximum zstd window when reading, which bounds the memory. Level 3 uses 2 MiB. */
const MAX_WINDOW_LOG = 23
const READ_BYTES = 256 * 1024

type Digest = { bytes: number; sha256: string }

/** An archive that is being written: tar, compressed with zstd. Memory is bounded whatever the size of its entries. */
export type ArchiveWriter = {
  addFile: (name: string, path: string) => Promise<Digest>
  addText: (name: string, text: string) => Promise<Digest>
  /** Resolves when everything is on the disk. */
  finish: () => Promise<void>
  /** Ends writing early; the file is left as it is. */
  abort: () => Promise<void>
}

/** Creates a new file that only its owner may read. */
export function createArchive(path: string): ArchiveWriter {
  const { readable, controller } = createTarPacker()
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  })
  const written = finished(
    Readable.fromWeb(readable as NodeReadableStream),
    compress,
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  )
  // The error is reported to whoever waits for room, and by `finish`.
  written.catch(() => {})

  async function add(name: string, bytes: number, pieces: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<Digest> {
    const hash = createHash('sha256')
    const writer = controller.add({ name, size: bytes, type: 'file', mode: 0o600, uid: 0, gid: 0 }).getWriter()
    for await (const piece of pieces) {
      hash.update(piece)
      await writer.write(piece)
    }
    await writer.close()
    return { bytes, sha256: hash.digest('hex') }
  }

  return {
    addFile: async (name, from) =>
      add(name, (await stat(from)).size, createReadStream(from, { highWaterMark: READ_BYTES })),
    addText: async (name, text) => {
      const bytes = new TextEncoder().encode(text)
      return add(name, bytes.length, [bytes])
    },
    finish: async () => {
      controller.finalize()
      await written
      await syncFile(path)
    },
    abort: async () => {
      controller.error(new Error('aborted'))
      await written.catch(() => {})
    },
  }
}

/** Waits until a file, or the entries of a folder, are on the disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** One file of an archive that is being read. Its body must be read to the end or not at all. */
export type ArchiveEntry = { name: string; bytes: number; body: AsyncIterable<Uint8Array> }

/**
 * Reads an archive entry by entry in bounded memory. `onEntry` must settle before the next entry is read.
 *
 * @throws Refusal if the file is not such an archive, is truncated or damaged, or contains anything but files.
 */
export async function readArchive(path: string, onEntry: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
  await stat(path)
  const inflate = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } })
  const inflated = pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), inflate, () => {})
  const entries = (Readable.toWeb(inflated) as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }),
  )
  try {
    for await (const { header, body } of telling(entries, path)) {
      if (header.type !== 'file') throw new Refusal(`'${path}' has an entry that is no file`)
      await onEntry({ name: header.name, bytes: header.size, body: telling(body, path) })
    }
  } finally {
    inflated.destroy()
  }
}

/** Passes the pieces on, and reports errors as damage of the archive. */
async function* telling<Piece>(pieces: AsyncIterable<Piece>, path: string): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } catch (error) {
    throw toDamage(error, path)
  }
}

/** Converts an error to damage of the archive, except errors of the system (`EIO`). */
function toDamage(error: unknown, path: string): Error {
  if (error instanceof Error && 'syscall' in error) return error
  return new Refusal(
    `'${path}' is no backup, or is cut off or damaged (${error instanceof Error ? error.message : error})`,
  )
}
