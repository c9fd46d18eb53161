import { Refusal } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import { type Launch, type Remote, SERVER_NAME } from '../../mcp-clients/form.ts'
import type { McpClient } from '../../mcp-clients.ts'
import { isWholeKey } from '../../secrets/key.ts'
import { DEFAULT_ENDPOINT, type Environment } from '../config.ts'
import { readText } from './change.ts'
import { CLIENTS, type Client, requireClient } from './clients.ts'
import { readSettings, type Slot } from './formats/settings.ts'
import type { Machine } from './machine.ts'

/** How a client's entry connects to the service. Values that refer to environment variables are left out. */
export type Registration = {
  route: 'agent' | 'http'
  key?: string
  keyFile?: string
  endpoint?: string
  command?: string
}

/** Names under which clients keep variables of a program, headers, and URLs. */
const VARIABLES = ['env', 'environment', 'envs']
const HEADERS = ['headers', 'http_headers']
const ADDRESSES = ['url', 'httpUrl', 'serverUrl', 'uri']

/** The place of a service in a client's settings, where it has this name. */
export function toServerSlot({ servers, isList }: McpClient, name = SERVER_NAME): Slot {
  if (!isList) return { path: [servers, name] }
  return { path: [servers], isOurs: (item) => isObject(item) && item.name === name }
}

type Named = [name: string, Registration]

/** The servers of a client's settings, by name. */
export function listEntries({ servers }: Pick<McpClient, 'servers'>, settings: Record<string, unknown>): Named[] {
  const held = settings[servers]
  const named = Array.isArray(held)
    ? held.filter(isObject).map((entry) => [String(entry.name), entry] as const)
    : Object.entries(isObject(held) ? held : {})
  return named.flatMap(([name, entry]) => {
    const registration = toRegistration(entry)
    return registration === undefined ? [] : [[name, registration] as Named]
  })
}

/** Those of the entries that are ours: the one of the usual name, which comes first, and others that have a key. */
export function selectOwn(entries: Named[]): Named[] {
  const isOther = ([name, { key = '', keyFile }]: Named) =>
    name !== SERVER_NAME && (keyFile !== undefined || isWholeKey(key))
  return [...entries.filter(([name]) => name === SERVER_NAME), ...entries.filter(isOther)]
}

/**
 * How a client is connected by the entry of this name; undefined if it is not. @throws Refusal for settings that cannot
 * be read or parsed.
 */
export async function readRegistration(client: Client, machine: Machine, name = SERVER_NAME) {
  return (await readEntries(client, machine)).find(([one]) => one === name)?.[1]
}

/**
 * How a client is connected, by the names of its entries. @throws Refusal for settings that cannot be read or parsed.
 */
export async function listRegistrations(client: Client, machine: Machine): Promise<Named[]> {
  return selectOwn(await readEntries(client, machine))
}

async function readEntries(client: Client, machine: Machine): Promise<Named[]> {
  const text = await readText(client.file(machine))
  return text === undefined ? [] : listEntries(client, readSettings(client.format, text))
}

/** Reads an entry of any client; undefined if it is not an entry. */
function toRegistration(entry: unknown): Registration | undefined {
  if (!isObject(entry)) return undefined
  const url = ADDRESSES.map((name) => entry[name]).find(isLiteral)
  return url === undefined ? readProgram(entry) : readAddress(entry, url)
}

/**
 * The environment in which to act for a client with this entry. Key and address are from one place: the address of the
 * environment is used only with the key of the environment.
 */
export function toAgentEnvironment({ key, keyFile, endpoint }: Registration, environment: Environment): Environment {
  if (key !== undefined || keyFile !== undefined)
    return { ...environment, SVC_API_KEY: key, SVC_API_KEY_FILE: keyFile, SVC_ENDPOINT: endpoint ?? DEFAULT_ENDPOINT }
  return endpoint === undefined ? environment : { ...environment, SVC_ENDPOINT: endpoint }
}

function readProgram(entry: Record<string, unknown>): Registration | undefined {
  const variables = VARIABLES.map((name) => entry[name]).find(isObject) ?? {}
  const [command] = [entry.command ?? entry.cmd].flat() as unknown[]
  if (typeof command !== 'string') return undefined
  return {
    route: 'agent',
    command,
    ...(isLiteral(variables.SVC_API_KEY) && { key: variables.SVC_API_KEY }),
    ...(isLiteral(variables.SVC_API_KEY_FILE) && { keyFile: variables.SVC_API_KEY_FILE }),
    ...(isLiteral(variables.SVC_ENDPOINT) && { endpoint: variables.SVC_ENDPOINT }),
  }
}

function readAddress(entry: Record<string, unknown>, url: string): Registration {
  const nested = isObject(entry.requestOptions) ? entry.requestOptions : entry
  const headers = HEADERS.map((name) => nested[name]).find(isObject) ?? {}
  const [, key] = /^Bearer (.+)$/.exec(String(headers.Authorization ?? '')) ?? []
  return { route: 'http', endpoint: url, ...(isLiteral(key) && { key }) }
}

/** Whether a value is a string without a reference to a variable. */
function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/[${]/.test(value)
}

/** The origin of a client's key: its environment, a file, or its own settings. */
export type KeySource =
  | { kind: 'variable'; key: string }
  | { kind: 'file'; path: string; key: string }
  | { kind: 'settings'; key: string }

/** The base URL of the service and the key for a client. */
export type Credentials = { endpoint: string; source: KeySource }

/** Whether the key itself will be stored in the client's settings. */
export function holdsKey({ reference }: McpClient, { kind }: KeySource, isHttp: boolean): boolean {
  if (kind === 'variable') return reference === undefined
  return kind === 'settings' || isHttp
}

/**
 * The command with which a client starts the agent. It always names the address, since one from the environment of a
 * folder would get the key.
 */
export function toLaunch(client: McpClient, { endpoint, source }: Credentials, program: string[]): Launch {
  const [command = '', ...first] = program
  return { command, args: [...first, 'agent'], variables: { ...toKeyVariable(client, source), SVC_ENDPOINT: endpoint } }
}

function toKeyVariable(client: McpClient, source: KeySource): Record<string, string> {
  return source.kind === 'file' ? { SVC_API_KEY_FILE: source.path } : { SVC_API_KEY: toKeyValue(client, source) }
}

/** The direct connection of a client to the service. */
export function toRemote(client: McpClient, { endpoint, source }: Credentials): Remote {
  return { url: `${endpoint}/mcp`, bearer: toKeyValue(client, source) }
}

function toKeyValue({ reference }: McpClient, { kind, key }: KeySource): string {
  return kind === 'variable' && reference !== undefined ? reference('SVC_API_KEY') : key
}

/**
 * The environment in which to act for a client, whose settings may contain key and address. @throws Refusal for
 * settings that cannot be read.
 */
export async function readClientEnvironment(client: Client, machine: Machine): Promise<Environment> {
  const [[, registration] = []] = await listRegistrations(client, machine)
  return registration === undefined ? machine.environment : toAgentEnvironment(registration, machine.environment)
}

/**
 * An environment with a key, and the ids of the clients whose settings contain the key; none if it comes from this
 * process or from a client that was named.
 */
type FoundKey = { environment: Environment; clients: string[] }

/**
 * The environments of this machine that have a key. If a client is named, its settings alone; otherwise this process or,
 * if it has no key, all clients whose settings contain one, in the order of `CLIENTS`.
 *
 * @throws Refusal for an unknown client, and for settings of the named one that cannot be read.
 */
export async function listKeys(machine: Machine, clientId?: string): Promise<FoundKey[]> {
  if (clientId !== undefined)
    return [{ environment: await readClientEnvironment(requireClient(clientId), machine), clients: [] }]
  if (hasKey(machine.environment)) return [{ environment: machine.environment, clients: [] }]
  const found = await Promise.all(
    CLIENTS.map(async (client) => ({ id: client.id, environment: await readOrNothing(client, machine) })),
  )
  const withKey = Map.groupBy(
    found.filter(({ environment }) => hasKey(environment)),
    ({ environment }) => toName(environment),
  )
  return [...withKey.values()].flatMap((same) =>
    same[0] === undefined ? [] : [{ environment: same[0].environment, clients: same.map(({ id }) => id) }],
  )
}

const hasKey = ({ SVC_API_KEY, SVC_API_KEY_FILE }: Environment) => Boolean(SVC_API_KEY || SVC_API_KEY_FILE)

const toName = ({ SVC_API_KEY, SVC_API_KEY_FILE, SVC_ENDPOINT }: Environment) =>
  JSON.stringify([SVC_API_KEY, SVC_API_KEY_FILE, SVC_ENDPOINT])

/** Unreadable settings of one client do not prevent use of the others. */
function readOrNothing(client: Client, machine: Machine): Promise<Environment> {
  return readClientEnvironment(client, machine).catch((error) => {
    if (error instanceof Refusal) return {}
    throw error
  })
}
