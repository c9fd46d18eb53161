import { Refusal } from '../errors.ts'
import type { Account } from '../store/control.ts'
import { changeAccount } from './account.ts'
import type { By } from './audit.ts'
import type { Means } from './means.ts'
import { requirePlan } from './plan.ts'

type Changing = Pick<Means, 'store' | 'clock'>

/** Subscribes an account to a plan until a time, or without an end. Throws a Refusal for an unknown plan or a time that has passed. */
export async function subscribe(means: Changing, account: Account, wish: { plan: string; until: number | null }, by: By): Promise<Account> {
  const now = means.clock.now()
  const plan = requirePlan(wish.plan)
  if (wish.until !== null && wish.until <= now) throw new Refusal('the end of a subscription must be in the future')
  const change = ({ subscribedAt }: Account) => ({ plan, subscribedAt: subscribedAt ?? now, subscribedUntil: wish.until })
  return changeAccount(means, account, change, by, { act: 'subscription.set', details: { plan, until: toText(wish.until) } })
}

/** Ends a subscription at a time; one that has passed counts the grace period from then. Throws a Refusal where there is none. */
export function endSubscription(means: Changing, account: Account, at: number, by: By): Promise<Account> {
  const change = ({ name, subscribedAt }: Account) => {
    if (subscribedAt === null) throw new Refusal(`account '${name}' has no subscription to end`)
    return { subscribedUntil: at }
  }
  return changeAccount(means, account, change, by, { act: 'subscription.end', details: { at: toText(at) } })
}

/** Leaves an account as if it had never subscribed. */
export function dropSubscription(means: Changing, account: Account, by: By): Promise<Account> {
  return changeAccount(means, account, () => ({ subscribedAt: null, subscribedUntil: null }), by, { act: 'subscription.none' })
}

const toText = (time: number | null) => (time === null ? null : new Date(time).toISOString())
