import { Elysia } from 'elysia'
import { assets } from './http/assets.ts'
import { consolePages } from './http/console/plugin.ts'
import { failures } from './http/failures.ts'
import { health } from './http/health.ts'
import { mcp } from './http/mcp.ts'
import { oauth } from './http/oauth/plugin.ts'
import { createCatalogue, type Integrations } from './mcp/catalogue.ts'
import { toIntegrations } from './mcp/integrations.ts'
import type { Service } from './service.ts'
import { tools } from './tools/index.ts'

/** Seconds after which a connection that sends or reads nothing is closed. */
const IDLE_SECONDS = 30

/** The whole HTTP surface of an opened service; `listen` starts it. */
export function createApp(service: Service, integrations: Integrations = toIntegrations(service.gateway)) {
  const catalogue = createCatalogue(Object.values(tools.decorator.catalogue), integrations)
  // Elysia would share a port that is taken, and the system would hand half of the calls to the other server.
  return new Elysia({ serve: { idleTimeout: IDLE_SECONDS, reusePort: false, development: false } })
    .use(failures(service))
    .use(health(service))
    .use(assets)
    .use(oauth(service))
    .use(consolePages(service))
    .use(mcp({ service, catalogue }))
}
