import { Elysia } from 'elysia'
import type { Service } from '../service.ts'

/** Answers requests with 503 and closes their connections while the service stops. Requests that arrived before are answered normally. */
export function refuseWhileStopping({ isStopping }: Service) {
  return new Elysia({ name: 'stopping' }).onRequest(() => {
    if (!isStopping()) return
    return Response.json({ error: 'the service is stopping' }, { status: 503, headers: { connection: 'close', 'retry-after': '5' } })
  })
}
