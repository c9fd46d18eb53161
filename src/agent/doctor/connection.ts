import { DAY_MS } from '../../clock.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import { VERSION } from '../../version.ts'
import { readObject } from '../answer.ts'
import { type Environment, isCalledDirectly, listProxyVariables } from '../config.ts'
import {
  createServiceClient,
  type KeyInfo,
  MESSAGE_HEADERS,
  openServiceClient,
  type ServiceClient,
} from '../service-client.ts'
import { type Check, checksOf } from './check.ts'

const TIMEOUT_MS = 5_000
const MAX_SKEW_MS = 60_000
const SOON_MS = 14 * DAY_MS

const { ok, warning, problem } = checksOf('client')

/**
 * Checks the service as configured in this environment: address, key, clock, subscription, versions, and both protocol
 * eras. `now` returns milliseconds since 1970.
 */
export async function checkConnection(environment: Environment, now: () => number): Promise<Check[]> {
  const { baseUrl } = openServiceClient(environment)
  return [...checkProxy(environment, baseUrl), ...(await checkService(environment, now))]
}

async function checkService(environment: Environment, now: () => number): Promise<Check[]> {
  try {
    const client = createServiceClient(environment)
    const before = now()
    const info = await client.readKeyInfo(TIMEOUT_MS)
    const took = now() - before
    const reached = ok('service', `${client.baseUrl} answers in ${took} ms`)
    return [
      reached,
      checkKey(info, now()),
      ...checkClock(info, before + took / 2),
      ...checkAccount(info),
      ...(await checkEras(client)),
    ]
  } catch (error) {
    if (error instanceof ServiceError) return [toFailure(error)]
    throw error
  }
}

/** Names the variables that set a proxy, which explain a service that seems to be down. */
function checkProxy(environment: Environment, baseUrl: string): Check[] {
  const variables = baseUrl === '' ? [] : listProxyVariables(environment, baseUrl)
  if (variables.length === 0) return []
  const names = variables.join(', ')
  if (isCalledDirectly(baseUrl)) return [ok('proxy', `${names} is set; ${baseUrl} is called without a proxy`)]
  return [
    ok(
      'proxy',
      `${baseUrl} is called through the proxy of ${names}, unless NO_PROXY excepts it; the key is encrypted on the way`,
    ),
  ]
}

function toFailure({ code, message }: ServiceError): Check {
  if (code === 'key_missing')
    return warning(
      'key',
      'SVC_API_KEY is not set here',
      'clients may have their own keys; set it to check the service from here',
    )
  const name = code.startsWith('key') ? 'key' : code === 'endpoint_invalid' ? 'settings' : 'service'
  return problem(
    name,
    message,
    name === 'key' ? 'issue a new key' : 'check SVC_ENDPOINT, the network, and whether the service runs',
  )
}

function checkKey({ key, project, key_expires_at: until }: KeyInfo, now: number): Check {
  const detail = `svc_${key}… is accepted for project '${project}'`
  if (until === null || Date.parse(until) - now > SOON_MS) return ok('key', detail)
  return warning('key', `${detail} until ${until.slice(0, 10)}`, 'issue a new key before then')
}

function checkClock({ server_time: serverTime }: KeyInfo, at: number): Check[] {
  const skew = Math.abs(Date.parse(serverTime) - at)
  if (skew <= MAX_SKEW_MS) return [ok('clock', 'agrees with that of the service')]
  return [
    warning(
      'clock',
      `differs by ${Math.round(skew / 1_000)} s from that of the service`,
      'synchronize the clocks over the network',
    ),
  ]
}

function checkAccount({ subscription, service_version: version }: KeyInfo): Check[] {
  const paid =
    subscription === 'active'
      ? ok('subscription', 'active')
      : warning('subscription', subscription, 'ask who pays for the account; in grace, memory is read-only')
  const versions =
    version === VERSION
      ? ok('versions', `service and agent ${VERSION}`)
      : warning('versions', `agent ${VERSION}, service ${version}`, 'update the older one')
  return [paid, versions]
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'memsvc-doctor', version: VERSION },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'memsvc-doctor', version: VERSION },
}

async function checkEras(client: ServiceClient): Promise<Check[]> {
  const eras: [string, string, object, Record<string, string>][] = [
    ['with a handshake', 'initialize', HANDSHAKE, {}],
    [
      'without',
      'server/discover',
      { _meta: META },
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' },
    ],
  ]
  const answered = await Promise.all(eras.map(([, ...message]) => answers(client, ...message)))
  const missing = eras.flatMap(([era], at) => (answered[at] ? [] : era))
  if (missing.length === 0) return [ok('protocol', 'MCP with a handshake and without')]
  return [
    problem(
      'protocol',
      `MCP ${missing.join(' and ')} is not answered`,
      'look for a proxy in between that changes requests',
    ),
  ]
}

async function answers(
  client: ServiceClient,
  method: string,
  params: object,
  headers: Record<string, string>,
): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await client.send({
    method: 'POST',
    path: '/mcp',
    headers: { ...MESSAGE_HEADERS, ...headers },
    body,
    timeoutMs: TIMEOUT_MS,
  })
  return isObject((await readObject(answer))?.result)
}
