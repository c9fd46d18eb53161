import { constants, createZstdDecompress } from 'node:zlib'
import { MAX_SEGMENT_BYTES } from './bounds.ts'
import { UploadRefusal } from './upload-refusal.ts'

/** Maximum window of a frame: 8 MiB, which compressors use at most unless told otherwise. */
const MAX_WINDOW_LOG = 23
const PIECE_BYTES = 65_536

/**
 * Inflates a body in pieces, on another thread.
 *
 * @throws UploadRefusal for data that is not zstd, ends early or needs too much memory, and as soon as there are more
 *   than 4 MiB.
 */
export async function inflate(compressed: Uint8Array): Promise<Uint8Array> {
  const params = { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG }
  const stream = createZstdDecompress({ params, chunkSize: PIECE_BYTES })
  const pieces: Uint8Array[] = []
  let bytes = 0
  stream.end(compressed)
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      bytes += piece.length
      if (bytes > MAX_SEGMENT_BYTES) throw tooLarge()
      pieces.push(piece)
    }
  } catch (error) {
    throw error instanceof UploadRefusal ? error : new UploadRefusal('invalid', 'the body is not zstd, or ends early')
  }
  return Buffer.concat(pieces)
}

const tooLarge = () =>
  new UploadRefusal('too_large', `the body is larger than ${MAX_SEGMENT_BYTES} bytes when inflated; send fewer lines`)
