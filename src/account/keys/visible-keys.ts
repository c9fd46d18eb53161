import { Refusal } from '../../errors.ts'
import type { Key, KeyHolder, Member, Project } from '../../store/account.ts'
import { type AccountMember, type Actor, type MemberActor, mayManage, requireManager } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'

export type KeyState = 'active' | 'expired' | 'revoked' | 'member removed'

/**
 * Whether a key may still be used, and if not, why. `holder` is the member who holds it; `now` in milliseconds since
 * 1970.
 */
export function keyState(
  { revokedAt, expiresAt, memberId }: Pick<Key, 'revokedAt' | 'expiresAt' | 'memberId'>,
  holder: Pick<Member, 'removedAt'> | null | undefined,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  return memberId !== null && holder?.removedAt !== null ? 'member removed' : 'active'
}

/** Whether a key opens its project: the key is active, the project is not removed and the account not suspended. */
export function isLive({ key, project, account, member }: KeyHolder, now: number): boolean {
  return keyState(key, member, now) === 'active' && account.suspendedAt === null && project.removedAt === null
}

const NO_SUCH_KEY = 'there is no such key'

type Part = { project: Project; offset: number; limit: number }

const ownerOf = (member: Member) => (mayManage(member) ? undefined : member.id)

/** How many keys of a project a member sees. */
export const countVisibleKeys = ({ store }: AppContext, { member }: AccountMember, { id }: Project): Promise<number> =>
  store.control.count('keys', { projectId: id, memberId: ownerOf(member) })

/**
 * Keys of a project that a member sees, live ones first, then newest first: all for owners and admins, their own for
 * others. At most `limit`, after the first `offset`.
 */
export async function listVisibleKeys(
  { store, clock }: AppContext,
  { member }: AccountMember,
  { project, offset, limit }: Part,
): Promise<Key[]> {
  return store.control.listKeyPage({
    projectId: project.id,
    memberId: ownerOf(member),
    now: clock.now(),
    offset,
    limit,
  })
}

/**
 * The key of this id, for a member who sees it.
 *
 * @throws Refusal, the same for somebody else's key, one of another project, and none.
 */
export async function requireVisibleKey(
  { store }: AppContext,
  actor: MemberActor,
  project: Project,
  id: string,
): Promise<Key> {
  const found = await store.control.find('keys', { id, projectId: project.id })
  if (found === undefined || !maySee(actor, project, found)) throw new Refusal(NO_SUCH_KEY)
  return found
}

/**
 * The holder that a form names for a new key: the member's own id, or empty text for a service key.
 *
 * @throws Refusal as `requireMayHold`.
 */
export function readHolder(actor: MemberActor, ref: string | null): Member | undefined {
  const id = ref ?? actor.member.id
  requireMayHold(actor, actor.account.id, id === '' ? undefined : id)
  return id === '' ? undefined : actor.member
}

/**
 * Requires an actor who may issue a key of this account to this holder: the operator to anybody, a member to
 * themselves, owners and admins also to nobody (a service key). Whoever has a key can read its holder's drafts, so
 * nobody may issue one to somebody else.
 *
 * @throws Refusal for everybody else.
 */
export function requireMayHold(actor: Actor, accountId: string, holderId: string | undefined): void {
  if (actor.kind === 'member' && actor.account.id === accountId && actor.member.id === holderId) return
  requireManager(actor, accountId)
  if (actor.kind !== 'member' || holderId === undefined) return
  throw new Refusal('a key for somebody else is issued by themselves; open the project to them under People', 'holder')
}

/**
 * Whether a key that an actor issues to a holder may read the holder's session histories. Not the key of a member whose
 * password somebody else may know: it would lead around the confirmation of the sign-in.
 */
export function mayReadHistories(actor: Actor, holderId: string | undefined): boolean {
  return actor.kind !== 'member' || actor.member.id !== holderId || actor.member.historyAccess !== 'withheld'
}

/**
 * Requires an actor who may revoke a key: the operator, owners and admins of its account, and its holder.
 *
 * @throws Refusal for everybody else.
 */
export function requireMayRevoke(actor: Actor, project: Project, key: Key): void {
  if (actor.kind !== 'member') requireManager(actor, project.accountId)
  else if (!maySee(actor, project, key)) throw new Refusal(NO_SUCH_KEY)
}

/**
 * Requires an actor who may rotate a key: those who may issue a key to its holder.
 *
 * @throws Refusal for everybody else.
 */
export function requireMayRotate(actor: Actor, project: Project, key: Key): void {
  requireMayRevoke(actor, project, key)
  if (actor.kind === 'member' && !mayRotate(actor, key)) throw new Refusal('a key is rotated by its holder')
}

/** Whether a member may see the key that replaces this one: their own, or a service key. */
export function mayRotate({ member }: AccountMember, { memberId }: Key): boolean {
  return memberId === member.id || (memberId === null && mayManage(member))
}

function maySee({ member, account }: AccountMember, { accountId }: Project, { memberId }: Key): boolean {
  return account.id === accountId && (mayManage(member) || memberId === member.id)
}

/**
 * Evidence that a new key works: when a program last used it (milliseconds since 1970), and whether a hosted assistant
 * is connected with it.
 */
export type Arrival = { usedAt: number | undefined; isConnected: boolean }

/** Reads whether a key has been used. A use that another process of the service saw is known within a minute. */
export async function readArrival({ store, keyUses }: AppContext, { id, lastUsedAt }: Key): Promise<Arrival> {
  return {
    usedAt: keyUses.find(id) ?? lastUsedAt ?? undefined,
    isConnected: (await store.control.count('connections', { keyId: id })) > 0,
  }
}
