import { Refusal } from '../errors.ts'
import type { Headers } from './credentials.ts'

const MAX_HEADERS = 16
const MAX_NAME_CHARACTERS_SHOWN = 64
const MAX_VALUE_CHARACTERS = 4_096
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/** Headers of the protocol and the connection, which an integration may not set. */
const RESERVED =
  /^(host|connection|keep-alive|content-.*|transfer-encoding|accept|accept-encoding|te|upgrade|expect|origin|last-event-id|mcp-(session-id|protocol-version|method|name|param-.*))$/i

/**
 * Parses lines `Name: value`; empty lines and those that begin with `#` are skipped. Throws a Refusal that repeats no
 * value.
 */
export function readHeaders(text: string): Headers {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return requireHeaders(Object.fromEntries(lines.map(readLine)))
}

/**
 * One header as a person types it: an `Authorization` without a scheme gets `Bearer`. Throws a Refusal that repeats no
 * value.
 */
export function readHeader(name: string, typed: string): Headers {
  const [header, value] = [name.trim(), typed.trim()]
  const hasNoScheme = header.toLowerCase() === 'authorization' && value !== '' && !value.includes(' ')
  return requireHeaders({ [header]: hasNoScheme ? `Bearer ${value}` : value })
}

function readLine(line: string, at: number): [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw new Refusal(`header ${at + 1} must have the form 'Name: value'`)
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

/**
 * The headers with their names in lower case. Throws a Refusal, which repeats no value, for too many, a reserved one,
 * or one that HTTP cannot send.
 */
export function requireHeaders(headers: Headers): Headers {
  const entries = Object.entries(headers)
  if (entries.length > MAX_HEADERS) throw new Refusal(`there must be at most ${MAX_HEADERS} headers`)
  for (const [name, value] of entries) {
    if (!NAME.test(name))
      throw new Refusal(`'${name.slice(0, MAX_NAME_CHARACTERS_SHOWN)}' is not the name of a header`, 'header')
    if (RESERVED.test(name)) throw new Refusal(`the header '${name}' is the service's own`, 'header')
    if (value === '' || value.length > MAX_VALUE_CHARACTERS || !/^[\x20-\x7e]+$/.test(value))
      throw new Refusal(
        `the value of the header '${name}' must have 1 to ${MAX_VALUE_CHARACTERS} printable ASCII characters`,
        'credential',
      )
  }
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))
}
