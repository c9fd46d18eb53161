import { type By, note } from '../account/audit.ts'
import { digestOf } from '../account/key.ts'
import type { Means } from '../account/means.ts'
import { isOpen } from '../account/recognise.ts'
import { Refusal } from '../errors.ts'
import type { ControlWrites, Key } from '../store/control.ts'
import type { Connection, ConnectionHolder, ConnectionSelection, Grant, OAuthClient } from '../store/oauth.ts'
import { toHost } from './redirect-uri.ts'

/** How long a connection lasts, in milliseconds. */
export const LIFETIME = 30 * 24 * 60 * 60 * 1000

/** When a connection made now would end: after 30 days, or with its key. */
export function endOf({ expiresAt }: Pick<Key, 'expiresAt'>, now: number): number {
  return Math.min(now + LIFETIME, expiresAt ?? Number.POSITIVE_INFINITY)
}

type Making = { grant: Grant; client: OAuthClient; key: Key; token: string }

/** A connection, not yet kept. */
export function newConnection({ clock, random }: Pick<Means, 'clock' | 'random'>, { grant, client, key, token }: Making): Connection {
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
export async function listConnections(
  { store, clock }: Pick<Means, 'store' | 'clock'>,
  selection: ConnectionSelection,
): Promise<ConnectionHolder[]> {
  const holders = await store.control.listConnections(selection)
  return holders.filter((holder) => isOpen(holder, clock.now()))
}

/** The connection of this id, ended or not. Throws a Refusal otherwise. */
export async function requireConnection({ store }: Pick<Means, 'store'>, id: string): Promise<ConnectionHolder> {
  const [found] = await store.control.listConnections({ id })
  if (found === undefined) throw new Refusal(`no connection '${id}'`)
  return found
}

/** Ends a connection. Its token is dead at the next call. */
export async function revokeConnection(means: Pick<Means, 'store' | 'clock'>, holder: ConnectionHolder, by: By): Promise<void> {
  await means.store.control.write((tx) => end(means, tx, holder, by))
}

/** Ends the connection of a code that comes twice, if there is one: the code was stolen, before or after (RFC 6749, 4.1.2). */
export async function endByCode(means: Pick<Means, 'clock'>, tx: ControlWrites, codeDigest: string, origin: string): Promise<void> {
  const holder = await tx.findConnectionHolderByCode(codeDigest)
  if (holder !== undefined) await end(means, tx, holder, { actor: 'unknown', origin }, { reason: 'code used twice' })
}

async function end(
  means: Pick<Means, 'clock'>,
  tx: ControlWrites,
  holder: ConnectionHolder,
  by: By,
  why?: { reason: string },
): Promise<void> {
  const { connection } = holder
  if (connection.revokedAt !== null) return
  await tx.updateConnection(connection.id, { revokedAt: means.clock.now() })
  await noteConnection(means, tx, holder, by, { act: 'connection.revoke', ...why })
}

/** Adds a line about a connection to the audit log. */
export function noteConnection(
  means: Pick<Means, 'clock'>,
  tx: ControlWrites,
  { connection, project, key }: ConnectionHolder,
  by: By,
  { act, ...more }: { act: string; reason?: string },
): Promise<void> {
  const details = { application: connection.clientName, host: connection.clientHost, key: key.shown, ...more }
  return note(means, tx, by, { act, accountId: project.accountId, projectId: project.id, target: connection.id, details })
}
