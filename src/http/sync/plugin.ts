import { Elysia } from 'elysia'
import type { Service } from '../../service.ts'
import { askHeads } from './heads.ts'
import { route } from './route.ts'
import { forget, put } from './segments.ts'

/** `/v1/sync`: how local agents upload session histories. Each request carries a key; bodies are read after it is checked. */
export function sync(service: Service) {
  const raw = { parse: 'none' } as const
  const source = '/v1/sync/sources/:source'
  return new Elysia({ name: 'sync' })
    .post('/v1/sync/heads', route(service, askHeads), raw)
    .put(`${source}/generations/:generation/segments/:range`, route(service, put), raw)
    .post(`${source}/forget`, route(service, forget), raw)
}
