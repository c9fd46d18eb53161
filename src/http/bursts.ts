import { Elysia } from 'elysia'

/** Number of requests of one turn of the event loop that are handled wherever they come from: some milliseconds of work. */
const MAX_UNCOUNTED_PER_TURN = 384
/** Maximum number of requests beyond these that one connection may have handled in the same turn. Few clients send a request before the previous is answered. */
const MAX_PIPELINED_PER_TURN = 16

/**
 * Bounds the pipelined requests of one connection that are handled in one turn of the event loop: a packet holds thousands of small ones. Beyond the bound
 * they are answered with 503 and their connection is closed, with all that is still in it. Many connections with one request each are not affected.
 */
export function refuseBursts() {
  let count = 0
  /** By client address and port. */
  const countOf = new Map<string, number>()
  const reset = () => {
    count = 0
    countOf.clear()
  }
  return new Elysia({ name: 'bursts' }).onRequest(({ request, server }) => {
    count += 1
    if (count === 1) setImmediate(reset)
    if (count <= MAX_UNCOUNTED_PER_TURN) return
    const peer = server?.requestIP(request)
    const connection = `${peer?.address} ${peer?.port}`
    const pipelined = (countOf.get(connection) ?? 0) + 1
    countOf.set(connection, pipelined)
    if (pipelined <= MAX_PIPELINED_PER_TURN) return
    return Response.json({ error: 'too many requests at once' }, { status: 503, headers: { connection: 'close', 'retry-after': '1' } })
  })
}
