import { recordEvent } from '../account/audit/audit.ts'
import type { Actor } from '../account/auth/actor.ts'
import { isOpen } from '../account/auth/authenticate.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import { digestOf } from '../secrets/key.ts'
import type { ControlWrites } from '../store/control.ts'
import type { Key } from '../store/key.ts'
import type { Connection, ConnectionHolder, ConnectionSelection, Grant, OAuthClient } from '../store/oauth.ts'
import { toHost } from './redirect-uri.ts'

/** How long a connection lasts, in milliseconds. */
export const TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** When a connection made now would end: after 30 days, or with its key. */
export function endOf({ expiresAt }: Pick<Key, 'expiresAt'>, now: number): number {
  return Math.min(now + TOKEN_LIFETIME_MS, expiresAt ?? Number.POSITIVE_INFINITY)
}

type Making = { grant: Grant; client: OAuthClient; key: Key; token: string }

/** A connection, not yet kept. */
export function newConnection({ clock, random }: AppContext, { grant, client, key, token }: Making): Connection {
  const now = clock.now()
  return {
    id: random.uuid(now),
    tokenDigest: digestOf(token),
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

/** Connections that can be used now, newest first. */
export async function listConnections({ store, clock }: AppContext, selection: ConnectionSelection): Promise<ConnectionHolder[]> {
  const holders = await store.control.listConnections(selection)
  return holders.filter((holder) => isOpen(holder, clock.now()))
}

/** The connection of this id, ended or not. Throws a Refusal otherwise. */
export async function requireConnection({ store }: AppContext, id: string): Promise<ConnectionHolder> {
  const [found] = await store.control.listConnections({ id })
  if (found === undefined) throw new Refusal(`no connection '${id}'`)
  return found
}

/** Ends a connection. Its token is dead at the next call. */
export async function revokeConnection(ctx: AppContext, holder: ConnectionHolder, by: Actor): Promise<void> {
  await ctx.store.control.write((tx) => end(ctx, tx, holder, by))
}

/** Ends the connection of a code that comes twice, if there is one: the code was stolen, before or after (RFC 6749, 4.1.2). */
export async function endByCode(ctx: AppContext, tx: ControlWrites, codeDigest: string, origin: string): Promise<void> {
  const holder = await tx.findConnectionHolderByCode(codeDigest)
  if (holder !== undefined) await end(ctx, tx, holder, { kind: 'anonymous', clientIp: origin }, { reason: 'code used twice' })
}

async function end(ctx: AppContext, tx: ControlWrites, holder: ConnectionHolder, by: Actor, why?: { reason: string }): Promise<void> {
  const { connection } = holder
  if (connection.revokedAt !== null) return
  await tx.updateConnection(connection.id, { revokedAt: ctx.clock.now() })
  await noteConnection(ctx, tx, holder, by, { act: 'connection.revoke', ...why })
}

/** Adds a line about a connection to the audit log. */
export function noteConnection(
  ctx: AppContext,
  tx: ControlWrites,
  { connection, project, key }: ConnectionHolder,
  by: Actor,
  { act, ...more }: { act: string; reason?: string },
): Promise<void> {
  const details = { application: connection.clientName, host: connection.clientHost, key: key.shown, ...more }
  return recordEvent(ctx, tx, by, { act, accountId: project.accountId, projectId: project.id, target: connection.id, details })
}
