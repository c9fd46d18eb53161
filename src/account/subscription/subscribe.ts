import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requirePlan } from '../limits/plan.ts'
import { changeAccount } from '../organizations/account.ts'

/** Subscribes an account to a plan until a time, or without an end. Throws a Refusal for an unknown plan or a time that has passed. */
export async function subscribe(
  ctx: AppContext,
  account: Account,
  wish: { plan: string; until: number | null },
  by: Actor,
): Promise<Account> {
  const now = ctx.clock.now()
  const plan = requirePlan(wish.plan)
  if (wish.until !== null && wish.until <= now) throw new Refusal('the end of a subscription must be in the future')
  const change = ({ subscribedAt }: Account) => ({ plan, subscribedAt: subscribedAt ?? now, subscribedUntil: wish.until })
  return changeAccount(ctx, account, change, by, { act: 'subscription.set', details: { plan, until: toText(wish.until) } })
}

/** Ends a subscription at a time; one that has passed counts the grace period from then. Throws a Refusal where there is none. */
export function endSubscription(ctx: AppContext, account: Account, at: number, by: Actor): Promise<Account> {
  const change = ({ name, subscribedAt }: Account) => {
    if (subscribedAt === null) throw new Refusal(`account '${name}' has no subscription to end`)
    return { subscribedUntil: at }
  }
  return changeAccount(ctx, account, change, by, { act: 'subscription.end', details: { at: toText(at) } })
}

/** Leaves an account as if it had never subscribed. */
export function dropSubscription(ctx: AppContext, account: Account, by: Actor): Promise<Account> {
  return changeAccount(ctx, account, () => ({ subscribedAt: null, subscribedUntil: null }), by, { act: 'subscription.none' })
}

const toText = (time: number | null) => (time === null ? null : new Date(time).toISOString())
