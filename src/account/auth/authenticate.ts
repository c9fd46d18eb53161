import { Unauthorized } from '../../errors.ts'
import { isWholeKey } from '../../secrets/key.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { KeyHolder, Member } from '../../store/account.ts'
import type { ConnectionHolder } from '../../store/oauth.ts'
import { type AuditEvent, recordEventAlone } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import { isLive } from '../keys/visible-keys.ts'
import { type Caller, type ClientIp, toCaller } from './caller.ts'

const SCHEME = 'Bearer '

/** Prefix of every OAuth token, and of no key. */
export const TOKEN_PREFIX = 'svo_'

/**
 * The caller identified by an `Authorization` header, which must be exactly `Bearer <key>` or `Bearer <token>`. Notes
 * that the credential was used, to be written later.
 *
 * @throws Unauthorized for a header that is missing or malformed, and for a key or token that is unknown, ended, or of
 *   a suspended account.
 */
export async function authenticate(ctx: AppContext, header: string | null, clientIp?: ClientIp): Promise<Caller> {
  if (header === null || header === '') throw new Unauthorized('none')
  if (!header.startsWith(SCHEME)) throw new Unauthorized('key')
  const credential = header.slice(SCHEME.length)
  const hosted = credential.startsWith(TOKEN_PREFIX)
  const holder = hosted ? await findTokenHolder(ctx, credential) : await findLiveHolder(ctx, credential)
  if (holder === undefined) throw new Unauthorized(hosted ? 'token' : 'key')
  ctx.keyUses.add(holder.key.id, ctx.clock.now())
  return toCaller(holder, hosted, clientIp)
}

/** The holder of a key; undefined for text that is not a key, and for an unknown, expired or revoked key. */
export async function findLiveHolder(ctx: AppContext, key: string): Promise<KeyHolder | undefined> {
  const holder = await findHolder(ctx, key)
  return holder !== undefined && isLive(holder, ctx.clock.now()) ? holder : undefined
}

async function findHolder({ store }: AppContext, key: string): Promise<KeyHolder | undefined> {
  return isWholeKey(key) ? store.control.findKeyHolder({ digest: sha256Hex(key) }) : undefined
}

/** Whether a connection's token may be used: neither it nor its key is expired or revoked. */
export function isOpen({ connection, ...holder }: ConnectionHolder, now: number): boolean {
  return connection.revokedAt === null && connection.expiresAt > now && isLive(holder, now)
}

/** The URL of the endpoint, which is the resource of OAuth tokens (RFC 8707). `baseUrl` has no path. */
export function toResourceUrl(baseUrl: string): string {
  return new URL('/mcp', baseUrl).href
}

/**
 * The holder of a token's key. A token is accepted only by the service it was issued for, even if two services share a
 * data folder.
 */
async function findTokenHolder(
  { store, clock, config, connectionUses }: AppContext,
  token: string,
): Promise<KeyHolder | undefined> {
  const holder = await store.control.findConnectionHolder(sha256Hex(token))
  const now = clock.now()
  if (holder === undefined || !isOpen(holder, now)) return undefined
  const { connection } = holder
  if (config.publicUrl !== undefined && toResourceUrl(config.publicUrl) !== connection.resource) return undefined
  connectionUses.add(connection.id, now)
  return holder
}

/**
 * Records that an `Authorization` header, or a key entered elsewhere, was rejected; a request without one is not an
 * attempt. The credential itself is not recorded. Never throws, since the answer to the client must not depend on it.
 */
export async function recordFailedSignIn(
  ctx: AppContext,
  { sent }: Unauthorized,
  header: string,
  clientIp: ClientIp,
): Promise<void> {
  if (sent !== 'none') await recordFailure(ctx, sent, clientIp(), () => findOwner(ctx, header))
}

/**
 * Records that a password was not accepted. `member` is who has the e-mail address that was entered with it, if
 * anybody. Never throws.
 */
export function recordFailedPassword(ctx: AppContext, member: Member | undefined, clientIp: string): Promise<void> {
  return recordFailure(ctx, 'password', clientIp, async () =>
    member ? { accountId: member.accountId, target: member.id } : {},
  )
}

type Owner = Pick<AuditEvent, 'accountId' | 'projectId' | 'target'>

async function recordFailure(
  ctx: AppContext,
  credential: string,
  clientIp: string | undefined,
  findOwner: () => Promise<Owner>,
): Promise<void> {
  const taken = ctx.failedSignIns.take(clientIp ?? 'unknown', ctx.clock.ticks())
  if (taken === undefined) return
  try {
    const details = { credential, held_back: taken.heldBack }
    const event = { act: 'sign-in.fail', ...(await findOwner()), outcome: 'refused' as const, details }
    await recordEventAlone(ctx, { kind: 'anonymous', clientIp: clientIp ?? null }, event)
  } catch (error) {
    ctx.log('the owner of a refused credential was not found', { error: String(error) })
  }
}

/** The owner of a rejected key, if it is a known one. */
async function findOwner(ctx: AppContext, header: string): Promise<Owner> {
  const holder = await findHolder(ctx, header.replace(/^Bearer /, ''))
  return holder === undefined
    ? {}
    : { accountId: holder.account.id, projectId: holder.project.id, target: holder.key.id }
}
