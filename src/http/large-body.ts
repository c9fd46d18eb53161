import type { LargeText } from '../jsonrpc.ts'

/** A body that is read as fast as its client takes it. `done` is called once when it was read to its end, or will not be. */
export function toLargeBody({ before, after, read }: LargeText, done: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(before)),
      pull: async (controller) => {
        try {
          const piece = await read()
          controller.enqueue(piece ?? encoder.encode(after))
          if (piece !== undefined) return
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        done()
      },
      cancel: done,
    },
    { highWaterMark: 0 },
  )
}
