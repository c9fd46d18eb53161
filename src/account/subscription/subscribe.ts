import { toIsoTime, toIsoTimeOrNull } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import { toChanges } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requirePlan } from '../limits/plan.ts'
import { changeAccount } from '../organizations/account.ts'

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
