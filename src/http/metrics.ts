import { Elysia } from 'elysia'
import { Refusal } from '../errors.ts'
import type { Exposition } from '../metrics/exposition.ts'
import { isSameSecret } from '../secrets/secret.ts'
import type { Service } from '../service.ts'
import { addServiceGauges } from './service-gauges.ts'

/** `GET /metrics` at the address of the service, if the operator has set a token for it. */
export function metrics(service: Service) {
  const { exposition, config } = service
  const plugin = new Elysia({ name: 'metrics' })
  if (exposition === undefined) return plugin
  addServiceGauges(service, exposition)
  if (config.metricsToken === undefined) return plugin
  return plugin.get('/metrics', ({ request }) => respond(exposition, config.metricsToken, request))
}

/**
 * Serves `GET /metrics` at an address of its own, if the operator has configured one. Returns a function that stops it.
 *
 * @throws Refusal if the address is not available.
 */
export function serveMetrics({
  exposition,
  log,
  config: { metricsAddress, metricsToken },
}: Service): () => Promise<void> {
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
    // Does not keep the process alive if the start fails later.
    server.unref()
    log('serving metrics', { address: `${server.url}metrics` })
    return () => server.stop(true)
  } catch {
    throw new Refusal(`cannot listen on ${hostname}:${port}; give a free one in SVC_METRICS_ADDRESS`)
  }
}

/**
 * Answers 403 to pages of other sites, which can reach this address through a DNS name of their own: browsers send
 * `Sec-Fetch-Site`, Prometheus does not.
 */
async function respond(exposition: Exposition, token: string | undefined, { headers }: Request): Promise<Response> {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'none') return new Response('forbidden\n', { status: 403 })
  if (token !== undefined && !isSameSecret(headers.get('authorization') ?? '', `Bearer ${token}`))
    return new Response('unauthorized\n', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  const { type, text } = await exposition.render()
  return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'no-store' } })
}
