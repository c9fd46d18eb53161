import { Refusal } from '../../errors.ts'
import { makeKey, shownOf } from '../../secrets/key.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { Member, Project } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads } from '../../store/control.ts'
import type { Key } from '../../store/key.ts'
import { type AuditEvent, recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireName } from '../organizations/names.ts'
import { requireVisibleProject } from '../organizations/project-access.ts'
import { mayReadHistories, requireMayHold } from './visible-keys.ts'

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
export async function requireKeyRoom(tx: ControlReads, { memberId, projectId }: Key, now: number): Promise<void> {
  const live =
    memberId === null ? 0 : await tx.count('keys', { memberId, projectId, revokedAt: null, expiresAt: { after: now } })
  if (live >= MAX_LIVE_KEYS)
    throw new Refusal(`a member holds at most ${MAX_LIVE_KEYS} keys of a project; revoke some first`)
}

/** An audit event about a key. */
export function toKeyEvent(act: string, project: Project, key: Key, details: AuditEntry['details']): AuditEvent {
  return { act, accountId: project.accountId, projectId: project.id, target: key.id, details }
}
