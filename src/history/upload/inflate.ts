import { constants, createZstdDecompress } from 'node:zlib'
import { UploadRefusal } from '../../errors.ts'
import { MAX_SEGMENT_BYTES } from './bounds.ts'

/** Maximum window of a frame: 8 MiB, which compressors use at most unless told otherwise. */
const MAX_WINDOW_LOG = 23

/**
 * Inflates a body in pieces, on another thread.
 *
 * @throws UploadRefusal for data that is not zstd, ends early or needs too much memory, and as soon as there are more
 *   than 4 MiB.
 */
export function inflate(compressed: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const stream = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } })
    const pieces: Uint8Array[] = []
    let bytes = 0
    stream.on('data', (piece: Uint8Array) => {
      bytes += piece.length
      if (bytes > MAX_SEGMENT_BYTES) return fail(tooLarge())
      pieces.push(piece)
    })
    stream.on('end', () => resolve(Buffer.concat(pieces)))
    stream.on('error', () => fail(new UploadRefusal('invalid', 'the body is not zstd, or ends early')))
    stream.end(compressed)

    function fail(error: UploadRefusal): void {
      pieces.length = 0
      stream.destroy()
      reject(error)
    }
  })
}

const tooLarge = () =>
  new UploadRefusal('too_large', `the body is larger than ${MAX_SEGMENT_BYTES} bytes when inflated; send fewer lines`)
