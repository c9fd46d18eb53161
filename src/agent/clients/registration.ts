import { isObject } from '../../jsonrpc.ts'
import { type McpClient, SERVER_NAME } from '../../mcp-clients.ts'
import { DEFAULT_ENDPOINT, type Environment } from '../config.ts'
import type { Client } from './clients.ts'
import { readSettings, readSlot, type Slot } from './formats/settings.ts'
import type { Machine } from './machine.ts'
import { readText } from './text-file.ts'

/** How a client's entry connects to the service. Values that refer to environment variables are left out. */
export type Registration = { route: 'agent' | 'http'; key?: string; keyFile?: string; endpoint?: string; command?: string }

/** Names under which clients keep variables of a program, headers, and URLs. */
const VARIABLES = ['env', 'environment', 'envs']
const HEADERS = ['headers', 'http_headers']
const ADDRESSES = ['url', 'httpUrl', 'serverUrl', 'uri']

/** The place of the service in a client's settings. */
export function toServerSlot({ servers, isList }: McpClient): Slot {
  if (!isList) return { path: [servers, SERVER_NAME] }
  return { path: [servers], isOurs: (item) => isObject(item) && item.name === SERVER_NAME }
}

/** How a client is connected; undefined if it is not. @throws Refusal for settings that cannot be read or parsed. */
export async function readRegistration(client: Client, machine: Machine): Promise<Registration | undefined> {
  const text = await readText(client.file(machine))
  return text === undefined ? undefined : toRegistration(readSlot(readSettings(client.format, text), toServerSlot(client)))
}

/** Reads an entry of any client; undefined if it is not an entry. */
export function toRegistration(entry: unknown): Registration | undefined {
  if (!isObject(entry)) return undefined
  const url = ADDRESSES.map((name) => entry[name]).find(isLiteral)
  return url === undefined ? readProgram(entry) : readAddress(entry, url)
}

/**
 * The environment in which to act for a client with this entry. Key and address are from one place: the address of the environment is used only with the key
 * of the environment.
 */
export function toAgentEnvironment({ key, keyFile, endpoint }: Registration, environment: Environment): Environment {
  if (key !== undefined || keyFile !== undefined)
    return { ...environment, SVC_API_KEY: key, SVC_API_KEY_FILE: keyFile, SVC_ENDPOINT: endpoint ?? DEFAULT_ENDPOINT }
  return endpoint === undefined ? environment : { ...environment, SVC_ENDPOINT: endpoint }
}

function readProgram(entry: Record<string, unknown>): Registration | undefined {
  const variables = VARIABLES.map((name) => entry[name]).find(isObject) ?? {}
  const given = entry.command ?? entry.cmd
  const command: unknown = Array.isArray(given) ? given[0] : given
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
