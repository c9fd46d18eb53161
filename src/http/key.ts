import { Elysia } from 'elysia'
import { authenticate, recordFailedSignIn } from '../account/auth/authenticate.ts'
import type { Caller, ClientIp } from '../account/auth/caller.ts'
import { subscriptionState } from '../account/subscription/subscription.ts'
import { toIsoTime, toIsoTimeOrNull } from '../clock.ts'
import { TooMany, Unauthorized } from '../errors.ts'
import { countTools } from '../mcp/catalogue.ts'
import type { McpContext } from '../mcp/request.ts'
import type { Service } from '../service.ts'
import { clientIpOf, isForeign } from './request.ts'
import { toUnauthorized } from './unauthorized.ts'

const NO_STORE = { 'Cache-Control': 'no-store' }

/**
 * `GET /v1/key`: describes the key of the request, for programs that check a connection. The key is checked as on
 * `/mcp`; an OAuth token is refused. It counts as a message, not as a call.
 */
export function key(context: McpContext) {
  const { config } = context.service
  return new Elysia({ name: 'key' }).get('/v1/key', ({ request, server }) =>
    respond(context, request, () => clientIpOf(config, request, server)),
  )
}

async function respond(context: McpContext, request: Request, clientIp: ClientIp): Promise<Response> {
  const { service } = context
  const credential = request.headers.get('authorization')
  if (isForeign(service.config, request.headers))
    return Response.json({ error: 'foreign Origin or Host' }, { status: 403 })
  try {
    const caller = await authenticate(service, credential, clientIp)
    if (caller.hosted) throw new Unauthorized('key')
    service.traffic.consumeMessage(caller, 'other', 0)
    return Response.json(await toKeyInfo(context, caller), { headers: NO_STORE })
  } catch (error) {
    if (error instanceof TooMany) {
      return Response.json({ error: error.message }, { status: 429, headers: { 'Retry-After': String(error.seconds) } })
    }
    if (!(error instanceof Unauthorized)) throw error
    await recordFailedSignIn(service, error, credential ?? '', clientIp)
    // The same answer as for a wrong key, since OAuth does not work here.
    return toUnauthorized(new Unauthorized('key'), service.config, request)
  }
}

/**
 * Number of live keys of the project that the holder has. Each of them reads the holder's drafts and session histories.
 */
async function countKeysOfHolder({ store, clock }: Service, { memberId, projectId }: Caller): Promise<number> {
  return memberId === undefined
    ? 1
    : store.control.count('keys', { memberId, projectId, revokedAt: null, expiresAt: { after: clock.now() } })
}

async function toKeyInfo({ service, catalogue }: McpContext, caller: Caller) {
  const { account } = caller
  const now = service.clock.now()
  const holder = await service.store.control.findKeyHolder({ id: caller.keyId })
  // The key was removed after it was authenticated.
  if (holder === undefined) throw new Unauthorized('key')
  return {
    service_version: service.version,
    api_version: '1.0',
    tenant_id: account.id,
    account: account.name,
    project_id: holder.project.id,
    project: holder.project.name,
    holder_id: caller.authorId,
    holder_kind: holder.member === null ? 'service key' : 'member',
    holder: holder.member?.name ?? holder.key.label,
    holder_keys: await countKeysOfHolder(service, caller),
    key: holder.key.shown,
    key_label: holder.key.label,
    key_expires_at: toIsoTimeOrNull(holder.key.expiresAt),
    subscription: subscriptionState(account, now),
    subscription_until: toIsoTimeOrNull(account.subscribedUntil),
    tools: await countTools(catalogue, caller),
    server_time: toIsoTime(now),
  }
}
