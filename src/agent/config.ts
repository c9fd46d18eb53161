import { homedir } from 'node:os'
import { join } from 'node:path'
import { ServiceError, toErrorCode } from '../errors.ts'
import { isLoopback } from '../loopback.ts'
import { isWholeKey, KEY_LENGTH } from '../secrets/key.ts'

/** Variables of a process. */
export type Environment = Record<string, string | undefined>

/** The default address of `memsvc serve`. */
export const DEFAULT_ENDPOINT = 'http://127.0.0.1:8787'

/** Maximum number of bytes read from a key file; a key has 40 characters. */
const MAX_KEY_FILE_BYTES = 4_096

const KEY_PREFIX = 'svc_'

/**
 * The base URL of the service from `SVC_ENDPOINT`, without a trailing slash or `/mcp`.
 *
 * @throws ServiceError `endpoint_invalid` unless it is an https URL, or an http URL of this machine: a key is never
 *   sent unencrypted over a network.
 */
export function readEndpoint(environment: Environment): string {
  const text = (environment.SVC_ENDPOINT || DEFAULT_ENDPOINT).trim()
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalidEndpoint(`must be a URL such as https://memory.example, not '${text}'`)
  if (url.username || url.password || url.search || url.hash)
    throw invalidEndpoint('must have no user, query or fragment')
  if (url.protocol === 'http:' && !isLoopback(url.host))
    throw invalidEndpoint(
      `must begin with https:// (${url.host} is another machine, and the key would be sent in the clear)`,
    )
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/mcp$/, '')}`
}

/**
 * The key from `SVC_API_KEY` or, if that is not set, from the file named by `SVC_API_KEY_FILE`. Read anew at each call,
 * so that a key in a file can be replaced. The checksum reveals a truncated key without a request.
 *
 * @throws ServiceError `key_missing`, or `key_malformed` for a text that cannot be a key of this service.
 */
export async function readKey(environment: Environment): Promise<string> {
  const { SVC_API_KEY: key, SVC_API_KEY_FILE: file } = environment
  if (key) return checkKey('SVC_API_KEY', key)
  if (file) return checkKey(`the file '${file}'`, (await readKeyFile(file)).replace(/\r?\n$/, ''))
  throw new ServiceError(
    'key_missing',
    "SVC_API_KEY is not set. Issue a key in the console, or with 'memsvc key issue', and set it.",
  )
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await Bun.file(file).slice(0, MAX_KEY_FILE_BYTES).text()
  } catch (error) {
    throw new ServiceError(
      'key_missing',
      `The file '${file}', which SVC_API_KEY_FILE names, cannot be read (${toErrorCode(error)}).`,
    )
  }
}

function checkKey(source: string, key: string): string {
  if (isWholeKey(key)) return key
  throw new ServiceError(
    'key_malformed',
    `The API key in ${source} ${findFault(key)}. Copy it whole, or issue another one in the console.`,
  )
}

/** The reason why a text cannot be a key, without quoting it. */
function findFault(key: string): string {
  if (/\$\{?\w+/.test(key)) return 'is the name of a variable that the client did not replace by its value'
  if (key.trim() === '') return 'is blank'
  if (/["'\s]/.test(key)) return 'has blanks, quotes or line breaks in it'
  if (!key.startsWith(KEY_PREFIX)) return `does not begin with ${KEY_PREFIX}`
  if (key.length < KEY_LENGTH) return `is cut off: it has ${key.length} of ${KEY_LENGTH} characters`
  return key.length > KEY_LENGTH
    ? `is too long: it has ${key.length} characters, not ${KEY_LENGTH}`
    : 'is mistyped: its checksum is wrong'
}

/**
 * The folder for the agent's state: `SVC_STATE_DIR`, otherwise the platform's folder for such files. It may not exist
 * yet.
 */
export function readStateDir(environment: Environment, platform = process.platform): string {
  if (environment.SVC_STATE_DIR) return environment.SVC_STATE_DIR
  const home = environment.HOME || homedir()
  if (platform === 'win32') return join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'memsvc')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'memsvc')
  return join(environment.XDG_STATE_HOME || join(home, '.local', 'state'), 'memsvc')
}

function invalidEndpoint(reason: string): ServiceError {
  return new ServiceError('endpoint_invalid', `SVC_ENDPOINT ${reason}.`)
}

/** The variables from which the runtime takes a proxy: for https, and those that are for plain http alone. */
const FOR_HTTPS = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
const FOR_HTTP = ['HTTP_PROXY', 'http_proxy']

/**
 * Whether a service is called without a proxy, whatever the environment says: on this machine, where none is needed,
 * and over plain http, where a proxy would read the key.
 */
export function isCalledDirectly(baseUrl: string): boolean {
  const { protocol, host } = new URL(baseUrl)
  return protocol === 'http:' || isLoopback(host)
}

/** The names of the set variables that name a proxy for this service, or would if it were not called directly. */
export function listProxyVariables(environment: Environment, baseUrl: string): string[] {
  const names = isCalledDirectly(baseUrl) ? [...FOR_HTTP, ...FOR_HTTPS] : FOR_HTTPS
  return names.filter((name) => environment[name])
}
