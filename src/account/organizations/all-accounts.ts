import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import { type Actor, requireOperatorOrFirstOwner } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'

/** An account with the numbers of its people and projects, without removed ones. */
export type CountedAccount = { account: Account; members: number; projects: number }

/**
 * All accounts of the service, oldest first.
 *
 * @throws Refusal for everybody but the operator and owners of the first account.
 */
export async function listAllAccounts({ store }: AppContext, actor: Actor): Promise<Account[]> {
  await requireOperatorOrFirstOwner(store.control, actor)
  return store.control.list('accounts', {})
}

/** Accounts with the numbers of their people and projects. */
export async function countAccounts(
  { store: { control } }: AppContext,
  accounts: Account[],
): Promise<CountedAccount[]> {
  const counted: CountedAccount[] = []
  for (const account of accounts) {
    const present = { accountId: account.id, removedAt: null }
    counted.push({
      account,
      members: await control.count('members', present),
      projects: await control.count('projects', present),
    })
  }
  return counted
}

/**
 * The account of this id, whosever it is.
 *
 * @throws Refusal for everybody but the operator and owners of the first account, and if there is none.
 */
export async function requireAnyAccount(ctx: AppContext, actor: Actor, id: string): Promise<Account> {
  const found = (await listAllAccounts(ctx, actor)).find((account) => account.id === id)
  if (found === undefined) throw new Refusal('there is no such account')
  return found
}
