import { Elysia } from 'elysia'
import type { Service } from '../../service.ts'
import { authorize } from './authorize.ts'
import { discovery } from './discovery.ts'
import { oauthEndpoints } from './endpoints.ts'

/** The OAuth authorization server: discovery, registration, the page for people, tokens. */
export function oauth(service: Service) {
  return new Elysia({ name: 'oauth' }).use(discovery(service)).use(oauthEndpoints(service)).use(authorize(service))
}
