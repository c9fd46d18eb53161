import { Elysia } from 'elysia'
import { Refusal } from '../errors.ts'
import type { Exposition } from '../metrics/exposition.ts'
import { isSameSecret } from '../secrets/secret.ts'
import type { Service } from '../service.ts'
import { addServiceGauges } from './service-gauges.ts'

/** `GET /metrics` at the address of the service, where the operator has set a token for it. */
export function metrics(service: Service) {
  const { exposition, config } = service
  const plugin = new Elysia({ name: 'metrics' })
  if (exposition === undefined) return plugin
  addServiceGauges(service, exposition)
  if (config.metricsToken === undefined) return plugin
  return plugin.get('/metrics', ({ request }) => respond(exposition, config.metricsToken, request))
}

/**
 * Serves `GET /metrics` at an address of its own, where the operator wants one. Returns what stops it.
 *
 * @throws Refusal if the address cannot be had.
 */
export function serveMetrics({ exposition, log, config: { metricsAddress, metricsToken } }: Service): () => Promise<void> {
  if (exposition === undefined || metricsAddress === undefined) return async () => {}
  const { host: hostname, port } = metricsAddress
  try {
    const routes = { '/metrics': { GET: (request: Request) => respond(exposition, metricsToken, request) } }
    const server = Bun.serve({
      hostname,
      port,
      reusePort: false,
      development: false,
      routes,
      fetch: () => new Response('not found\n', { status: 404 }),
    })
    // A start that fails afterwards is not to be outlived.
    server.unref()
    log('serving metrics', { address: `${server.url}metrics` })
    return () => server.stop(true)
  } catch {
    throw new Refusal(`cannot listen on ${hostname}:${port}; give a free one in SVC_METRICS_ADDRESS`)
  }
}

/** A page of another site that reached this address through its own name would be told nothing: browsers say where a request comes from, Prometheus does not. */
async function respond(exposition: Exposition, token: string | undefined, { headers }: Request): Promise<Response> {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'none') return new Response('forbidden\n', { status: 403 })
  if (token !== undefined && !isSameSecret(headers.get('authorization') ?? '', `Bearer ${token}`))
    return new Response('unauthorized\n', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  const { type, text } = await exposition.render()
  return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'no-store' } })
}
