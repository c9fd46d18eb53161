import { Refusal } from '../errors.ts'
import type { Account } from '../store/control.ts'
import { type By, type Deed, note } from './audit.ts'
import type { Means } from './means.ts'
import { requireName } from './name.ts'
import { requirePlan } from './plan.ts'

type Making = Pick<Means, 'clock' | 'random'>
type Changing = Pick<Means, 'store' | 'clock'>

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
export async function addAccount(means: Making & Pick<Means, 'store'>, name: string, plan: string, by: By): Promise<Account> {
  const account = newAccount(means, name, plan)
  await means.store.control.write(async (tx) => {
    if ((await tx.findAccount(account.name)) !== undefined) throw new Refusal(`there is already an account '${account.name}'`)
    await tx.insertAccount(account)
    await note(means, tx, by, { act: 'account.add', accountId: account.id, target: account.id, details: { name: account.name, plan } })
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
export async function renameAccount(means: Changing, account: Account, to: string, by: By): Promise<Account> {
  const name = requireName('the account name', to)
  await means.store.control.write(async (tx) => {
    const other = await tx.findAccount(name)
    if (other !== undefined && other.id !== account.id) throw new Refusal(`there is already an account '${name}'`)
    await tx.updateAccount(account.id, { name })
    const details = { from: account.name, to: name }
    await note(means, tx, by, { act: 'account.rename', accountId: account.id, target: account.id, details })
  })
  return { ...account, name }
}

/** Suspends an account: every credential of it is refused from the next call on. Nothing of its data changes. */
export function suspendAccount(means: Changing, account: Account, by: By): Promise<Account> {
  const change = ({ suspendedAt }: Account) => ({ suspendedAt: suspendedAt ?? means.clock.now() })
  return changeAccount(means, account, change, by, { act: 'account.suspend' })
}

/** Takes a suspension back. */
export function resumeAccount(means: Changing, account: Account, by: By): Promise<Account> {
  return changeAccount(means, account, () => ({ suspendedAt: null }), by, { act: 'account.resume' })
}

/** Changes an account as it now stands, and notes who did it, in one step. `change` may refuse. */
export function changeAccount(
  means: Changing,
  { id }: Account,
  change: (current: Account) => Partial<Omit<Account, 'id'>>,
  by: By,
  deed: Pick<Deed, 'act' | 'details'>,
): Promise<Account> {
  return means.store.control.write(async (tx) => {
    const current = known(await tx.findAccount(id), id)
    const changed = change(current)
    await tx.updateAccount(id, changed)
    await note(means, tx, by, { ...deed, accountId: id, target: id })
    return { ...current, ...changed }
  })
}
