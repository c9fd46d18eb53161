import { Elysia } from 'elysia'

/**
 * Maximum number of requests that are handled in one turn of the event loop: some milliseconds. One connection can have 20 000 small ones in one packet, one
 * behind the other.
 */
const MAX_REQUESTS_PER_TURN = 384

/** Answers further requests of a turn with 503, and closes their connections, with all that is still in them. */
export function refuseBursts() {
  let count = 0
  const reset = () => {
    count = 0
  }
  return new Elysia({ name: 'bursts' }).onRequest(() => {
    count += 1
    if (count === 1) setImmediate(reset)
    if (count <= MAX_REQUESTS_PER_TURN) return
    return Response.json({ error: 'too many requests at once' }, { status: 503, headers: { connection: 'close', 'retry-after': '1' } })
  })
}
