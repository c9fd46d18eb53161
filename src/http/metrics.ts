import { Elysia } from 'elysia'
import { atMostEvery } from '../cache/at-most-every.ts'
import { MINUTE_MS } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { findBackupPlan, findLastBackup } from '../maintenance/back-up-in-folder.ts'
import { findLastCheck } from '../maintenance/check-data.ts'
import type { Exposition } from '../metrics/exposition.ts'
import { isSameSecret } from '../secrets/secret.ts'
import type { Service } from '../service.ts'

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

const CHECK_PERIOD_MS = 5_000

/** Adds metrics that are read from the running service whenever they are scraped. */
export function addServiceGauges(service: Service, { addGauge }: Exposition): void {
  const { store, memoryCalls, forwardedCalls, version } = service
  const { ticks } = service.clock
  const measure = atMostEvery(MINUTE_MS, ticks, store.measure)
  const count = atMostEvery(MINUTE_MS, ticks, () => service.store.control.count('projects', { removedAt: null }))
  // Each check writes to the disk.
  const check = atMostEvery(CHECK_PERIOD_MS, ticks, () => store.check().catch(() => undefined))
  addGauge({ name: 'memsvc_info', help: 'always 1', label: 'version', read: () => ({ [version]: 1 }) })
  addGauge({
    name: 'memsvc_calls_at_work',
    help: 'calls of tools in progress',
    label: 'kind',
    read: () => ({ memory: memoryCalls.counts().atWork, forwarded: forwardedCalls.counts().atWork }),
  })
  addGauge({
    name: 'memsvc_calls_waiting',
    help: 'calls of tools that wait for their turn',
    label: 'kind',
    read: () => ({ memory: memoryCalls.counts().waiting, forwarded: forwardedCalls.counts().waiting }),
  })
  addGauge({ name: 'memsvc_projects', help: 'projects that are not removed, counted once a minute', read: count })
  addGauge({ name: 'memsvc_open_files', help: 'files of projects that are open', label: 'kind', read: store.openFiles })
  addGauge({
    name: 'memsvc_data_bytes',
    help: 'size of the data, measured once a minute',
    label: 'part',
    read: measure,
  })
  addGauge({
    name: 'memsvc_ready',
    help: '1 while data can be read and written, else 0',
    read: async () => ((await check()) === undefined ? 0 : 1),
  })
  addGauge({
    name: 'memsvc_damaged_projects',
    help: 'projects with a damaged or missing file',
    read: async () => (await check())?.damaged?.length,
  })
  addGauge({
    name: 'memsvc_last_backup_time_seconds',
    help: 'when the newest complete backup was made, in seconds since 1970; 0 while there is none',
    read: () =>
      findBackupPlan(service.config) !== undefined ? toSeconds(findLastBackup(service)?.madeAt ?? 0) : undefined,
  })
  addGauge({
    name: 'memsvc_disk_free_bytes',
    help: 'free space for the data',
    read: async () => (await check())?.freeBytes,
  })
  addGauge({
    name: 'memsvc_database_latency_seconds',
    help: 'how long the database took to answer, if the data is in one',
    read: async () => toSeconds((await check())?.databaseMs),
  })
  const lastCheck = atMostEvery(MINUTE_MS, ticks, () => findLastCheck(service))
  addGauge({
    name: 'memsvc_last_check_time_seconds',
    help: 'when all files were last checked for damage, in seconds since 1970',
    read: async () => toSeconds((await lastCheck())?.at),
  })
  addGauge({
    name: 'memsvc_last_check_faults',
    help: 'faults that the last check found',
    read: async () => (await lastCheck())?.faults,
  })
}

const toSeconds = (milliseconds: number | undefined) => (milliseconds === undefined ? undefined : milliseconds / 1000)
