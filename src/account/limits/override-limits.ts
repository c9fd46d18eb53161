import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import { toChanges } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { changeAccount } from '../organizations/account.ts'
import { type Limits, limitsOf } from './plan.ts'

/** For each limit to change, a number as text, or `plan` to remove the override. */
export type Overrides = { [name in keyof Limits]?: string | undefined }

/**
 * Sets limits of an account in place of its plan's, or removes such overrides.
 *
 * @throws Refusal for everybody but the operator and owners of the first account, and for a number that is none; the
 *   text names its option.
 */
export async function overrideLimits(
  ctx: AppContext,
  actor: Actor,
  { account, overrides }: { account: Account; overrides: Overrides },
): Promise<Account> {
  const changes = Object.entries(overrides).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, readLimit(name, text)] as const],
  )
  const change = ({ limits }: Account) => ({ limits: merge(limits, changes) })
  const now = limitsOf({ ...account, ...change(account) })
  const details = { ...Object.fromEntries(changes), changes: toChanges(limitsOf(account), now) }
  return changeAccount(ctx, actor, account, change, { act: 'account.limits', details })
}

function merge(limits: Account['limits'], changes: (readonly [string, number | 'plan'])[]): Account['limits'] {
  const all = new Map<string, number | 'plan'>([...Object.entries(limits), ...changes])
  return Object.fromEntries([...all].filter((entry): entry is [string, number] => entry[1] !== 'plan'))
}

function readLimit(name: string, text: string): number | 'plan' {
  if (text === 'plan') return text
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value
  const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new Refusal(`${option} must be a whole number from 1 on, or 'plan', not '${text}'`, name)
}
