import { Elysia } from 'elysia'
import { authenticate, recordFailedSignIn } from '../account/auth/authenticate.ts'
import type { Caller, ClientIp } from '../account/auth/caller.ts'
import { toSender } from '../account/limits/held-bytes.ts'
import { LIGHT_BODY_BYTES } from '../account/limits/traffic.ts'
import { SECOND_MS } from '../clock.ts'
import { ProtocolError, TooMany, Unauthorized } from '../errors.ts'
import { Code, toErrorText } from '../jsonrpc.ts'
import { noteRequest } from '../log/request.ts'
import { dispatch, type Reply, toTooManyReply } from '../mcp/dispatch.ts'
import { toProtocolError } from '../mcp/reply.ts'
import type { McpContext } from '../mcp/request.ts'
import type { Service } from '../service.ts'
import { announcedSize, readBody } from './body.ts'
import { toBody, toChunks, toEvents } from './chunks.ts'
import { clientIpOf, isForeign } from './request.ts'
import { toUnauthorized } from './unauthorized.ts'

/** Maximum size of the body of a message. */
const MAX_BODY_BYTES = 1_048_576

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'
const JSON_HEADERS = { 'Content-Type': JSON_TYPE }

/** The last header tells proxies not to buffer events. */
const STREAM_HEADERS = { 'Content-Type': STREAM_TYPE, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }

/** Headers of a refusal with this status. After a late body (408) the connection is closed. */
const REFUSAL_HEADERS: Record<number, Record<string, string>> = {
  405: { Allow: 'POST' },
  408: { Connection: 'close' },
  503: { 'Retry-After': '5' },
}

/** `POST /mcp`. The body is read after the caller is authenticated, so Elysia must not parse it. */
export function mcp(context: McpContext) {
  const { config } = context.service
  return new Elysia({ name: 'mcp' }).all(
    '/mcp',
    ({ request, server }) => respond(context, request, () => clientIpOf(config, request, server)),
    { parse: 'none' },
  )
}

async function respond(context: McpContext, request: Request, clientIp: ClientIp): Promise<Response> {
  const { service } = context
  const { headers } = request
  let release = () => {}
  try {
    if (request.method !== 'POST') throw new ProtocolError(Code.invalidRequest, 'Method Not Allowed: use POST', 405)
    if (isForeign(service.config, headers))
      throw new ProtocolError(Code.invalidRequest, 'Forbidden: foreign Origin or Host', 403)
    const identify = createIdentify(service, headers.get('authorization'), clientIp)
    const sender = await identify()
    noteRequest({ key: sender.keyId, account: sender.accountId, project: sender.projectId })
    checkMedia(headers)
    const size = announcedSize(headers, MAX_BODY_BYTES)
    release = holdLargeBody(service, sender, size)
    const text = await readBody(request, MAX_BODY_BYTES)
    // The key may have been revoked or have expired while the body arrived.
    const caller = await identify()
    const connection = watchConnection(request)
    const reply = await dispatch(context, {
      caller,
      identify,
      headers,
      text,
      uncountedBytes: size <= LIGHT_BODY_BYTES ? size : 0,
      signal: connection.signal,
    })
    if ('messages' in reply) {
      // The call holds its arguments until it ends.
      void reply.ended.then(release)
      release = () => {}
    }
    return toResponse(service, reply, connection.end)
  } catch (error) {
    return await toRefusal(context, request, clientIp, error)
  } finally {
    release()
  }
}

/** Throws ProtocolError: 406 unless the client accepts both media types of answers, 415 unless it sends JSON. */
function checkMedia(headers: Headers): void {
  if (!acceptsBoth(headers.get('accept'))) {
    throw new ProtocolError(
      Code.invalidRequest,
      `Not Acceptable: Accept must contain both ${JSON_TYPE} and ${STREAM_TYPE}`,
      406,
    )
  }
  if (!isJson(headers.get('content-type'))) {
    throw new ProtocolError(Code.invalidRequest, `Unsupported Media Type: Content-Type must be ${JSON_TYPE}`, 415)
  }
}

/** Compares with the exact header of nearly all clients first, since every request passes here. */
function acceptsBoth(accept: string | null): boolean {
  if (accept === `${JSON_TYPE}, ${STREAM_TYPE}`) return true
  const types = (accept ?? '').split(',').map(toType)
  return types.includes(JSON_TYPE) && types.includes(STREAM_TYPE)
}

function isJson(contentType: string | null): boolean {
  return contentType === JSON_TYPE || toType(contentType ?? '') === JSON_TYPE
}

/** A media type without its parameters. */
function toType(part: string): string {
  return (part.split(';')[0] ?? '').trim().toLowerCase()
}

/**
 * Counts a large body before it is read. Returns the function that releases the memory for it. @throws TooMany beyond
 * the limits of its sender or of all.
 */
function holdLargeBody({ traffic }: Service, sender: Caller, size: number): () => void {
  if (size <= LIGHT_BODY_BYTES || size > MAX_BODY_BYTES) return () => {}
  traffic.consumeBody(sender, size)
  return traffic.hold(toSender(sender), size)
}

/** How long an authenticated caller is reused while the control data has not changed, since a key may expire. */
const KNOWN_MS = SECOND_MS

/**
 * Authenticates the credential of one request; again only if a second has passed or the control data has changed since.
 * Throws like `authenticate`.
 */
function createIdentify(service: Service, credential: string | null, clientIp: ClientIp): () => Promise<Caller> {
  let known: { caller: Caller; version: number; at: number } | undefined
  return async () => {
    const version = await service.store.control.version()
    const at = service.clock.now()
    if (known === undefined || known.version !== version || Math.abs(at - known.at) >= KNOWN_MS)
      known = { caller: await authenticate(service, credential, clientIp), version, at }
    return known.caller
  }
}

/**
 * `signal()` is aborted when the client disconnects, and at `end()`. It is created on demand, since most requests never
 * use it, and creating one takes as long as parsing a message.
 */
function watchConnection(request: Request): { signal: () => AbortSignal; end: () => void } {
  let ended: AbortController | undefined
  return {
    signal: () => {
      ended ??= new AbortController()
      return AbortSignal.any([request.signal, ended.signal])
    },
    end: () => ended?.abort(),
  }
}

/** `end` is called when the whole body was passed to the connection. */
function toResponse(service: Service, reply: Reply, end = () => {}): Response {
  if ('messages' in reply)
    return new Response(toBody(service, toEvents(reply.messages), end), {
      status: reply.status,
      headers: STREAM_HEADERS,
    })
  const { status, body, retryAfter } = reply
  if (body !== null && typeof body !== 'string')
    return new Response(toBody(service, toChunks(body), end), { status, headers: JSON_HEADERS })
  end()
  if (body === null) return new Response(null, { status })
  const headers = retryAfter === undefined ? JSON_HEADERS : { ...JSON_HEADERS, 'Retry-After': String(retryAfter) }
  return new Response(body, { status, headers })
}

/** The response to a request that was refused before its message was read. */
async function toRefusal(
  { service }: McpContext,
  request: Request,
  clientIp: ClientIp,
  error: unknown,
): Promise<Response> {
  if (error instanceof Unauthorized) {
    await recordFailedSignIn(service, error, request.headers.get('authorization') ?? '', clientIp)
    return toUnauthorized(error, service.config, request)
  }
  if (error instanceof TooMany) return toResponse(service, toTooManyReply(null, error))
  const known = toProtocolError(service, error)
  const status = known.code === Code.internalError && known.status === 200 ? 500 : known.status
  return new Response(toErrorText(null, known), { status, headers: { ...JSON_HEADERS, ...REFUSAL_HEADERS[status] } })
}
