import type { Department, Member } from '../../store/account.ts'
import type { Invitation } from '../../store/sign-in.ts'
import type { Actor } from '../auth/actor.ts'
import { requireManager } from '../auth/authorize.ts'
import type { AppContext } from '../context.ts'
import { type ListedEmailChange, listEmailChanges } from './profile.ts'

/** Who belongs to an account, and who is to. `members` are those not removed. */
type People = {
  members: Member[]
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
  return {
    members: (await control.list('members', { accountId })).filter(({ removedAt }) => removedAt === null),
    departments: await control.list('departments', { accountId }),
    invitations: await control.list('invitations', { accountId }),
    emailChanges: await listEmailChanges(ctx, actor, accountId),
  }
}
