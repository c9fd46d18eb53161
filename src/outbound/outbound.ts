import { request as httpRequest, type IncomingMessage, Agent as PlainAgent, type RequestOptions } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { toErrorCode } from '../errors.ts'
import { guardedLookup, type Resolve, readAllowed, requireAllowed, toHost } from './address.ts'
import { readBody, toStream } from './body.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { OutboundError } from './outbound-error.ts'

/** The guarded HTTP client, through which every request of the service to another server goes. */
export type Outbound = {
  /**
   * Sends a request by https to the public internet, or to a host or network that the operator allowed. The name is
   * resolved once, all its addresses are checked, and the connection goes to one of those. Redirects are not followed,
   * cookies not kept. Resolves with the complete response, whose `content-length` is its size, or with the head of an
   * event stream, whose body fails beyond the bounds. Throws OutboundError, which names no address.
   */
  fetch: (url: string | URL, request: OutboundRequest) => Promise<Response>
  /** Closes the idle connections. */
  close: () => void
}

/** Bounds for each host. */
const AGENT_OPTIONS = { keepAlive: true, maxSockets: 256, maxFreeSockets: 32, timeout: 60_000 }

/** `allow` is the operator's list of hosts and networks. Throws a Refusal that names a wrong entry. */
export function createOutbound(allow: string[], resolve?: Resolve): Outbound {
  const allowed = readAllowed(allow)
  const secure: Transport = {
    secure: true,
    agent: new Agent(AGENT_OPTIONS),
    lookup: guardedLookup(allowed, true, resolve),
  }
  const plain: Transport = {
    secure: false,
    agent: new PlainAgent(AGENT_OPTIONS),
    lookup: guardedLookup(allowed, false, resolve),
  }

  return {
    fetch: async (address, request) => {
      const url = URL.parse(String(address))
      if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password)
        throw new OutboundError('address')
      const transport = url.protocol === 'https:' ? secure : plain
      const host = toHost(url.hostname)
      // Sockets do not call `lookup` for IP addresses.
      if (isIP(host) !== 0) requireAllowed(allowed, host, transport.secure, [host])
      return sendRequest(transport, url, request)
    },
    close: () => {
      secure.agent.destroy()
      plain.agent.destroy()
    },
  }
}

/** A request to another server. */
type OutboundRequest = {
  method?: 'GET' | 'POST' | 'DELETE' | undefined
  headers?: Headers | Record<string, string> | undefined
  body?: string | undefined
  signal?: AbortSignal | null | undefined
  /** Time until the whole response must have been read; no limit when undefined. */
  timeoutMs?: number | undefined
  /** Maximum size of the response body, in bytes. */
  maxBytes: number
  /**
   * Called with each chunk of the body before it is stored; its promise is awaited before the next chunk is read, and
   * its error ends the response.
   */
  onChunk?: ((chunk: Uint8Array) => Promise<void> | undefined) | undefined
}

/** Connections of one scheme, made with a guarded lookup. */
type Transport = { secure: boolean; agent: Agent | PlainAgent; lookup: RequestOptions['lookup'] }

const NO_BODY_STATUSES = [204, 205, 304]

/**
 * Sends one request. Resolves with the complete response, or with the head of an event stream. Throws OutboundError.
 */
async function sendRequest(transport: Transport, url: URL, request: OutboundRequest): Promise<Response> {
  const deadline = createDeadline(request.signal, request.timeoutMs)
  const toError = (error: unknown) => toOutboundError(deadline, error)
  try {
    const message = await send(transport, url, request, deadline)
    return await toResponse(message, request, toError, deadline)
  } catch (error) {
    deadline.clear()
    throw toError(error)
  }
}

/** Resolves with the head of the response. */
function send(
  transport: Transport,
  url: URL,
  { method, headers, body }: OutboundRequest,
  { signal }: Deadline,
): Promise<IncomingMessage> {
  const { agent, lookup } = transport
  const open = transport.secure ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw signal.reason
    const sent = open(url, { method: method ?? 'GET', headers: toRequestHeaders(headers, body), agent, lookup, signal })
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.end(body)
  })
}

function toRequestHeaders(headers: OutboundRequest['headers'], body: string | undefined): Record<string, string> {
  const given = headers instanceof Headers ? headers.toJSON() : headers
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return { 'user-agent': 'memsvc', ...given, 'accept-encoding': 'identity', ...length }
}

/** Throws OutboundError for a redirect, and for a compressed body, whose real size is not known. */
async function toResponse(
  message: IncomingMessage,
  { maxBytes, onChunk }: OutboundRequest,
  toError: (error: unknown) => OutboundError,
  deadline: Deadline,
): Promise<Response> {
  const status = message.statusCode ?? 0
  const isCompressed = (message.headers['content-encoding'] ?? 'identity') !== 'identity'
  if (isRedirect(status) || isCompressed) {
    message.destroy()
    throw new OutboundError(isCompressed ? 'broken' : 'redirect')
  }
  const reading = { message, maxBytes, onChunk, toError, onEnd: deadline.clear }
  const headers = toHeaders(message)
  if (message.headers['content-type']?.startsWith('text/event-stream'))
    return new Response(toStream(reading), { status, headers })
  const body = await readBody(reading)
  headers.set('content-length', String(body.length))
  return new Response(NO_BODY_STATUSES.includes(status) ? null : body, { status, headers })
}

/** Repeated headers, such as `Set-Cookie`, are omitted. */
function toHeaders(message: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) if (typeof value === 'string') headers.set(name, value)
  return headers
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304
}

/** Converts an error to one without the address at which it occurred. */
function toOutboundError({ signal }: Deadline, error: unknown): OutboundError {
  if (signal.aborted) return signal.reason
  if (error instanceof OutboundError) return error
  const code = toErrorCode(error)
  if (/CERT|SELF_SIGNED|ERR_TLS|ISSUER/.test(code)) return new OutboundError('certificate')
  if (/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code))
    return new OutboundError('unreachable')
  return new OutboundError('broken')
}
