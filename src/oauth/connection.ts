import { recordEvent } from '../account/audit/audit.ts'
import { type Actor, type MemberActor, mayManage, requireManager } from '../account/auth/actor.ts'
import { isOpen } from '../account/auth/authenticate.ts'
import type { AppContext } from '../account/context.ts'
import { DAY_MS } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { sha256Hex } from '../secrets/secret.ts'
import type { Key } from '../store/account.ts'
import type { ControlWrites } from '../store/control.ts'
import type { Connection, ConnectionHolder, ConnectionSelection, Grant, OAuthClient } from '../store/oauth.ts'
import { toHost } from './redirect-uri.ts'

/** How long a connection lasts, in milliseconds. */
const TOKEN_LIFETIME_MS = 30 * DAY_MS

/** When a connection made now ends, in milliseconds since 1970: after 30 days, or with its key. */
export function endOf({ expiresAt }: Pick<Key, 'expiresAt'>, now: number): number {
  return Math.min(now + TOKEN_LIFETIME_MS, expiresAt ?? Number.POSITIVE_INFINITY)
}

type NewConnection = { grant: Grant; client: OAuthClient; key: Key; token: string }

/** Makes a connection without storing it. */
export function newConnection({ clock, random }: AppContext, { grant, client, key, token }: NewConnection): Connection {
  const now = clock.now()
  return {
    id: random.uuid(now),
    tokenDigest: sha256Hex(token),
    codeDigest: grant.digest,
    clientId: client.id,
    clientName: client.name,
    clientHost: toHost(grant.redirectUri),
    keyId: key.id,
    resource: grant.resource,
    createdAt: now,
    expiresAt: endOf(key, now),
    revokedAt: null,
    lastUsedAt: null,
  }
}

/** Connections read at a time: about 2 ms. */
const SLICE_ROWS = 200

/** Live connections, newest first: all, or about the first `most`. */
export async function listConnections(
  { store, clock }: AppContext,
  selection: ConnectionSelection,
  most = Number.POSITIVE_INFINITY,
): Promise<ConnectionHolder[]> {
  const open: ConnectionHolder[] = []
  let after: Connection | undefined
  do {
    const slice = await store.control.listConnections(selection, { after, limit: SLICE_ROWS })
    open.push(...slice.filter((holder) => isOpen(holder, clock.now())))
    after = slice.length < SLICE_ROWS ? undefined : slice.at(-1)?.connection
  } while (after !== undefined && open.length < most)
  return open
}

/**
 * Live connections that a member sees, newest first. In a project: all for owners and admins, for others those made
 * with their own keys. Without a project: those of the whole account, only for those who manage it. All, or about the
 * first `most`.
 *
 * @throws Refusal for others.
 */
export async function listVisibleConnections(
  ctx: AppContext,
  actor: MemberActor,
  { projectId, most }: { projectId: string | undefined; most: number },
): Promise<ConnectionHolder[]> {
  return listConnections(ctx, toVisible(actor, projectId), most)
}

function toVisible(actor: MemberActor, projectId: string | undefined): ConnectionSelection {
  const { member, account } = actor
  if (projectId === undefined) requireManager(actor, account.id)
  return { accountId: account.id, projectId, memberId: mayManage(member) ? undefined : member.id }
}

/**
 * The connection of this id, for a member who sees it.
 *
 * @throws Refusal, the same for one of somebody else, of another project, one that has ended, and none.
 */
export async function requireVisibleConnection(
  ctx: AppContext,
  actor: MemberActor,
  id: string,
  projectId: string | undefined,
): Promise<ConnectionHolder> {
  const [found] = await ctx.store.control.listConnections({ ...toVisible(actor, projectId), id })
  if (found === undefined || !isOpen(found, ctx.clock.now())) throw new Refusal('there is no such connection')
  return found
}

/**
 * Maximum number of connections of a key that are not revoked: whoever has the key can make them, and lists show them.
 */
const MAX_CONNECTIONS = 100

/** Whether one more connection may be made with a key. Erases revoked ones if that is needed. */
export async function hasRoom(tx: ControlWrites, keyId: string): Promise<boolean> {
  if ((await tx.count('connections', { keyId })) < MAX_CONNECTIONS) return true
  await tx.delete('connections', { keyId, revokedAt: { before: Number.MAX_SAFE_INTEGER } })
  return (await tx.count('connections', { keyId })) < MAX_CONNECTIONS
}

/**
 * The connection of this id, ended or not.
 *
 * @throws Refusal if there is none.
 */
export async function requireConnection({ store }: AppContext, id: string): Promise<ConnectionHolder> {
  const [found] = await store.control.listConnections({ id })
  if (found === undefined) throw new Refusal(`no connection '${id}'`)
  return found
}

/**
 * Ends a connection. Its token is invalid from the next call on.
 *
 * @throws Refusal for an actor other than the operator, owners and admins of the account, the holder of the key that
 *   the connection was made with, and the application that has the token.
 */
export async function revokeConnection(ctx: AppContext, actor: Actor, holder: ConnectionHolder): Promise<void> {
  if (!isHolder(actor, holder)) requireManager(actor, holder.account.id)
  await ctx.store.control.write((tx) => end(ctx, tx, actor, holder))
}

function isHolder(actor: Actor, { key, member }: ConnectionHolder): boolean {
  if (actor.kind === 'application') return actor.keyId === key.id
  return actor.kind === 'member' && actor.member.id === member?.id
}

/**
 * Ends the connection of a code that is used a second time, because one of the two uses was by a thief (RFC 6749,
 * 4.1.2).
 */
export async function endByCode(
  ctx: AppContext,
  tx: ControlWrites,
  codeDigest: string,
  clientIp: string,
): Promise<void> {
  const [holder] = await tx.listConnections({ codeDigest })
  if (holder !== undefined) await end(ctx, tx, { kind: 'anonymous', clientIp }, holder, { reason: 'code used twice' })
}

async function end(
  ctx: AppContext,
  tx: ControlWrites,
  actor: Actor,
  holder: ConnectionHolder,
  why?: { reason: string },
): Promise<void> {
  const { connection } = holder
  if (connection.revokedAt !== null) return
  await tx.update('connections', { id: connection.id }, { revokedAt: ctx.clock.now() })
  await recordConnectionEvent(ctx, tx, actor, holder, { act: 'connection.revoke', ...why })
}

/** Records an event about a connection, inside a write. */
export function recordConnectionEvent(
  ctx: AppContext,
  tx: ControlWrites,
  actor: Actor,
  { connection, project, key }: ConnectionHolder,
  { act, ...more }: { act: string; reason?: string },
): Promise<void> {
  const details = { application: connection.clientName, host: connection.clientHost, key: key.shown, ...more }
  return recordEvent(ctx, tx, actor, {
    act,
    accountId: project.accountId,
    projectId: project.id,
    target: connection.id,
    details,
  })
}
