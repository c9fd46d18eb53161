import type { LargeText, ObjectText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'

/** The pieces of a body, generated as they are read. */
type Chunks = AsyncGenerator<string | Uint8Array, void>

/** A JSON text in pieces. */
export async function* toChunks({ before, after, read }: LargeText): Chunks {
  yield before
  for (let chunk = await read(); chunk !== undefined; chunk = await read()) yield chunk
  yield after
}

const EVENT = 'event: message\ndata: '

/** A stream of events, one for each message. JSON contains no line breaks, which would end a field of the event. */
export async function* toEvents(messages: AsyncGenerator<ObjectText, void>): Chunks {
  for await (const message of messages) {
    if (typeof message === 'string') yield `${EVENT}${message}\n\n`
    else yield* toChunks({ ...message, before: EVENT + message.before, after: `${message.after}\n\n` })
  }
}

/**
 * A body that is generated as fast as its client reads it. `done` is called once, when the body was read to its end or
 * the client is gone. If a chunk cannot be generated, that is logged and the connection is closed, by which the client
 * sees that the body is not whole.
 */
export function toBody(
  service: Pick<Service, 'log' | 'isClosed'>,
  chunks: Chunks,
  done = () => {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isCancelled = false
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { value, done: isEnd } = await chunks.next()
          // The client may have gone meanwhile.
          if (isCancelled) return
          if (value !== undefined) controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
          if (!isEnd) return
          controller.close()
        } catch (error) {
          if (isCancelled) return
          // A stop cuts off what is still being read.
          if (!service.isClosed())
            service.log('an answer was broken off', { error: error instanceof Error ? error.stack : String(error) })
          // Without the error, which Bun would print as it is.
          controller.error()
        }
        done()
      },
      cancel: () => {
        isCancelled = true
        done()
        void chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
}
