import type { IncomingMessage } from 'node:http'
import { OutboundError } from '../errors.ts'

export type Reading = {
  message: IncomingMessage
  maxBytes: number
  /** Called with each piece before it is kept. Nothing more is read until its promise is resolved; what it throws ends the answer. */
  onChunk: ((chunk: Uint8Array) => Promise<void> | undefined) | undefined
  toError: (error: unknown) => OutboundError
  settle: () => void
}

/** The pieces of a body, one after the other; undefined after the last. Throws OutboundError above `maxBytes` and when it ends early. */
function piecesOf({ message, maxBytes, onChunk }: Reading): () => Promise<Uint8Array | undefined> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let length = 0
  return async () => {
    const { value, done } = await chunks.next()
    if (done && !message.complete) throw new OutboundError('broken')
    if (done) return undefined
    length += value.length
    if (length > maxBytes) throw new OutboundError('size', maxBytes)
    await onChunk?.(value)
    return value
  }
}

/** The whole body. Throws OutboundError above `maxBytes`, announced or not, and when it ends early. */
export async function readWhole(reading: Reading): Promise<Uint8Array<ArrayBuffer>> {
  const { message, maxBytes, toError, settle } = reading
  const chunks: Uint8Array[] = []
  try {
    if (isAnnouncedLarger(message, maxBytes)) throw new OutboundError('size', maxBytes)
    const next = piecesOf(reading)
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (error) {
    message.destroy()
    throw toError(error)
  } finally {
    settle()
  }
}

/** The body as it arrives, bounded likewise. */
export function toStream(reading: Reading): ReadableStream<Uint8Array> {
  const { message, toError, settle } = reading
  const next = piecesOf(reading)

  function end(failed: boolean): void {
    settle()
    if (failed) message.destroy()
  }

  return new ReadableStream({
    pull: async (controller) => {
      try {
        const chunk = await next()
        if (chunk !== undefined) return controller.enqueue(chunk)
        end(false)
        controller.close()
      } catch (error) {
        end(true)
        controller.error(toError(error))
      }
    },
    cancel: () => end(true),
  })
}

function isAnnouncedLarger({ headers }: IncomingMessage, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes
}
