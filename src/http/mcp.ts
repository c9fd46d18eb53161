import { Elysia } from 'elysia'
import { authenticate } from '../account/auth/authenticate.ts'
import type { ClientIp } from '../account/auth/caller.ts'
import { recordFailedSignIn } from '../account/auth/failed-sign-ins.ts'
import { LIGHT_BODY_BYTES } from '../account/limits/traffic.ts'
import { yieldIfDue } from '../cooperative.ts'
import { ProtocolError, TooMany, Unauthorized } from '../errors.ts'
import { Code, toErrorText } from '../jsonrpc.ts'
import { dispatch, type McpContext, type Reply, toTooMany } from '../mcp/dispatch.ts'
import { toProtocolError } from '../mcp/reply.ts'
import { announcedSize, readBody } from './body.ts'
import { clientIpOf } from './client-ip.ts'
import { toLargeBody } from './large-body.ts'
import { checkMedia } from './media.ts'
import { isForeign } from './origin.ts'
import { toUnauthorized } from './unauthorized.ts'

/** The largest body of one message, in bytes. */
const MAX_BODY_BYTES = 1_048_576

/** Bodies up to this size, in characters, are parsed in a tenth of a millisecond, and need wait for no turn of the event loop. */
const QUICK_BODY_CHARACTERS = 1_024

const JSON_HEADERS = { 'Content-Type': 'application/json' }

/** `POST /mcp`. Nothing of the request is read before its caller is known. */
export function mcp(desk: McpContext) {
  return new Elysia({ name: 'mcp' }).all(
    '/mcp',
    ({ request, server }) => respond(desk, request, () => clientIpOf(desk.service.config, request, server)),
    {
      parse: 'none',
    },
  )
}

async function respond(desk: McpContext, request: Request, origin: ClientIp): Promise<Response> {
  let release = () => {}
  try {
    const { method, headers } = request
    if (method !== 'POST') throw new ProtocolError(Code.invalidRequest, 'Method Not Allowed: use POST', 405)
    if (isForeign(desk.service.config, headers)) throw new ProtocolError(Code.invalidRequest, 'Forbidden: foreign Origin or Host', 403)
    const { clock, store, traffic } = desk.service
    const [time, generation] = [clock.now(), store.control.version()]
    const credential = headers.get('authorization')
    const coming = authenticate(desk.service, credential, origin)
    const recognised = coming instanceof Promise ? await coming : coming
    checkMedia(headers)
    const size = announcedSize(headers, MAX_BODY_BYTES)
    const isLight = size <= LIGHT_BODY_BYTES
    if (!isLight && size <= MAX_BODY_BYTES) {
      traffic.takeBody(recognised, size)
      release = traffic.hold(recognised.keyId, size)
    }
    const text = await readBody(request, MAX_BODY_BYTES)
    if (text.length > QUICK_BODY_CHARACTERS) await yieldIfDue()
    // An engine that has to ask for its generation never gives the same promise twice, and so always recognises anew.
    const unchanged = clock.now() === time && store.control.version() === generation
    const caller = unchanged ? recognised : await authenticate(desk.service, credential, origin)
    const waiting = waitFor(request)
    const answered = dispatch(desk, caller, headers, text, waiting.signal, isLight ? size : 0)
    return toResponse(answered instanceof Promise ? await answered : answered, waiting.end)
  } catch (error) {
    return await toRefused(desk, request, origin, error)
  } finally {
    release()
  }
}

const OK = { headers: new Headers(JSON_HEADERS) }

/** Whether somebody waits for the answer: `signal()` is aborted when the client has gone, and at `end()`, when all was read. */
function waitFor(request: Request): { signal: () => AbortSignal; end: () => void } {
  let ended: AbortController | undefined
  return {
    signal: () => {
      ended ??= new AbortController()
      return AbortSignal.any([request.signal, ended.signal])
    },
    end: () => ended?.abort(),
  }
}

function toResponse({ status, body, retryAfter }: Reply, end = () => {}): Response {
  if (body !== null && typeof body !== 'string') return new Response(toLargeBody(body, end), { status, headers: JSON_HEADERS })
  end()
  if (status === 200) return new Response(body, OK)
  const retry = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  return new Response(body, { status, headers: body === null ? {} : { ...JSON_HEADERS, ...retry } })
}

/** What was refused before there was a message to answer. */
async function toRefused({ service }: McpContext, request: Request, origin: ClientIp, error: unknown): Promise<Response> {
  if (error instanceof Unauthorized) {
    await recordFailedSignIn(service, error, request.headers.get('authorization') ?? '', origin)
    return toUnauthorized(error, service.config, request)
  }
  if (error instanceof TooMany) return toResponse(toTooMany(null, error))
  const known = toProtocolError(service, error)
  const status = known.code === Code.internalError ? 500 : known.status
  return new Response(toErrorText(null, known), { status, headers: { ...JSON_HEADERS, ...REFUSED_HEADERS[status] } })
}

/** What goes with a refusal besides its kind. A body that is late is not waited for on the connection either. */
const REFUSED_HEADERS: Record<number, Record<string, string>> = { 405: { Allow: 'POST' }, 408: { Connection: 'close' } }
