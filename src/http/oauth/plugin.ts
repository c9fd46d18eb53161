import { Elysia } from 'elysia'
import type { Service } from '../../service.ts'
import { discovery } from './discovery.ts'
import { oauthEndpoints } from './endpoints.ts'

/** The OAuth authorization server: discovery, registration, tokens. */
export function oauth(service: Service) {
  return new Elysia({ name: 'oauth' }).use(discovery(service)).use(oauthEndpoints(service))
}
