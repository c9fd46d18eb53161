import { DAY_MS, toIsoTime, toIsoTimeOrNull } from '../../clock.ts'
import { Notice, Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import { toChanges } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { Caller } from '../auth/caller.ts'
import type { AppContext } from '../context.ts'
import { requirePlan } from '../limits/plan.ts'
import { changeAccount } from '../organizations/account.ts'

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

/** `until` in milliseconds since 1970; null for a subscription without end. */
type Subscription = { account: Account; plan: string; until: number | null }

/**
 * Subscribes an account to a plan.
 *
 * @throws Refusal for everybody but the operator and owners of the first account, for an unknown plan and for an end
 *   that has passed.
 */
export async function subscribe(
  ctx: AppContext,
  actor: Actor,
  { account, plan: name, until }: Subscription,
): Promise<Account> {
  const now = ctx.clock.now()
  const plan = requirePlan(name)
  if (until !== null && until <= now) throw new Refusal('the end of a subscription must be in the future', 'until')
  const change = ({ subscribedAt }: Account) => ({ plan, subscribedAt: subscribedAt ?? now, subscribedUntil: until })
  const toShown = (plan: string, end: number | null) => ({ plan, until: toIsoTimeOrNull(end) ?? 'no end' })
  const changes = toChanges(toShown(account.plan, account.subscribedUntil), toShown(plan, until))
  const details = { from: account.plan, plan, until: toIsoTimeOrNull(until), changes }
  return changeAccount(ctx, actor, account, change, { act: 'subscription.set', details })
}

/**
 * Ends a subscription at a time, in milliseconds since 1970. The time may be in the past; the grace period then began
 * there.
 *
 * @throws Refusal for everybody but the operator and owners of the first account, and if there is no subscription.
 */
export function endSubscription(
  ctx: AppContext,
  actor: Actor,
  { account, at }: { account: Account; at: number },
): Promise<Account> {
  const change = ({ name, subscribedAt }: Account) => {
    if (subscribedAt === null) throw new Refusal(`account '${name}' has no subscription to end`)
    return { subscribedUntil: at }
  }
  return changeAccount(ctx, actor, account, change, { act: 'subscription.end', details: { at: toIsoTime(at) } })
}

/**
 * Puts an account into the state of never having subscribed.
 *
 * @throws Refusal for everybody but the operator and owners of the first account.
 */
export function dropSubscription(ctx: AppContext, actor: Actor, account: Account): Promise<Account> {
  return changeAccount(ctx, actor, account, () => ({ subscribedAt: null, subscribedUntil: null }), {
    act: 'subscription.none',
  })
}
