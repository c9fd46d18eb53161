import type { IncomingMessage } from 'node:http'
import { OutboundError } from '../errors.ts'

type Reading = { message: IncomingMessage; maxBytes: number; toError: (error: unknown) => OutboundError; settle: () => void }

/** The body of an answer as it arrives. It fails with an OutboundError above `maxBytes`, announced or not, and when it ends early. */
export function toBody({ message, maxBytes, toError, settle }: Reading): ReadableStream<Uint8Array> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let length = 0

  function end(error?: unknown): void {
    settle()
    if (error !== undefined) message.destroy()
  }

  async function next(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { value, done } = await chunks.next()
    if (done && !message.complete) throw new OutboundError('broken')
    if (done) return finish(controller)
    length += value.length
    if (length > maxBytes) throw new OutboundError('size')
    controller.enqueue(value)
  }

  function finish(controller: ReadableStreamDefaultController<Uint8Array>): void {
    end()
    controller.close()
  }

  return new ReadableStream({
    start: () => {
      if (Number(message.headers['content-length'] ?? 0) > maxBytes) {
        const error = new OutboundError('size')
        end(error)
        throw error
      }
    },
    pull: async (controller) => {
      try {
        await next(controller)
      } catch (error) {
        end(error)
        controller.error(toError(error))
      }
    },
    cancel: (reason) => end(reason ?? 'cancelled'),
  })
}
