import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { changeAccount } from '../organizations/account.ts'
import type { Limits } from './plan.ts'

/** A number as it was typed, or `plan`, which takes an override back. */
export type Overrides = { [name in keyof Limits]?: string | undefined }

/** Sets the operator's own numbers for an account in place of its plan's, or takes them back. Throws a Refusal that names the number. */
export function overrideLimits(ctx: AppContext, account: Account, overrides: Overrides, by: Actor): Promise<Account> {
  const wishes = Object.entries(overrides).flatMap(([name, text]) => (text === undefined ? [] : [[name, readWish(name, text)] as const]))
  const change = ({ limits }: Account) => ({ limits: merge(limits, wishes) })
  return changeAccount(ctx, account, change, by, { act: 'account.limits', details: Object.fromEntries(wishes) })
}

function merge(limits: Account['limits'], wishes: (readonly [string, number | 'plan'])[]): Account['limits'] {
  const all = new Map<string, number | 'plan'>([...Object.entries(limits), ...wishes])
  return Object.fromEntries([...all].filter((entry): entry is [string, number] => entry[1] !== 'plan'))
}

function readWish(name: string, text: string): number | 'plan' {
  if (text === 'plan') return text
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value
  const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new Refusal(`--${option} must be a whole number from 1 on, or 'plan', not '${text}'`)
}
