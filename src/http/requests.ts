import { Elysia } from 'elysia'
import { asRequest, currentRequestId, noteRequest, type RequestNotes } from '../log/request.ts'
import { NO_METRICS } from '../metrics/metrics.ts'
import type { Service } from '../service.ts'
import type { RequestSpan } from '../tracing/tracing.ts'
import { clientIpOf, urlOf } from './request.ts'

const MAX_PATH_CHARACTERS = 200

/** The routes by which requests are counted, with patterns of their paths. */
const ROUTES: [string, RegExp][] = [
  ['mcp', /^\/mcp$/],
  ['console', /^\/(console(\/|$)|$)/],
  ['oauth', /^\/(oauth|\.well-known)\//],
  ['health', /^\/(healthz|readyz)$/],
  ['v1', /^\/v1\//],
]

/**
 * Assigns an id to each request, which all its log lines have. If the operator wants it, requests are counted and
 * timed, have a span, and get a log line each: method, path, status, milliseconds until the answer began, and its
 * notes; no query string, header or content.
 */
export function requests(service: Service) {
  const { clock, config, random } = service
  const makeId = () => random.uuid(clock.now())
  const isMeasured = config.log.requests || service.metrics !== NO_METRICS || service.tracing !== undefined
  // The only hook that encloses a whole request, including errors and what precedes its route.
  const enclose = (handle: Handle) => (request: Request) =>
    asRequest(makeId, (notes) => (isMeasured ? measure(service, request, notes, handle) : handle(request)))
  const plugin = new Elysia({ name: 'requests' }).wrap(enclose as unknown as Parameters<Elysia['wrap']>[0])
  if (!config.log.requests) return plugin
  return plugin.onRequest(({ request, server }) => noteRequest({ client: clientIpOf(config, request, server) }))
}

/** The handler that Elysia makes of all routes; its own type for it is less precise. */
type Handle = (request: Request) => Response | Promise<Response>

async function measure(service: Service, request: Request, notes: RequestNotes, handle: Handle): Promise<Response> {
  const { clock, config, metrics, tracing } = service
  const startedAt = clock.ticks()
  const span = tracing?.begin(request.headers.get('traceparent'))
  const response = await handle(request)
  const answered = {
    http: request.method,
    path: urlOf(request).pathname,
    status: response.status,
    milliseconds: clock.ticks() - startedAt,
  }
  const route = ROUTES.find(([, pattern]) => pattern.test(answered.path))?.[0] ?? 'other'
  metrics.request(route, answered.status, answered.milliseconds)
  if (span !== undefined) endSpan(span, route, answered, notes)
  if (config.log.requests) logRequest(service, answered, notes)
  return response
}

type Answered = { http: string; path: string; status: number; milliseconds: number }

function logRequest({ log }: Service, { http, path, status, milliseconds }: Answered, notes: RequestNotes): void {
  log('request', {
    http,
    path: path.slice(0, MAX_PATH_CHARACTERS),
    status,
    ms: Math.round(milliseconds * 10) / 10,
    ...notes,
  })
}

/**
 * The span is named after the method and tool or after the route, so that neither path nor address leaves the machine.
 */
function endSpan(
  span: RequestSpan,
  route: string,
  { http, status }: Answered,
  { client: _, ...notes }: RequestNotes,
): void {
  const name = [notes.method ?? `${http} ${route}`, notes.tool].filter((part) => part !== undefined).join(' ')
  const own = Object.fromEntries(Object.entries(notes).map(([key, value]) => [`memsvc.${key}`, value]))
  const attributes = {
    'http.request.method': http,
    'http.response.status_code': status,
    'memsvc.request_id': currentRequestId() ?? '',
    ...own,
  }
  span.end(name, attributes, status >= 500 || notes.outcome === 'failed')
}

/**
 * Answers requests with 503 and closes their connections while the service stops. Requests that arrived before are
 * answered normally.
 */
export function refuseWhileStopping({ isStopping }: Service) {
  return new Elysia({ name: 'stopping' }).onRequest(() => {
    if (!isStopping()) return
    return Response.json(
      { error: 'the service is stopping' },
      { status: 503, headers: { connection: 'close', 'retry-after': '5' } },
    )
  })
}

/**
 * Number of requests of one turn of the event loop that are handled wherever they come from: some milliseconds of work.
 */
const MAX_UNCOUNTED_PER_TURN = 384
/**
 * Maximum number of requests beyond these that one connection may have handled in the same turn. Few clients send a
 * request before the previous is answered.
 */
const MAX_PIPELINED_PER_TURN = 16

/**
 * Bounds the pipelined requests of one connection that are handled in one turn of the event loop: a packet holds
 * thousands of small ones. Beyond the bound they are answered with 503 and their connection is closed, with all that is
 * still in it. Many connections with one request each are not affected.
 */
export function refuseBursts() {
  let count = 0
  /** By client address and port. */
  const countOf = new Map<string, number>()
  const reset = () => {
    count = 0
    countOf.clear()
  }
  return new Elysia({ name: 'bursts' }).onRequest(({ request, server }) => {
    count += 1
    if (count === 1) setImmediate(reset)
    if (count <= MAX_UNCOUNTED_PER_TURN) return
    const peer = server?.requestIP(request)
    const connection = `${peer?.address} ${peer?.port}`
    const pipelined = (countOf.get(connection) ?? 0) + 1
    countOf.set(connection, pipelined)
    if (pipelined <= MAX_PIPELINED_PER_TURN) return
    return Response.json(
      { error: 'too many requests at once' },
      { status: 503, headers: { connection: 'close', 'retry-after': '1' } },
    )
  })
}
