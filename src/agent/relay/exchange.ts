import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceError } from '../../errors.ts'
import { VERSION } from '../../version.ts'
import { toServiceError } from '../answer.ts'
import { MESSAGE_HEADERS, type ServiceClient } from '../service-client.ts'
import { createWatch, passAnswers } from './answers.ts'
import type { ClientMessage } from './message.ts'
import { delayBeforeRetry } from './retry.ts'

type ExchangeOptions = {
  /** Whether the message may be sent again although the service may have carried it out. */
  repeatable: boolean
  /** The protocol version negotiated by `initialize`. */
  agreedVersion: string | undefined
  /** Aborted when the client cancels the request. */
  signal: AbortSignal
  /** Whether to wait for a service that is unreachable, busy or slow. */
  mayWait: boolean
  /** Time limit of an attempt; undefined for the usual one of its method. */
  timeoutMs: number | undefined
  /** Sends one line to the client. */
  pass: (line: Uint8Array) => Promise<void>
}

/** Time limit of a message. The client may give up earlier. */
const TIMEOUT_MS = 600_000
/**
 * The same for an idempotent message: short at first, since a kept connection may have died unnoticed while the machine
 * slept.
 */
const FIRST_TIMEOUT_MS = 10_000
const REPEATABLE_TIMEOUT_MS = 30_000

/** Failures that may pass with time. */
const WAITING = new Set(['unreachable', 'busy', 'timeout'])

/**
 * Sends a message and forwards the service's response, with retries as defined in `retry.ts`. Rejects with a
 * ServiceError if nothing was forwarded.
 */
export async function exchange(client: ServiceClient, message: ClientMessage, options: ExchangeOptions): Promise<void> {
  let passed = 0
  const pass = (line: Uint8Array) => {
    passed += 1
    return options.pass(line)
  }
  for (let attempt = 0; ; attempt++) {
    try {
      return await exchangeOnce(client, message, { ...options, pass }, attempt)
    } catch (caught) {
      const error = toServiceError(caught)
      const mayRetry = passed === 0 && !options.signal.aborted && (options.mayWait || !WAITING.has(error.code))
      const delay = mayRetry ? delayBeforeRetry(options.repeatable, error, attempt) : undefined
      if (delay === undefined) throw error
      await sleep(delay, undefined, { signal: options.signal })
    }
  }
}

async function exchangeOnce(
  client: ServiceClient,
  message: ClientMessage,
  options: ExchangeOptions,
  attempt: number,
): Promise<void> {
  const { repeatable, agreedVersion, signal, pass } = options
  const watch = createWatch(signal, options.timeoutMs ?? timeoutOf(repeatable, attempt))
  try {
    const answer = await client.send({
      method: 'POST',
      path: '/mcp',
      headers: toHeaders(message, agreedVersion),
      body: message.bytes,
      signal: watch.signal,
      ownConnection: attempt > 0 || (message.kind === 'request' && !repeatable),
    })
    await passAnswers(message, answer, { repeatable, attempt, watch, pass })
  } catch (error) {
    throw watch.signal.aborted ? toServiceError(watch.signal.reason) : error
  } finally {
    watch.clear()
  }
}

function timeoutOf(repeatable: boolean, attempt: number): number {
  if (!repeatable) return TIMEOUT_MS
  return attempt === 0 ? FIRST_TIMEOUT_MS : REPEATABLE_TIMEOUT_MS
}

/** What became of a call, as far as that is known. The very same save within ten minutes changes nothing. */
export function adviceFor({ method, name }: ClientMessage, repeatable: boolean, { code }: ServiceError): string {
  if (method !== 'tools/call' || repeatable) return ''
  if (code === 'unreachable') return name === 'remember' ? ' Nothing was saved.' : ''
  if (code !== 'broken' && code !== 'timeout') return ''
  if (name === 'remember')
    return ' It is not known whether this was saved; saving it again within ten minutes is harmless.'
  return ' It is not known whether the call was carried out; look before it is repeated.'
}

/**
 * Values that need no encoding in a header: visible ASCII with inner spaces, and not in the form of an encoded value.
 */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/**
 * The headers of a posted message. In the stateless era they repeat parts of the body (MCP 2026-07-28, Streamable
 * HTTP); in the other, `agreedVersion` is the one negotiated by `initialize`. The last header tells the service that
 * its client is notified of changes of the list of tools.
 */
function toHeaders(
  { method, name, version }: ClientMessage,
  agreedVersion: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { ...MESSAGE_HEADERS, 'Memsvc-Agent': VERSION }
  if (version === undefined)
    return agreedVersion === undefined ? headers : { ...headers, 'MCP-Protocol-Version': agreedVersion }
  if (PLAIN.test(version)) headers['MCP-Protocol-Version'] = version
  if (method !== undefined) headers['Mcp-Method'] = toHeaderValue(method)
  if (name !== undefined) headers['Mcp-Name'] = toHeaderValue(name)
  return headers
}

function toHeaderValue(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
