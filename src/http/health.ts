import { Elysia } from 'elysia'
import type { Service } from '../service.ts'

/** `GET /healthz`: 200 while the process answers. `GET /readyz`: 200 if the store can be read and written, else 503. */
export function health(service: Service) {
  return new Elysia({ name: 'health' })
    .get('/healthz', () => ({ status: 'ok', version: service.version }))
    .get('/readyz', async ({ set }) => {
      try {
        await service.store.check()
        return { status: 'ok' }
      } catch (error) {
        service.log('not ready', { error: String(error) })
        set.status = 503
        return { status: 'the store does not answer' }
      }
    })
}
