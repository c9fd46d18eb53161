import { Refusal } from '../errors.ts'
import type { Account } from '../store/control.ts'
import type { Means } from './means.ts'
import { requireName } from './name.ts'
import { requirePlan } from './plan.ts'

type Making = Pick<Means, 'clock' | 'random'>

/** An account with an active subscription that has no end, not yet kept. Throws a Refusal for a bad name or an unknown plan. */
export function newAccount({ clock, random }: Making, name: string, plan: string): Account {
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
export async function addAccount(means: Making & Pick<Means, 'store'>, name: string, plan: string): Promise<Account> {
  const account = newAccount(means, name, plan)
  await means.store.control.write(async (tx) => {
    if ((await tx.findAccount(account.name)) !== undefined) throw new Refusal(`there is already an account '${account.name}'`)
    await tx.insertAccount(account)
  })
  return account
}

/** The account of this name or id; without one, the only account there is. Throws a Refusal otherwise. */
export async function requireAccount({ store }: Pick<Means, 'store'>, ref: string | undefined): Promise<Account> {
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
export async function renameAccount({ store }: Pick<Means, 'store'>, account: Account, to: string): Promise<Account> {
  const name = requireName('the account name', to)
  await store.control.write(async (tx) => {
    const other = await tx.findAccount(name)
    if (other !== undefined && other.id !== account.id) throw new Refusal(`there is already an account '${name}'`)
    await tx.updateAccount(account.id, { name })
  })
  return { ...account, name }
}
