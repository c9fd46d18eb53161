import { Elysia } from 'elysia'
import type { Service } from '../service.ts'

/** Answers requests that arrive while the service stops with 503, and has their connections closed. Those that arrived before are answered as ever. */
export function refuseWhileStopping({ isStopping }: Service) {
  return new Elysia({ name: 'stopping' }).onRequest(() => {
    if (!isStopping()) return
    return Response.json({ error: 'the service is stopping' }, { status: 503, headers: { connection: 'close', 'retry-after': '5' } })
  })
}
