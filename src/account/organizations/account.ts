import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import { type AuditEvent, recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requirePlan } from '../limits/plan.ts'
import { requireName } from './name.ts'

/** An account with an active subscription that has no end, not yet kept. Throws a Refusal for a bad name or an unknown plan. */
export function newAccount({ clock, random }: AppContext, name: string, plan: string): Account {
  const now = clock.now()
  return {
    id: random.uuid(now),
    name: requireName('the account name', name),
    plan: requirePlan(plan),
    limits: {},
    subscribedAt: now,
    subscribedUntil: null,
    suspendedAt: null,
    createdAt: now,
  }
}

/** Makes an account. Throws a Refusal for a name in use or an unknown plan. */
export async function addAccount(ctx: AppContext, name: string, plan: string, by: Actor): Promise<Account> {
  const account = newAccount(ctx, name, plan)
  await ctx.store.control.write(async (tx) => {
    if ((await tx.findAccount(account.name)) !== undefined) throw new Refusal(`there is already an account '${account.name}'`)
    await tx.insertAccount(account)
    await recordEvent(ctx, tx, by, { act: 'account.add', accountId: account.id, target: account.id, details: { name: account.name, plan } })
  })
  return account
}

/** The account of this name or id; without one, the only account there is. Throws a Refusal otherwise. */
export async function requireAccount({ store }: AppContext, ref: string | undefined): Promise<Account> {
  if (ref !== undefined) return known(await store.control.findAccount(ref), ref)
  const accounts = await store.control.listAccounts()
  const [only] = accounts
  if (only === undefined || accounts.length > 1) throw new Refusal(`there are ${accounts.length} accounts; name one`)
  return only
}

function known(account: Account | undefined, ref: string): Account {
  if (account === undefined) throw new Refusal(`no account '${ref}'`)
  return account
}

/** Renames an account. Throws a Refusal for a name in use. */
export async function renameAccount(ctx: AppContext, account: Account, to: string, by: Actor): Promise<Account> {
  const name = requireName('the account name', to)
  await ctx.store.control.write(async (tx) => {
    const other = await tx.findAccount(name)
    if (other !== undefined && other.id !== account.id) throw new Refusal(`there is already an account '${name}'`)
    await tx.updateAccount(account.id, { name })
    const details = { from: account.name, to: name }
    await recordEvent(ctx, tx, by, { act: 'account.rename', accountId: account.id, target: account.id, details })
  })
  return { ...account, name }
}

/** Suspends an account: every credential of it is refused from the next call on. Nothing of its data changes. */
export function suspendAccount(ctx: AppContext, account: Account, by: Actor): Promise<Account> {
  const change = ({ suspendedAt }: Account) => ({ suspendedAt: suspendedAt ?? ctx.clock.now() })
  return changeAccount(ctx, account, change, by, { act: 'account.suspend' })
}

/** Takes a suspension back. */
export function resumeAccount(ctx: AppContext, account: Account, by: Actor): Promise<Account> {
  return changeAccount(ctx, account, () => ({ suspendedAt: null }), by, { act: 'account.resume' })
}

/** Changes an account as it now stands, and notes who did it, in one step. `change` may refuse. */
export function changeAccount(
  ctx: AppContext,
  { id }: Account,
  change: (current: Account) => Partial<Omit<Account, 'id'>>,
  by: Actor,
  deed: Pick<AuditEvent, 'act' | 'details'>,
): Promise<Account> {
  return ctx.store.control.write(async (tx) => {
    const current = known(await tx.findAccount(id), id)
    const changed = change(current)
    await tx.updateAccount(id, changed)
    await recordEvent(ctx, tx, by, { ...deed, accountId: id, target: id })
    return { ...current, ...changed }
  })
}
