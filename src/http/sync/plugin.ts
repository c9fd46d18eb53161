import { Elysia } from 'elysia'
import type { Service } from '../../service.ts'
import { askHeads } from './heads.ts'
import { route } from './route.ts'
import { forget, put } from './segments.ts'
import { answer, erase, eraseAll, exportLines, find, lines, list, makeCode, matches, suggests } from './sessions.ts'

/**
 * `/v1/sync`: local agents upload session histories, and whoever uploaded them reads and erases them. Each request
 * carries a key, which is checked before its body is read.
 */
export function sync(service: Service) {
  const raw = { parse: 'none' } as const
  const source = '/v1/sync/sources/:source'
  const session = '/v1/sync/sessions/:session'
  return new Elysia({ name: 'sync' })
    .post('/v1/sync/heads', route(service, askHeads), raw)
    .put(`${source}/lines`, route(service, put), raw)
    .post(`${source}/forget`, route(service, forget), raw)
    .post('/v1/sync/console-code', route(service, makeCode), raw)
    .get('/v1/sync/suggestions', route(service, suggests))
    .post('/v1/sync/suggestions/:answer', route(service, answer), raw)
    .get('/v1/sync/find', route(service, find))
    .get('/v1/sync/sessions', route(service, list))
    .post('/v1/sync/sessions/erase', route(service, eraseAll), raw)
    .get(`${session}/lines`, route(service, lines))
    .get(`${session}/matches`, route(service, matches))
    .get(`${session}/export`, route(service, exportLines))
    .post(`${session}/erase`, route(service, erase), raw)
}
