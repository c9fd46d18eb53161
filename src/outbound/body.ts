import type { IncomingMessage } from 'node:http'
import { OutboundError } from './outbound-error.ts'

/** A response body to be read. */
type BodyReading = {
  message: IncomingMessage
  maxBytes: number
  /**
   * Called with each chunk before it is stored; its promise is awaited before the next chunk is read, and its error
   * ends the body.
   */
  onChunk: ((chunk: Uint8Array) => Promise<void> | undefined) | undefined
  toError: (error: unknown) => OutboundError
  /** Called once the body was read to its end, failed or was cancelled. */
  onEnd: () => void
}

/**
 * The next chunk at each call; undefined after the last. Throws OutboundError above `maxBytes` and for a body that ends
 * early.
 */
function createChunkReader({ message, maxBytes, onChunk }: BodyReading): () => Promise<Uint8Array | undefined> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let bytes = 0
  return async () => {
    const { value, done } = await chunks.next()
    if (done && !message.complete) throw new OutboundError('broken')
    if (done) return undefined
    bytes += value.length
    if (bytes > maxBytes) throw new OutboundError('size', maxBytes)
    await onChunk?.(value)
    return value
  }
}

/** Reads a body completely. Throws OutboundError above `maxBytes`, announced or not, and for one that ends early. */
export async function readBody(reading: BodyReading): Promise<Uint8Array<ArrayBuffer>> {
  const { message, maxBytes, toError, onEnd } = reading
  const chunks: Uint8Array[] = []
  try {
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) throw new OutboundError('size', maxBytes)
    const next = createChunkReader(reading)
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (error) {
    message.destroy()
    throw toError(error)
  } finally {
    onEnd()
  }
}

/** The body as a stream. It fails with an OutboundError above `maxBytes`, and where the connection breaks. */
export function toStream(reading: BodyReading): ReadableStream<Uint8Array> {
  const { message, toError, onEnd } = reading
  const next = createChunkReader(reading)

  function abandon(): void {
    onEnd()
    message.destroy()
  }

  return new ReadableStream({
    pull: async (controller) => {
      try {
        const chunk = await next()
        if (chunk !== undefined) return controller.enqueue(chunk)
        onEnd()
        controller.close()
      } catch (error) {
        abandon()
        controller.error(toError(error))
      }
    },
    cancel: abandon,
  })
}
