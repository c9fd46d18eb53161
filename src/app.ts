import { Elysia } from 'elysia'
import { assets } from './console/assets/assets.ts'
import { pageFailures } from './console/error-pages.ts'
import { authorize } from './console/oauth/authorize.ts'
import { consolePages } from './console/plugin.ts'
import { failures, toInternalError } from './http/failures.ts'
import { health } from './http/health.ts'
import { key } from './http/key.ts'
import { mcp } from './http/mcp.ts'
import { metrics } from './http/metrics.ts'
import { oauth } from './http/oauth/endpoints.ts'
import { invalidHost } from './http/request.ts'
import { refuseBursts, refuseWhileStopping, requests } from './http/requests.ts'
import { sync } from './http/sync/plugin.ts'
import { createCatalogue, type Integrations, toIntegrations } from './mcp/catalogue.ts'
import { PROGRESS_TIMING } from './mcp/progress.ts'
import { createMcpContext } from './mcp/request.ts'
import type { Service } from './service.ts'
import { tools } from './tools/index.ts'

/** Seconds after which a connection that sends or reads nothing is closed. */
const IDLE_SECONDS = 30

/** Bun rejects larger bodies before a route sees them; each route has a lower limit of its own. */
const MAX_BODY_BYTES = 2 * 2 ** 20

/** The whole HTTP surface of an opened service; `listen` starts it. */
export function createApp(
  service: Service,
  integrations: Integrations = toIntegrations(service.gateway),
  timing = PROGRESS_TIMING,
) {
  const context = createMcpContext(
    service,
    createCatalogue(Object.values(tools.decorator.catalogue), integrations),
    timing,
  )
  // By default Elysia sets `reusePort`, so that a second server on the same port would silently get half of the
  // requests.
  const serve = { idleTimeout: IDLE_SECONDS, maxRequestBodySize: MAX_BODY_BYTES, reusePort: false, development: false }
  return new Elysia({
    serve: { ...serve, error: (error: Error) => toInternalError(service, error) },
    handler: { standardHostname: false },
  })
    .use(refuseBursts())
    .use(requests(service))
    .use(invalidHost)
    .use(refuseWhileStopping(service))
    .use(pageFailures(service))
    .use(failures(service))
    .use(health(service))
    .use(metrics(service))
    .use(assets)
    .use(oauth(service))
    .use(authorize(service))
    .use(consolePages(service))
    .use(key(context))
    .use(sync(service))
    .use(mcp(context))
}
