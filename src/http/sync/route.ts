import type { Server } from 'bun'
import type { Actor } from '../../account/auth/actor.ts'
import { authenticate, recordFailedSignIn } from '../../account/auth/authenticate.ts'
import type { Caller, ClientIp } from '../../account/auth/caller.ts'
import { subscriptionState } from '../../account/subscription/subscription.ts'
import { Notice, ProtocolError, Refusal, StorageRefusal, TooMany, Unauthorized } from '../../errors.ts'
import { UploadRefusal, type UploadRefusalCode } from '../../history/upload/upload-refusal.ts'
import type { Service } from '../../service.ts'
import { clientIpOf, isForeign } from '../request.ts'
import { toUnauthorized } from '../unauthorized.ts'

/** The part of Elysia's context that these routes use. */
type RouteContext = { request: Request; server: Server<unknown> | null; params?: Record<string, string> }

/**
 * A request whose key was checked. `identify` checks it again, since it may have been revoked while the body arrived.
 */
export type SyncRequest = {
  service: Service
  request: Request
  params: Record<string, string>
  caller: Caller
  actor: Actor
  identify: () => Promise<Actor>
}

const NO_STORE = { 'Cache-Control': 'no-store' }
/** Default waiting time of an agent. */
const RETRY_S = 30

const STATUS: Record<UploadRefusalCode, number> = {
  invalid: 400,
  unknown_source: 404,
  erased: 410,
  gap: 409,
  too_large: 413,
  assistant_not_accepted: 415,
  quota: 403,
  not_agreed: 403,
}

/** A route for callers with a key. Errors become JSON `{ error: { code, message } }`. */
export function route(service: Service, answer: (req: SyncRequest) => Promise<Response>) {
  return async ({ request, server, params = {} }: RouteContext): Promise<Response> => {
    if (isForeign(service.config, request.headers)) return toError(403, 'foreign', 'foreign Origin or Host')
    const clientIp = () => clientIpOf(service.config, request, server)
    try {
      const caller = await identify(service, request, clientIp)
      service.uploadTraffic.consumeRequest(caller)
      const identifyAgain = async (): Promise<Actor> => ({
        kind: 'caller',
        caller: await identify(service, request, clientIp),
      })
      return await answer({
        service,
        request,
        params,
        caller,
        actor: { kind: 'caller', caller },
        identify: identifyAgain,
      })
    } catch (error) {
      return await toRefusal(service, request, clientIp, error)
    }
  }
}

/** Hosted connections have no access to session histories. */
class HostedConnection extends Refusal {}

async function identify(service: Service, request: Request, clientIp: ClientIp): Promise<Caller> {
  const caller = await authenticate(service, request.headers.get('authorization'), clientIp)
  if (caller.hosted) throw new HostedConnection('session histories are not open to hosted connections; use an API key')
  return caller
}

async function toRefusal(service: Service, request: Request, clientIp: ClientIp, error: unknown): Promise<Response> {
  if (error instanceof Unauthorized) {
    await recordFailedSignIn(service, error, request.headers.get('authorization') ?? '', clientIp)
    return toUnauthorized(new Unauthorized('key'), service.config, request)
  }
  if (error instanceof HostedConnection) return toError(403, 'hosted_connection', error.message)
  if (error instanceof UploadRefusal) return toError(STATUS[error.code], error.code, error.message, error.details)
  if (error instanceof Notice) return toNotice(service, request, error)
  if (error instanceof TooMany) return toError(429, 'too_many', error.message, {}, error.seconds)
  if (error instanceof StorageRefusal) return toError(503, 'storage', error.message, {}, RETRY_S)
  if (error instanceof ProtocolError)
    return toError(error.status, error.status === 413 ? 'too_large' : 'invalid', error.message)
  if (error instanceof Refusal) return toError(400, 'invalid', error.message)
  throw error
}

/** In the grace period stored histories can be read; without a subscription nothing can. */
async function toNotice(service: Service, request: Request, { message }: Notice): Promise<Response> {
  const { account } = await authenticate(service, request.headers.get('authorization'))
  const isGrace = subscriptionState(account, service.clock.now()) === 'grace'
  return isGrace ? toError(403, 'read_only', message) : toError(402, 'subscription', message)
}

export function toError(
  status: number,
  code: string,
  message: string,
  details: Record<string, unknown> = {},
  retryS?: number,
): Response {
  const headers = retryS === undefined ? NO_STORE : { ...NO_STORE, 'Retry-After': String(retryS) }
  return Response.json({ error: { code, message }, ...details }, { status, headers })
}

export function toJson(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: NO_STORE })
}
