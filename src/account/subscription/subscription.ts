import { DAY_MS } from '../../clock.ts'
import { Notice } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import type { Caller } from '../auth/caller.ts'
import type { AppContext } from '../context.ts'

/** How a tool accesses the project, which determines the states of the subscription in which it works. */
export type ToolAccess = 'read' | 'write' | 'gateway'

export type SubscriptionState = 'none' | 'active' | 'grace' | 'suspended'

/** How long memory is read-only after the end of a subscription. */
export const GRACE_MS = 14 * DAY_MS

/** The state of an account's subscription at a time. It is computed from the dates, so that no job has to update it. */
export function subscriptionState(
  account: Pick<Account, 'subscribedAt' | 'subscribedUntil'>,
  now: number,
): SubscriptionState {
  if (account.subscribedAt === null) return 'none'
  if (account.subscribedUntil === null || now < account.subscribedUntil) return 'active'
  return now < account.subscribedUntil + GRACE_MS ? 'grace' : 'suspended'
}

const NONE = 'This account has no active subscription. Memory is unavailable until the owner subscribes to a plan.'
const READ_ONLY =
  "The account's subscription has expired. Memory is read-only during the grace period; the owner can renew the plan to save and delete again."
const SUSPENDED =
  'This account is suspended because its subscription expired. Stored data is kept; the owner can renew the plan to use it again.'

/** Why the account's subscription does not allow this access now; undefined if it does. */
export function findNotice(
  { clock }: AppContext,
  { account }: Pick<Caller, 'account'>,
  access: ToolAccess,
): Notice | undefined {
  const state = subscriptionState(account, clock.now())
  if (state === 'none') return new Notice(NONE)
  if (state === 'suspended') return new Notice(SUSPENDED)
  return state === 'grace' && access === 'write' ? new Notice(READ_ONLY) : undefined
}

/** Checks that the account's subscription allows this access now. @throws Notice that says why not. */
export function requireActiveSubscription(ctx: AppContext, caller: Pick<Caller, 'account'>, access: ToolAccess): void {
  const notice = findNotice(ctx, caller, access)
  if (notice !== undefined) throw notice
}
