import { Refusal } from '../../errors.ts'
import { digestOf, makeKey, shownOf } from '../../secrets/key.ts'
import type { Member, Project } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads } from '../../store/control.ts'
import type { Key, KeyHolder } from '../../store/key.ts'
import { type AuditEvent, recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireName } from '../organizations/name.ts'

type Wish = {
  label?: string | undefined
  /** Undefined for a service key. */
  member?: Member | undefined
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined
  toolNames?: 'dotted' | 'underscored' | undefined
}

/** A key as it is kept, and the key itself, which is shown once. */
export type IssuedKey = { secret: string; key: Key }

/** A key, not yet kept. Throws a Refusal for a holder of another account or an expiry that has passed. */
export function newKey({ clock, random }: AppContext, project: Project, { label, member, expiresAt, toolNames }: Wish): IssuedKey {
  const now = clock.now()
  if (member !== undefined && member.accountId !== project.accountId)
    throw new Refusal(`'${member.email}' is no member of the project's account`)
  if (expiresAt !== undefined && expiresAt <= now) throw new Refusal('the expiry of a key must be in the future')
  const secret = makeKey(random)
  const key: Key = {
    id: random.uuid(now),
    digest: digestOf(secret),
    shown: shownOf(secret),
    label: requireName('the label', label ?? member?.name ?? 'service key'),
    projectId: project.id,
    memberId: member?.id ?? null,
    toolNames: toolNames ?? 'dotted',
    createdAt: now,
    expiresAt: expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
  }
  return { secret, key }
}

/** Keys of one project that one member holds and that open it: more would only make every page of keys slower. */
const MAX_LIVE_KEYS = 200

/** Issues a key for a project. Throws a Refusal where its holder has as many live ones of it as one may have. */
export async function issueKey(ctx: AppContext, project: Project, wish: Wish, by: Actor): Promise<IssuedKey> {
  const issued = newKey(ctx, project, wish)
  const { memberId } = issued.key
  await ctx.store.control.write(async (tx) => {
    const live = memberId === null ? 0 : await tx.countLiveKeys(memberId, project.id, ctx.clock.now())
    if (live >= MAX_LIVE_KEYS) throw new Refusal(`a member holds at most ${MAX_LIVE_KEYS} keys of a project; revoke some first`)
    await tx.insertKey(issued.key)
    await recordEvent(ctx, tx, by, toKeyDeed('key.issue', project, issued.key, { label: issued.key.label, member: issued.key.memberId }))
  })
  return issued
}

/** The key of this id, or of the characters that lists show. Throws a Refusal when there is none, or several. */
export async function requireKey({ store }: AppContext, ref: string): Promise<Key> {
  const found = await store.control.findKeys(ref)
  const [only] = found
  if (only === undefined) throw new Refusal(`no key '${ref}'`)
  if (found.length > 1) throw new Refusal(`several keys are shown as '${ref}'; give the key's id`)
  return only
}

/** Revokes a key. It is dead at the next call, and with it the connections made by it. */
export async function revokeKey(ctx: AppContext, key: Key, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const { project, key: current } = await requireHolder(tx, key)
    await tx.updateKey(key.id, { revokedAt: current.revokedAt ?? ctx.clock.now() })
    await recordEvent(ctx, tx, by, toKeyDeed('key.revoke', project, key, { label: key.label }))
  })
}

/** The key as it now stands, with its project. */
export async function requireHolder(tx: ControlReads, { id, digest }: Key): Promise<KeyHolder> {
  const holder = await tx.findKeyHolder(digest)
  if (holder === undefined) throw new Refusal(`no key '${id}'`)
  return holder
}

/** A line of the audit log about a key. */
export function toKeyDeed(act: string, project: Project, key: Key, details: AuditEntry['details']): AuditEvent {
  return { act, accountId: project.accountId, projectId: project.id, target: key.id, details }
}
