import ipaddr from 'ipaddr.js'
import { Refusal } from './errors.ts'

/** The service's settings, read once from the environment. */
export type Config = {
  /** Address to listen on. */
  host: string
  /** TCP port; 0 lets the system choose. */
  port: number
  /** Folder of `control.db` and `projects/`. */
  dataDir: string
  /** The address users type, without a trailing slash; undefined until the operator says it. */
  publicUrl: string | undefined
  /** Days a forgotten record stays restorable. */
  trashDays: number
  /** Days a line of the audit log is kept. */
  auditDays: number
  /** Hosts and networks the service may call although they are not on the public internet. */
  outboundAllow: string[]
  /** Networks of the proxies whose `X-Forwarded-For` is believed; none unless the operator says so. */
  trustedProxies: Network[]
  /** Keys that credentials are encrypted with, of 32 bytes each, the current one first; none leaves them to a file in the data folder. */
  secretKeys: Uint8Array[]
  /** Whether OAuth clients may identify themselves by a metadata document: `tried` offers it where documents can be fetched from here. */
  clientDocuments: 'on' | 'off' | 'tried'
}

/** An IP network: its address and the bits of it that count. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

type Environment = Record<string, string | undefined>

/** Every variable of the service and the agent; another `SVC_` variable is taken for a typing error. */
const KNOWN = [
  'SVC_HOST',
  'SVC_PORT',
  'SVC_DATA_DIR',
  'SVC_PUBLIC_URL',
  'SVC_TRASH_DAYS',
  'SVC_AUDIT_DAYS',
  'SVC_OUTBOUND_ALLOW',
  'SVC_SECRET_KEY',
  'SVC_TRUSTED_PROXIES',
  'SVC_OAUTH_CLIENT_DOCUMENTS',
  'SVC_API_KEY',
  'SVC_API_KEY_FILE',
  'SVC_ENDPOINT',
  'SVC_STATE_DIR',
]

/** Reads the settings. Throws a Refusal that names the wrong variable, or what `names` has for it: the option of a command that stands for it. */
export function readConfig(environment: Environment, names: Record<string, string> = {}): Config {
  for (const name of Object.keys(environment)) {
    if (name.startsWith('SVC_') && !KNOWN.includes(name)) throw new Refusal(`${name} is not a setting; known are ${KNOWN.join(', ')}`)
  }
  return {
    host: environment.SVC_HOST || '127.0.0.1',
    port: readInteger(environment, 'SVC_PORT', 8787, 0, 65_535, names.SVC_PORT),
    dataDir: environment.SVC_DATA_DIR || './data',
    publicUrl: readUrl(environment, 'SVC_PUBLIC_URL', names.SVC_PUBLIC_URL),
    trashDays: readInteger(environment, 'SVC_TRASH_DAYS', 30, 0, 3_650),
    auditDays: readInteger(environment, 'SVC_AUDIT_DAYS', 400, 1, 36_500),
    outboundAllow: readEntries(environment, 'SVC_OUTBOUND_ALLOW'),
    trustedProxies: readNetworks(readEntries(environment, 'SVC_TRUSTED_PROXIES')),
    secretKeys: readEntries(environment, 'SVC_SECRET_KEY').map(readSecretKey),
    clientDocuments: readClientDocuments(environment.SVC_OAUTH_CLIENT_DOCUMENTS || 'tried'),
  }
}

function readClientDocuments(value: string): Config['clientDocuments'] {
  if (value === 'on' || value === 'off' || value === 'tried') return value
  throw new Refusal(`SVC_OAUTH_CLIENT_DOCUMENTS must be on, off or tried, not '${value}'`)
}

function readEntries(environment: Environment, name: string): string[] {
  const entries = (environment[name] ?? '').split(',').map((entry) => entry.trim())
  return entries.filter((entry) => entry !== '')
}

/** Addresses and networks in CIDR form, of proxies. Throws a Refusal that names the entry. */
export function readNetworks(entries: string[]): Network[] {
  return entries.map((entry) => {
    const [address = ''] = entry.split('/')
    // An IPv4 address within an IPv6 one is compared as IPv4.
    const isWritable = isAddress(address) && !/^::ffff:/i.test(address)
    if (isWritable && ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
    if (isWritable && address === entry) return ipaddr.parseCIDR(`${entry}/${entry.includes(':') ? 128 : 32}`)
    throw new Refusal(`SVC_TRUSTED_PROXIES must hold addresses and networks such as 10.0.0.0/8, not '${entry}'`)
  })
}

/** Whether a text is an IP address as people write it: `127.1` and `0x7f000001` are none. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

/** The message repeats nothing of a key. */
function readSecretKey(text: string): Uint8Array {
  if (!/^[0-9a-fA-F]{64}$/.test(text))
    throw new Refusal('SVC_SECRET_KEY must be 64 hexadecimal digits, or several such keys with commas between')
  return Uint8Array.fromHex(text)
}

function readInteger(environment: Environment, name: string, preset: number, least: number, most: number, shown = name): number {
  const text = environment[name]
  if (text === undefined || text === '') return preset
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new Refusal(`${shown} must be a whole number from ${least} to ${most}, not '${text}'`)
  return value
}

function readUrl(environment: Environment, name: string, shown = name): string | undefined {
  const text = environment[name]
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Refusal(`${shown} must be an http or https URL, not '${text}'`)
  if (url.username || url.password || url.search || url.hash) throw new Refusal(`${shown} must have no user, query or fragment`)
  return text.replace(/\/+$/, '')
}
