import { Elysia } from 'elysia'
import type { Caller, Origin } from '../account/caller.ts'
import { recognise } from '../account/recognise.ts'
import { noteFailedSignIn } from '../account/sign-ins.ts'
import { ProtocolError, Unauthorized } from '../errors.ts'
import { Code, toErrorText } from '../jsonrpc.ts'
import { answer, type Desk } from '../mcp/answer.ts'
import { toProtocolError } from '../mcp/reply.ts'
import type { Service } from '../service.ts'
import { readBody } from './body.ts'
import { checkMedia } from './media.ts'
import { isForeign } from './origin.ts'
import { toUnauthorized } from './unauthorized.ts'

/** The largest body of one message, in bytes. */
const MAX_BODY = 1_048_576

const JSON_HEADERS = { 'Content-Type': 'application/json' }

/** `POST /mcp`. Nothing of the request is read before its caller is known. */
export function mcp(desk: Desk) {
  return new Elysia({ name: 'mcp' }).all(
    '/mcp',
    ({ request, server }) => respond(desk, request, () => server?.requestIP(request)?.address),
    {
      parse: 'none',
    },
  )
}

async function respond(desk: Desk, request: Request, origin: Origin): Promise<Response> {
  try {
    if (request.method !== 'POST') throw new ProtocolError(Code.invalidRequest, 'Method Not Allowed: use POST', 405)
    if (isForeign(desk.service.config, request.headers))
      throw new ProtocolError(Code.invalidRequest, 'Forbidden: foreign Origin or Host', 403)
    const { caller, text } = await receive(desk.service, request, origin)
    const coming = answer(desk, caller, request.headers, text, () => request.signal)
    const { status, body } = coming instanceof Promise ? await coming : coming
    return new Response(body, { status, headers: body === null ? {} : JSON_HEADERS })
  } catch (error) {
    return toRefused(desk, request, origin, error)
  }
}

/** The caller, as it stands once the body is there: that may take its time, and the key may be revoked or expire meanwhile. */
async function receive(service: Service, request: Request, origin: Origin): Promise<{ caller: Caller; text: string }> {
  const { clock, store } = service
  const credential = request.headers.get('authorization')
  const time = clock.now()
  const generation = store.control.generation()
  const recognised = await recognise(service, credential, origin)
  checkMedia(request.headers)
  const text = await readBody(request, MAX_BODY)
  // An engine that has to ask for its generation never gives the same promise twice, and so always recognises anew.
  const unchanged = clock.now() === time && store.control.generation() === generation
  return { caller: unchanged ? recognised : await recognise(service, credential, origin), text }
}

/** What was refused before there was a message to answer. */
async function toRefused({ service }: Desk, request: Request, origin: Origin, error: unknown): Promise<Response> {
  if (error instanceof Unauthorized) {
    await noteFailedSignIn(service, error, request.headers.get('authorization') ?? '', origin)
    return toUnauthorized(error, service.config, request)
  }
  const known = toProtocolError(service, error)
  const headers = known.status === 405 ? { ...JSON_HEADERS, Allow: 'POST' } : JSON_HEADERS
  return new Response(toErrorText(null, known), { status: known.code === Code.internalError ? 500 : known.status, headers })
}
