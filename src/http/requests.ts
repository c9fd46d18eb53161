import { Elysia } from 'elysia'
import { asRequest, noteRequest, type RequestNotes } from '../log/request.ts'
import { NO_METRICS } from '../metrics/metrics.ts'
import type { Service } from '../service.ts'
import { clientIpOf } from './client-ip.ts'
import { urlOf } from './request-url.ts'

const MAX_PATH_CHARACTERS = 200

/** The routes by which requests are counted, by the beginning of their paths. */
const ROUTES: [string, RegExp][] = [
  ['mcp', /^\/mcp$/],
  ['console', /^\/(console(\/|$)|$)/],
  ['oauth', /^\/(oauth|\.well-known)\//],
  ['health', /^\/(healthz|readyz)$/],
  ['v1', /^\/v1\//],
]

/**
 * Gives each request an id, which every line of the log that its handling writes carries. Where the operator wants it, requests are counted and timed, and each has a
 * line of its own: method, path, status, milliseconds until its answer began, and what was noted of it; no query string, header or content.
 */
export function requests(service: Service) {
  const { clock, config, random } = service
  const makeId = () => random.uuid(clock.now())
  const isMeasured = config.log.requests || service.metrics !== NO_METRICS
  // The one hook that encloses a whole request, errors and what comes before its route included.
  const enclose = (handle: Handle) => (request: Request) =>
    asRequest(makeId, (notes) => (isMeasured ? measure(service, request, notes, handle) : handle(request)))
  const plugin = new Elysia({ name: 'requests' }).wrap(enclose as unknown as Parameters<Elysia['wrap']>[0])
  if (!config.log.requests) return plugin
  return plugin.onRequest(({ request, server }) => noteRequest({ client: clientIpOf(config, request, server) }))
}

/** What Elysia makes of all routes; its own type of it says less. */
type Handle = (request: Request) => Response | Promise<Response>

async function measure({ clock, config, log, metrics }: Service, request: Request, notes: RequestNotes, handle: Handle): Promise<Response> {
  const startedAt = clock.ticks()
  const response = await handle(request)
  const milliseconds = clock.ticks() - startedAt
  const path = urlOf(request).pathname
  metrics.request(ROUTES.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other', response.status, milliseconds)
  if (config.log.requests) {
    const line = {
      http: request.method,
      path: path.slice(0, MAX_PATH_CHARACTERS),
      status: response.status,
      ms: Math.round(milliseconds * 10) / 10,
    }
    log('request', { ...line, ...notes })
  }
  return response
}
