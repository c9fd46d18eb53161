import { type Limits, limitsOf } from '../../account/limits/plan.ts'
import { subscriptionState } from '../../account/subscription/subscription.ts'
import type { Account } from '../../store/account.ts'
import { toIsoTime } from '../terminal/table.ts'

/** An account as commands print it in JSON. */
export type ListedAccount = ReturnType<typeof toListedAccount>

/** The subscription's state is that of `now`, in milliseconds since 1970. */
export function toListedAccount(account: Account, now: number) {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    subscription: subscriptionState(account, now),
    subscribed_at: toIsoTime(account.subscribedAt),
    subscribed_until: toIsoTime(account.subscribedUntil),
    suspended_at: toIsoTime(account.suspendedAt),
    limits: toSnakeCase(limitsOf(account)),
    overrides: toSnakeCase(account.limits),
    created_at: toIsoTime(account.createdAt),
  }
}

/** An account as a person reads it: one line a field. */
export function toLines({ limits, overrides, ...fields }: ListedAccount): string {
  const lines = [
    ...Object.entries(fields).map(([name, value]) => [name, value ?? '-']),
    ...Object.entries(limits).map(([name, number]) => [name, `${number}${name in overrides ? ' (own)' : ''}`]),
  ]
  return lines.map(([name, value]) => `${name?.padEnd(18)} ${value}`).join('\n')
}

function toSnakeCase(limits: Limits | Record<string, number>): Record<string, number> {
  const entries = Object.entries(limits).map(([name, number]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), number])
  return Object.fromEntries(entries)
}
