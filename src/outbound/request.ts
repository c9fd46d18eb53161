import { request as httpRequest, type IncomingMessage, type Agent as PlainAgent, type RequestOptions } from 'node:http'
import { type Agent, request as httpsRequest } from 'node:https'
import { OutboundError, toErrorCode } from '../errors.ts'
import { readBody, toStream } from './body.ts'
import { createDeadline, type Deadline } from './deadline.ts'

/** A request to another server. */
export type OutboundRequest = {
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
export type Transport = { secure: boolean; agent: Agent | PlainAgent; lookup: RequestOptions['lookup'] }

const NO_BODY_STATUSES = [204, 205, 304]

/**
 * Sends one request. Resolves with the complete response, or with the head of an event stream. Throws OutboundError.
 */
export async function sendRequest(transport: Transport, url: URL, request: OutboundRequest): Promise<Response> {
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
