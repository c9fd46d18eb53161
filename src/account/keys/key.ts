import { DAY_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { isWholeKey, looksLikeKey, makeKey, shownOf } from '../../secrets/key.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { Key, KeyHolder, Member, Project } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads } from '../../store/control.ts'
import { type AuditEvent, recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireName } from '../organizations/names.ts'
import { requireVisibleProject } from '../organizations/project-access.ts'
import { isLive, mayReadHistories, requireMayHold, requireMayRevoke, requireMayRotate } from './visible-keys.ts'

type NewKey = {
  project: Project
  /** By default the holder's name, or `service key`. */
  label?: string | undefined
  /** Who holds it; undefined for a service key. */
  member?: Member | undefined
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined
  toolNames?: 'dotted' | 'underscored' | undefined
  /** As `Key` has it; true by default. */
  readsHistories?: boolean
}

/** A key as it is stored, and the key itself, which is shown once. */
export type IssuedKey = { secret: string; key: Key }

/** Maximum number of live keys of one member in a project, to keep pages of keys fast. */
const MAX_LIVE_KEYS = 200

/**
 * Makes a key without storing it.
 *
 * @throws Refusal for a holder of another account, a bad label and an expiry that has passed.
 */
export function newKey(
  { clock, random }: AppContext,
  { project, label, member, expiresAt, toolNames = 'dotted', readsHistories = true }: NewKey,
): IssuedKey {
  const now = clock.now()
  if (member !== undefined && member.accountId !== project.accountId)
    throw new Refusal(`'${member.email}' is no member of the project's account`, 'holder')
  if (expiresAt !== undefined && expiresAt <= now)
    throw new Refusal('the expiry of a key must be in the future', 'expires')
  const secret = makeKey(random)
  const key: Key = {
    id: random.uuid(now),
    digest: sha256Hex(secret),
    shown: shownOf(secret),
    label: requireName('the label', label ?? member?.name ?? 'service key', 'label'),
    projectId: project.id,
    memberId: member?.id ?? null,
    toolNames,
    readsHistories,
    createdAt: now,
    expiresAt: expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
  }
  return { secret, key }
}

/**
 * Issues a key for a project.
 *
 * @throws Refusal for an actor who does not see the project or may not issue to this holder, as `newKey`, and if the
 * holder has 200 live keys of the project.
 */
export async function issueKey(ctx: AppContext, actor: Actor, input: NewKey): Promise<IssuedKey> {
  const { project } = input
  requireMayHold(actor, project.accountId, input.member?.id)
  if (actor.kind === 'member') await requireVisibleProject(ctx, actor, project.id)
  const issued = newKey(ctx, { ...input, readsHistories: mayReadHistories(actor, input.member?.id) })
  const { memberId, label } = issued.key
  await ctx.store.control.write(async (tx) => {
    await requireKeyRoom(tx, issued.key, ctx.clock.now())
    await tx.insert('keys', issued.key)
    await recordEvent(ctx, tx, actor, toKeyEvent('key.issue', project, issued.key, { label, member: memberId }))
  })
  return issued
}

/**
 * Throws a Refusal if the holder of a new key has as many live keys of its project as a member may. `now` in
 * milliseconds since 1970.
 */
async function requireKeyRoom(tx: ControlReads, { memberId, projectId }: Key, now: number): Promise<void> {
  const live =
    memberId === null ? 0 : await tx.count('keys', { memberId, projectId, revokedAt: null, expiresAt: { after: now } })
  if (live >= MAX_LIVE_KEYS)
    throw new Refusal(`a member holds at most ${MAX_LIVE_KEYS} keys of a project; revoke some first`)
}

/** An audit event about a key. */
function toKeyEvent(act: string, project: Project, key: Key, details: AuditEntry['details']): AuditEvent {
  return { act, accountId: project.accountId, projectId: project.id, target: key.id, details }
}

/** Maximum time for which an old key and its replacement are both valid. */
const MAX_OVERLAP_MS = 90 * DAY_MS

type Rotation = { key: Key; overlapMs: number }

/**
 * Issues a key like the given one, with the same lifetime, and lets the old one expire after `overlapMs`; with 0 it is
 * revoked at once.
 *
 * @throws Refusal for an actor who may not see the new key, an overlap beyond 90 days, a key that is no longer live,
 *   and, with an overlap, if the holder has 200 live keys of the project.
 */
export async function rotateKey(
  ctx: AppContext,
  actor: Actor,
  { key: { id, shown }, overlapMs }: Rotation,
): Promise<IssuedKey & { member: Member | null }> {
  if (overlapMs < 0 || overlapMs > MAX_OVERLAP_MS)
    throw new Refusal(`the overlap must be at most ${MAX_OVERLAP_MS / DAY_MS} days`)
  const now = ctx.clock.now()
  return ctx.store.control.write(async (tx) => {
    const holder = await requireHolder(tx, id)
    const { key, project, member } = holder
    requireMayRotate(actor, project, key)
    if (!isLive(holder, now)) throw new Refusal(`key '${shown}' is no longer valid; issue a new one`)
    const expiresAt = key.expiresAt === null ? undefined : now + key.expiresAt - key.createdAt
    const { label, toolNames } = key
    const readsHistories = key.readsHistories && mayReadHistories(actor, member?.id)
    const issued = newKey(ctx, { project, label, member: member ?? undefined, toolNames, expiresAt, readsHistories })
    if (overlapMs > 0) await requireKeyRoom(tx, issued.key, now)
    await tx.insert('keys', issued.key)
    await tx.update(
      'keys',
      { id },
      overlapMs === 0 ? { revokedAt: now } : { expiresAt: Math.min(key.expiresAt ?? Infinity, now + overlapMs) },
    )
    const details = { to: issued.key.id, overlap_seconds: Math.round(overlapMs / 1000) }
    await recordEvent(ctx, tx, actor, toKeyEvent('key.rotate', project, key, details))
    return { ...issued, member }
  })
}

/**
 * The key with this id, with these characters as lists show them, or the key itself.
 *
 * @throws Refusal if there is none or there are several. Its message does not repeat any part of a secret that was
 *   given.
 */
export async function requireKey({ store }: AppContext, ref: string): Promise<Key> {
  if (looksLikeKey(ref)) return requireWholeKey(store.control, ref)
  const found = [
    ...(await store.control.list('keys', { id: ref })),
    ...(await store.control.list('keys', { shown: ref })),
  ]
  const [only] = found
  if (only === undefined) throw new Refusal(`no key '${ref}'`)
  if (found.length > 1) throw new Refusal(`several keys are shown as '${ref}'; give the key's id`)
  return only
}

async function requireWholeKey(control: ControlReads, secret: string): Promise<Key> {
  if (!isWholeKey(secret))
    throw new Refusal('this key is cut short or mistyped; give its id, or the characters that lists show')
  const holder = await control.findKeyHolder({ digest: sha256Hex(secret) })
  if (holder === undefined) throw new Refusal('there is no such key')
  return holder.key
}

/**
 * Revokes a key. It is dead at the next call, and so are the OAuth connections made with it.
 *
 * @throws Refusal for an actor who may not.
 */
export async function revokeKey(ctx: AppContext, actor: Actor, { id }: Key): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const { project, key } = await requireHolder(tx, id)
    requireMayRevoke(actor, project, key)
    await tx.update('keys', { id }, { revokedAt: key.revokedAt ?? ctx.clock.now() })
    await recordEvent(ctx, tx, actor, toKeyEvent('key.revoke', project, key, { label: key.label }))
  })
}

/** The key as it is in the store now, with what it opens. */
async function requireHolder(tx: ControlReads, id: string): Promise<KeyHolder> {
  const holder = await tx.findKeyHolder({ id })
  if (holder === undefined) throw new Refusal(`no key '${id}'`)
  return holder
}
