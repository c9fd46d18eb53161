import { Unauthorized } from '../../errors.ts'
import { digestOf, isWholeKey } from '../../secrets/key.ts'
import { after, type Soon } from '../../soon.ts'
import type { KeyHolder } from '../../store/key.ts'
import type { Connection, ConnectionHolder } from '../../store/oauth.ts'
import type { AppContext } from '../context.ts'
import { type Caller, type ClientIp, toCaller } from './caller.ts'

const SCHEME = 'Bearer '

/** Begins every OAuth token, so that a dead one is told from a dead key. */
export const TOKEN_PREFIX = 'svo_'

/** The caller behind an `Authorization` header, which must be exactly `Bearer <key>` or `Bearer <token>`. Throws Unauthorized. */
export function authenticate(ctx: AppContext, header: string | null, origin?: ClientIp): Soon<Caller> {
  if (header === null || header === '') throw new Unauthorized('none')
  if (!header.startsWith(SCHEME)) throw new Unauthorized('key')
  const credential = header.slice(SCHEME.length)
  const hosted = credential.startsWith(TOKEN_PREFIX)
  return after(hosted ? findTokenHolder(ctx, credential) : findKeyHolder(ctx, credential), (holder) => {
    const now = ctx.clock.now()
    if (holder === undefined || !isLive(holder, now)) throw new Unauthorized(hosted ? 'token' : 'key')
    ctx.keyUses.add(holder.key.id, now)
    return toCaller(holder, hosted, origin)
  })
}

/** What a whole and live key opens. */
export async function findLiveHolder(ctx: AppContext, key: string): Promise<KeyHolder | undefined> {
  const holder = await findKeyHolder(ctx, key)
  return holder !== undefined && isLive(holder, ctx.clock.now()) ? holder : undefined
}

function findKeyHolder({ store }: AppContext, key: string): Soon<KeyHolder | undefined> {
  const digest = digests.get(key) ?? (isWholeKey(key) ? digestOnce(key) : undefined)
  return digest === undefined ? undefined : store.control.findKeyHolder(digest)
}

/** Digests of keys that came lately, so that a key's is made once and not for each call; never those of what is no whole key. */
const digests = new Map<string, string>()
const MAX_DIGESTS = 1_000

function digestOnce(key: string): string {
  const digest = digestOf(key)
  if (digests.size >= MAX_DIGESTS) digests.clear()
  digests.set(key, digest)
  return digest
}

/** Whether the key, its holder, its project and its account are all there to be used. */
export function isLive({ key, project, account, member }: KeyHolder, now: number): boolean {
  if (key.revokedAt !== null) return false
  if (key.expiresAt !== null && key.expiresAt <= now) return false
  if (key.memberId !== null && (member === null || member.removedAt !== null)) return false
  return account.suspendedAt === null && project.removedAt === null
}

/** Whether a token may be used: it has not ended, and neither has what its key opens. */
export function isOpen({ connection, ...holder }: ConnectionHolder, now: number): boolean {
  return connection.revokedAt === null && connection.expiresAt > now && isLive(holder, now)
}

async function findTokenHolder({ store, clock, config, connectionUses }: AppContext, token: string): Promise<KeyHolder | undefined> {
  const holder = await store.control.findConnectionHolder(digestOf(token))
  const now = clock.now()
  if (holder === undefined || !isOpen(holder, now) || !isMeantFor(config, holder.connection)) return undefined
  connectionUses.add(holder.connection.id, now)
  return holder
}

/** A token opens only the service it was issued for, also where two share the data of one. */
function isMeantFor({ publicUrl }: AppContext['config'], { resource }: Connection): boolean {
  return publicUrl === undefined || new URL('/mcp', publicUrl).href === resource
}
