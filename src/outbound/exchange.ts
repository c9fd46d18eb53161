import { request as httpRequest, type IncomingMessage, type Agent as PlainAgent, type RequestOptions } from 'node:http'
import { type Agent, request as httpsRequest } from 'node:https'
import { OutboundError } from '../errors.ts'
import { readWhole, toStream } from './body.ts'
import { type Until, until } from './until.ts'

/** A request to another server. */
export type OutboundRequest = {
  method?: 'GET' | 'POST' | 'DELETE' | undefined
  headers?: Headers | Record<string, string> | undefined
  body?: string | undefined
  signal?: AbortSignal | null | undefined
  /** Milliseconds until the whole answer must have been read; for ever when undefined. */
  timeoutMs?: number | undefined
  /** The largest answer, in bytes. */
  maxBytes: number
  /** Called with each piece of the answer before it is kept. Nothing more is read until its promise is resolved; what it throws ends the answer. */
  onChunk?: ((chunk: Uint8Array) => Promise<void> | undefined) | undefined
}

export type Transport = { secure: boolean; agent: Agent | PlainAgent; lookup: RequestOptions['lookup'] }

const NO_BODY = [204, 205, 304]

/** One request on a line that has been checked. Resolves with the whole answer, or with the head of a stream of events; throws OutboundError. */
export function exchange(line: Transport, url: URL, ask: OutboundRequest): Promise<Response> {
  const end = until(ask.signal, ask.timeoutMs)
  const toError = (error: unknown) => toOutboundError(end, error)
  return new Promise<Response>((resolve, reject) => {
    if (end.signal.aborted) throw end.signal.reason
    const start = line.secure ? httpsRequest : httpRequest
    const request = start(url, toOptions(line, ask, end.signal))
    request.on('response', (message) => resolve(toResponse(message, ask, toError, end)))
    request.on('error', (error) => reject(toError(error)))
    request.end(ask.body)
  }).catch((error) => {
    end.settle()
    throw error
  })
}

function toOptions({ agent, lookup }: Transport, ask: OutboundRequest, signal: AbortSignal): RequestOptions {
  const headers: Record<string, string> = { 'user-agent': 'memsvc', ...toPlain(ask.headers) }
  headers['accept-encoding'] = 'identity'
  if (ask.body !== undefined) headers['content-length'] = String(Buffer.byteLength(ask.body))
  return { method: ask.method ?? 'GET', headers, agent, lookup, signal }
}

function toPlain(headers: OutboundRequest['headers']): Record<string, string> {
  return headers instanceof Headers ? headers.toJSON() : (headers ?? {})
}

/** Throws OutboundError for an answer that leads elsewhere or is packed, since its real size is not known. */
async function toResponse(
  message: IncomingMessage,
  ask: OutboundRequest,
  toError: (error: unknown) => OutboundError,
  end: Until,
): Promise<Response> {
  const status = message.statusCode ?? 0
  const packed = (message.headers['content-encoding'] ?? 'identity') !== 'identity'
  if (isRedirect(status) || packed) {
    message.destroy()
    throw new OutboundError(packed ? 'broken' : 'redirect')
  }
  const reading = { message, maxBytes: ask.maxBytes, onChunk: ask.onChunk, toError, settle: end.settle }
  const headers = toHeaders(message)
  if (message.headers['content-type']?.startsWith('text/event-stream')) return new Response(toStream(reading), { status, headers })
  const body = await readWhole(reading)
  headers.set('content-length', String(body.length))
  return new Response(NO_BODY.includes(status) ? null : body, { status, headers })
}

function toHeaders(message: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) if (typeof value === 'string') headers.set(name, value)
  return headers
}

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304

/** What went wrong, without the address it went wrong at. */
function toOutboundError({ signal }: Until, error: unknown): OutboundError {
  if (signal.aborted) return signal.reason
  if (error instanceof OutboundError) return error
  const code = String((error as { code?: unknown })?.code ?? '')
  if (/CERT|SELF_SIGNED|ERR_TLS|ISSUER/.test(code)) return new OutboundError('certificate')
  if (/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code))
    return new OutboundError('unreachable')
  return new OutboundError('broken')
}
