import { DAY_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { makeRandomSecret, sha256Hex } from '../../secrets/secret.ts'
import type { Member } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads, ControlWrites } from '../../store/control.ts'
import type { Session, SessionHolder } from '../../store/sign-in.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import type { MemberActor } from './actor.ts'

/** How long a session lasts, in milliseconds. */
export const SESSION_LIFETIME_MS = 14 * DAY_MS
/** Maximum number of sessions of a member; beyond it the oldest one ends. */
const MAX_SESSIONS = 50

/**
 * Begins a session inside a write, on a device as `Session` names it. Returns its token; only a digest of it is stored.
 */
export async function openSession(
  ctx: AppContext,
  tx: ControlWrites,
  actor: MemberActor,
  device: string | null,
): Promise<string> {
  const memberId = actor.member.id
  const now = ctx.clock.now()
  const token = makeRandomSecret(ctx.random)
  const session = {
    id: ctx.random.uuid(now),
    digest: sha256Hex(token),
    memberId,
    clientIp: actor.clientIp,
    device,
    createdAt: now,
  }
  await tx.insert('sessions', { ...session, expiresAt: now + SESSION_LIFETIME_MS })
  const surplus = await tx.list('sessions', { memberId }, { newestFirst: true, offset: MAX_SESSIONS })
  await tx.delete('sessions', { id: surplus.map(({ id }) => id) })
  await recordEvent(ctx, tx, actor, toEvent('session.begin', actor.member, device === null ? {} : { device }))
  return token
}

/**
 * The holder of the session of a cookie's token; undefined if the session has ended, the member is removed or the
 * account is suspended.
 */
export async function authenticateVisitor(
  { store, clock }: AppContext,
  token: string,
): Promise<SessionHolder | undefined> {
  const holder = await store.control.findSessionHolder(sha256Hex(token))
  return holder !== undefined && isOpen(holder, clock.now()) ? holder : undefined
}

function isOpen({ session, member, account }: SessionHolder, now: number): boolean {
  return session.expiresAt > now && member.removedAt === null && account.suspendedAt === null
}

/** The member's sessions that have not ended, newest first. */
export async function listOpenSessions({ store, clock }: AppContext, { id }: Member): Promise<Session[]> {
  const open = { memberId: id, expiresAt: { after: clock.now() } }
  return store.control.list('sessions', open, { newestFirst: true })
}

/**
 * Ends the session of this id.
 *
 * @throws Refusal, the same for a session of somebody else and none.
 */
export async function closeSession(ctx: AppContext, actor: MemberActor, id: string): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const session = await tx.find('sessions', { id, memberId: actor.member.id })
    if (session === undefined) throw new Refusal('this session has ended already')
    await tx.delete('sessions', { id })
    await recordEnd(ctx, tx, actor, toPlace(session))
  })
}

/** Where a session was begun, for the audit log. */
function toPlace({ clientIp, device }: Session) {
  return { ...(clientIp !== null && { from: clientIp }), ...(device !== null && { device }) }
}

/** Ends every session of the actor, and forgets the browsers they signed in with. */
export async function closeSessions(ctx: AppContext, actor: MemberActor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    await tx.delete('sessions', { memberId: actor.member.id })
    await tx.delete('browsers', { memberId: actor.member.id })
    await recordEnd(ctx, tx, actor, { all: true })
  })
}

function recordEnd(
  ctx: AppContext,
  tx: ControlWrites,
  actor: MemberActor,
  details: AuditEntry['details'],
): Promise<void> {
  return recordEvent(ctx, tx, actor, toEvent('session.end', actor.member, details))
}

/** How long a browser stays known after a member's last sign-in with it: as long as a browser keeps a cookie. */
export const BROWSER_LIFETIME_MS = 400 * DAY_MS
/** Maximum number of known browsers of a member; the least recently used ones are forgotten. */
const MAX_BROWSERS = 10
/** Maximum number of members known in one browser. */
const MAX_TOKENS = 4

/** A browser that a member signed in with before. */
type KnownBrowser = { token: string; digest: string; memberId: string; accountId: string }

/**
 * Finds the token of a browser that belongs to a member with this e-mail address. The token does not authenticate:
 * attempts from a known browser only have a separate rate limit, so that an attacker who exhausts the others cannot
 * lock the member out.
 */
export async function findKnownBrowser(
  reads: ControlReads,
  tokens: string[],
  email: string,
): Promise<KnownBrowser | undefined> {
  for (const token of tokens.slice(0, MAX_TOKENS)) {
    const digest = sha256Hex(token)
    const browser = await reads.find('browsers', { digest })
    const [member] = browser === undefined ? [] : await reads.findMembers(browser.memberId, 1)
    if (member?.email === email) return { token, digest, memberId: member.id, accountId: member.accountId }
  }
  return undefined
}

/** Records a browser that a member has signed in with. Returns the tokens for its cookie, the member's first. */
export async function rememberBrowser(
  { store, clock, random }: AppContext,
  { id, email }: Member,
  tokens: string[],
): Promise<string[]> {
  const known = await findKnownBrowser(store.control, tokens, email)
  const token = known?.memberId === id ? known.token : makeRandomSecret(random)
  const browser = { digest: sha256Hex(token), memberId: id, usedAt: clock.now() }
  await store.control.write(async (tx) => {
    await tx.save('browsers', browser, ['memberId'])
    const surplus = await tx.list('browsers', { memberId: id }, { newestFirst: true, offset: MAX_BROWSERS })
    await tx.delete('browsers', { digest: surplus.map(({ digest }) => digest) })
  })
  return [token, ...tokens.filter((other) => other !== token)].slice(0, MAX_TOKENS)
}
