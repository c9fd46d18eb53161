import { MINUTE_MS, parseSpan } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { Level } from '../log/events.ts'

/** Bounds of the length of a passphrase, in UTF-16 code units. */
export const MIN_PASSPHRASE_CHARACTERS = 12
export const MAX_PASSPHRASE_CHARACTERS = 1_024

/**
 * Reads a setting's text, which is '' if the setting is neither given nor has a default. Throws a Refusal that begins
 * with `must`.
 */
export type Read<Value> = (text: string) => Value

/** The text as it is. */
export const text: Read<string> = (given) => given

/** The text, or undefined if there is none. */
export const optionalText: Read<string | undefined> = (given) => given || undefined

/** A whole number within these bounds. */
export const integer =
  (least: number, most: number): Read<number> =>
  (given) => {
    const value = Number(given)
    if (!/^\d+$/.test(given) || value < least || value > most)
      throw new Refusal(`must be a whole number from ${least} to ${most}, not '${given}'`)
    return value
  }

/** A time span of a minute or more in milliseconds, `off`, or undefined if there is nothing. */
export const optionalSpanOrOff: Read<number | 'off' | undefined> = (given) =>
  given === 'off' ? 'off' : optionalSpan(given)

/** A time span of a minute or more in milliseconds, or undefined if there is none. */
export const optionalSpan: Read<number | undefined> = (given) => {
  if (given === '') return undefined
  const span = parseSpan(given)
  if (span === undefined || span < MINUTE_MS)
    throw new Refusal(`must be a time span such as 30m, 6h or 1d, not '${given}'`)
  return span
}

/** Retention rules: the newest item of each of `count` hours, days, weeks or months that have one is kept. */
export type Keep = { unit: 'h' | 'd' | 'w' | 'm'; count: number }[]

/** `7d4w`: the newest of each of 7 days and of each of 4 weeks; undefined if there is nothing. */
export const optionalKeep: Read<Keep | undefined> = (given) => {
  if (given === '') return undefined
  if (!/^([1-9]\d{0,3}[hdwm])+$/.test(given))
    throw new Refusal(`must be numbers of hours, days, weeks or months such as 7d4w, not '${given}'`)
  return [...given.matchAll(/(\d+)([hdwm])/g)].map(([, count, unit]) => ({
    unit: unit as Keep[number]['unit'],
    count: Number(count),
  }))
}

/** Retention rules as `optionalKeep` reads them. */
export const toKeepText = (keep: Keep): string => keep.map(({ unit, count }) => `${count}${unit}`).join('')

/** A passphrase, or undefined if there is none. The message repeats nothing of it. */
export const optionalPassphrase: Read<string | undefined> = (given) => {
  if (given === '') return undefined
  if (given.length < MIN_PASSPHRASE_CHARACTERS || given.length > MAX_PASSPHRASE_CHARACTERS)
    throw new Refusal(`must have ${MIN_PASSPHRASE_CHARACTERS} to ${MAX_PASSPHRASE_CHARACTERS} characters`)
  return given
}

/** Whether the percent-escapes of a URL decode to text. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** What PostgreSQL's own programs take as `sslmode`. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** Whether there is a comma between the user and the path of a URL: other clients try several hosts in turn. */
const namesSeveralHosts = (url: string) => /^[^/]*\/\/([^/?#]*@)?[^/?#@]*,[^/?#@]*([/?#]|$)/.test(url)

/**
 * The URL of a PostgreSQL database, or undefined if there is none. The message repeats nothing of it: it may hold a
 * password.
 */
export const optionalDatabaseUrl: Read<string | undefined> = (given) => {
  if (given === '') return undefined
  if (namesSeveralHosts(given)) throw new Refusal('must name one host, which leads to the primary')
  const url = URL.parse(given)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2 || !isDecodable(url))
    throw new Refusal('must be the URL of a database such as postgres://memsvc:password@db.internal/memsvc')
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new Refusal(`must have one of these as sslmode: ${SSL_MODES.join(', ')}`)
  return given
}

/** One of these words. */
export const oneOf =
  <Word extends string>(...words: [Word, Word, ...Word[]]): Read<Word> =>
  (given) => {
    const word = words.find((one) => one === given)
    if (word === undefined)
      throw new Refusal(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}, not '${given}'`)
    return word
  }

/** A switch. */
export const flag: Read<boolean> = (given) => {
  if (given === '1' || given === '0') return given === '1'
  throw new Refusal(`must be 1 or 0, not '${given}'`)
}

/** Comma-separated entries. */
export const entries: Read<string[]> = (given) =>
  given
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** An http or https URL in its normal form, without slashes at its end, or undefined if there is none. */
export const optionalUrl: Read<string | undefined> = (given) => {
  if (given === '') return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Refusal(`must be an http or https URL, not '${given}'`)
  if (url.username || url.password || url.search || url.hash) throw new Refusal('must have no user, query or fragment')
  return url.href.replace(/\/+$/, '')
}

/** Encryption keys of 32 bytes. The message repeats nothing of them. */
export const secretKeys: Read<Uint8Array[]> = (given) =>
  entries(given).map((key) => {
    if (!/^[0-9a-fA-F]{64}$/.test(key))
      throw new Refusal('must be 64 hexadecimal digits, or several such keys with commas between')
    return Uint8Array.fromHex(key)
  })

/** What is logged: events of at least this level, and whether there is a line for each request. */
type LogChoice = { level: Level; requests: boolean }

const LEVELS: Level[] = ['error', 'warn', 'info']

/** A level, `access`, or both. */
export const logChoice: Read<LogChoice> = (given) => {
  const words = entries(given)
  const levels = LEVELS.filter((level) => words.includes(level))
  const [level = 'info'] = levels
  if (levels.length > 1 || words.some((word) => word !== level && word !== 'access'))
    throw new Refusal(`must be error, warn or info, with or without access, not '${given}'`)
  return { level, requests: words.includes('access') }
}

/** An address to listen on. */
type SocketAddress = { host: string; port: number }

/** `host:port`, an IPv6 address in brackets, or undefined if there is none. */
export const optionalSocketAddress: Read<SocketAddress | undefined> = (given) => {
  if (given === '') return undefined
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(given) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535)
    throw new Refusal(`must be an address and a port such as 127.0.0.1:9464, not '${given}'`)
  return { host, port: Number(port) }
}

const MIN_TOKEN_CHARACTERS = 16

/** A token that a header can carry, or undefined if there is none. The message repeats nothing of it. */
export const optionalToken: Read<string | undefined> = (given) => {
  if (given === '') return undefined
  if (given.length < MIN_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(given))
    throw new Refusal(`must be at least ${MIN_TOKEN_CHARACTERS} printable ASCII characters without blanks`)
  return given
}
