import { Elysia } from 'elysia'
import type { Service } from '../../service.ts'
import { authorize } from './authorize.ts'
import { discovery } from './discovery.ts'
import { oauthEndpoints } from './endpoints.ts'

/** Everything by which a hosted assistant gets its token. */
export function oauth(service: Service) {
  return new Elysia({ name: 'oauth' }).use(discovery(service)).use(oauthEndpoints(service)).use(authorize(service))
}
