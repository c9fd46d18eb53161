import type { IncomingMessage } from 'node:http'
import { OutboundError } from '../errors.ts'

export type Reading = { message: IncomingMessage; maxBytes: number; toError: (error: unknown) => OutboundError; settle: () => void }

/** The whole body. Throws OutboundError above `maxBytes`, announced or not, and when it ends early. */
export function readWhole({ message, maxBytes, toError, settle }: Reading): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let length = 0
    const fail = (error: unknown) => {
      settle()
      message.destroy()
      reject(toError(error))
    }
    message.on('error', fail)
    message.on('close', () => message.complete || fail(new OutboundError('broken')))
    message.on('end', () => {
      settle()
      resolve(Buffer.concat(chunks))
    })
    if (isAnnouncedLarger(message, maxBytes)) return fail(new OutboundError('size', maxBytes))
    message.on('data', (chunk: Uint8Array) => {
      length += chunk.length
      if (length > maxBytes) fail(new OutboundError('size', maxBytes))
      else chunks.push(chunk)
    })
  })
}

/** The body as it arrives, bounded likewise. */
export function toStream({ message, maxBytes, toError, settle }: Reading): ReadableStream<Uint8Array> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let length = 0

  function end(failed: boolean): void {
    settle()
    if (failed) message.destroy()
  }

  async function next(): Promise<Uint8Array | undefined> {
    const { value, done } = await chunks.next()
    if (done && !message.complete) throw new OutboundError('broken')
    length += value?.length ?? 0
    if (length > maxBytes) throw new OutboundError('size', maxBytes)
    return done ? undefined : value
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
