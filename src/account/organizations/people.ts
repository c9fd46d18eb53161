import type { Department, Key, Member } from '../../store/account.ts'
import type { Invitation } from '../../store/sign-in.ts'
import { type Actor, requireManager } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { keyState } from '../keys/visible-keys.ts'
import { type ListedEmailChange, listEmailChanges } from './profile.ts'

/**
 * A member with the projects that their live keys open and those opened to them otherwise, and when they last signed in
 * or a key or connection of theirs was last used; null if that never happened, or is longer ago than it is kept.
 */
export type Person = Member & { keys: Key[]; opened: string[]; lastSeenAt: number | null }

/** Who belongs to an account, who did, and who is to. */
export type People = {
  members: Person[]
  /** The last removed first. */
  former: Member[]
  departments: Department[]
  invitations: Invitation[]
  emailChanges: ListedEmailChange[]
}

/**
 * The people of an account, for those who manage it.
 *
 * @throws Refusal for others.
 */
export async function readPeople(ctx: AppContext, actor: Actor, accountId: string): Promise<People> {
  requireManager(actor, accountId)
  const { control } = ctx.store
  const all = await control.list('members', { accountId })
  return {
    members: await readPersons(
      ctx,
      all.filter(({ removedAt }) => removedAt === null),
    ),
    former: all.filter(({ removedAt }) => removedAt !== null).sort((a, b) => (b.removedAt ?? 0) - (a.removedAt ?? 0)),
    departments: await control.list('departments', { accountId }),
    invitations: await control.list('invitations', { accountId }),
    emailChanges: await listEmailChanges(ctx, actor, accountId),
  }
}

/** What pages about people show of these members. */
export async function readPersons(ctx: AppContext, members: Member[]): Promise<Person[]> {
  const { store, clock, keyUses, connectionUses } = ctx
  const memberId = members.map(({ id }) => id)
  const keys = await store.control.list('keys', { memberId })
  const holders = new Map(keys.map(({ id, memberId }) => [id, memberId]))
  const connections = await store.control.list('connections', { keyId: [...holders.keys()] })
  const sessions = await store.control.list('sessions', { memberId })
  const access = await store.control.list('access', { memberId })
  const seen = Map.groupBy(
    [
      ...keys.map(({ id, memberId, lastUsedAt }) => ({ memberId, at: keyUses.find(id) ?? lastUsedAt })),
      ...connections.map(({ id, keyId, lastUsedAt }) => ({
        memberId: holders.get(keyId),
        at: connectionUses.find(id) ?? lastUsedAt,
      })),
      ...sessions.map(({ memberId, createdAt }) => ({ memberId, at: createdAt })),
    ],
    ({ memberId }) => memberId,
  )
  const [keysOf, accessOf] = [Map.groupBy(keys, ofMember), Map.groupBy(access, ofMember)]
  return members.map((member) => ({
    ...member,
    keys: (keysOf.get(member.id) ?? []).filter((key) => keyState(key, member, clock.now()) === 'active'),
    opened: (accessOf.get(member.id) ?? []).map(({ projectId }) => projectId),
    lastSeenAt: Math.max(0, ...(seen.get(member.id) ?? []).map(({ at }) => at ?? 0)) || null,
  }))
}

const ofMember = ({ memberId }: { memberId: string | null }) => memberId
