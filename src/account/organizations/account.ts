import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import { type AuditEvent, recordEvent } from '../audit/audit.ts'
import { type Actor, requireOperator, requireOperatorOrFirstOwner, requireOwner } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requirePlan } from '../limits/plan.ts'
import { requireName } from './names.ts'

/**
 * Makes an account with an active subscription that does not end, without storing it.
 *
 * @throws Refusal for a bad name or an unknown plan.
 */
export function newAccount({ clock, random }: AppContext, { name, plan }: { name: string; plan: string }): Account {
  const now = clock.now()
  return {
    id: random.uuid(now),
    name: requireName('the account name', name),
    plan: requirePlan(plan),
    limits: {},
    credentialPolicy: 'reject',
    markedPolicy: 'caution',
    subscribedAt: now,
    subscribedUntil: null,
    suspendedAt: null,
    removedAt: null,
    createdAt: now,
  }
}

/**
 * Makes an account.
 *
 * @throws Refusal for everybody but the operator, for a bad name or one in use, and for an unknown plan.
 */
export async function addAccount(
  ctx: AppContext,
  actor: Actor,
  input: { name: string; plan: string },
): Promise<Account> {
  requireOperator(actor)
  const account = newAccount(ctx, input)
  const { id, name, plan } = account
  await ctx.store.control.write(async (tx) => {
    requireFreeName(await findAccount(tx, name), name)
    await tx.insert('accounts', account)
    await recordEvent(ctx, tx, actor, { act: 'account.add', accountId: id, target: id, details: { name, plan } })
  })
  return account
}

/** The account with this id or name, which may be removed. */
export async function findAccount({ find }: Pick<ControlReads, 'find'>, ref: string): Promise<Account | undefined> {
  return (await find('accounts', { id: ref })) ?? find('accounts', { name: ref })
}

/** Throws a Refusal for a name that another account has, which may be removed. */
function requireFreeName(other: Account | undefined, name: string): void {
  if (other === undefined) return
  const state = other.removedAt === null ? '' : ', which is removed and can be restored'
  throw new Refusal(`there is already an account '${name}'${state}`, 'name')
}

/**
 * The account of this name or id; without one, the only account there is. `how` says how one is named where there are
 * several.
 *
 * @throws Refusal if there is none, if it is removed, or if there are several and none is named.
 */
export async function requireAccount(ctx: AppContext, ref: string | undefined, how?: string): Promise<Account> {
  const account = await requireAccountOrRemoved(ctx, ref, how)
  if (account.removedAt === null) return account
  throw new Refusal(`account '${account.name}' is removed: 'memsvc account restore' brings it back`)
}

/** The same, also for an account that is removed, if it is named. */
export async function requireAccountOrRemoved(
  { store }: AppContext,
  ref: string | undefined,
  how = 'with --account',
): Promise<Account> {
  if (ref !== undefined) return known(await findAccount(store.control, ref), ref)
  const accounts = await store.control.list('accounts', { removedAt: null })
  const [only] = accounts
  if (only === undefined) throw new Refusal("there is no account yet: 'memsvc account add' makes one")
  if (accounts.length > 1)
    throw new Refusal(`there are ${accounts.length} accounts; name one ${how}: ${toShownNames(accounts)}`)
  return only
}

/** Names of accounts that a refusal shows; there may be thousands. */
const MAX_SHOWN_NAMES = 10

function toShownNames(accounts: Account[]): string {
  const names = accounts.slice(0, MAX_SHOWN_NAMES).map(({ name }) => `'${name}'`)
  return [...names, ...(accounts.length > MAX_SHOWN_NAMES ? ['…'] : [])].join(', ')
}

function known(account: Account | undefined, ref: string): Account {
  if (account === undefined) throw new Refusal(`no account '${ref}'`)
  return account
}

/**
 * Renames an account.
 *
 * @throws Refusal for everybody but the operator and its owners, for a bad name and for one in use.
 */
export async function renameAccount(
  ctx: AppContext,
  actor: Actor,
  { account, name: to }: { account: Account; name: string },
): Promise<Account> {
  requireOwner(actor, account.id)
  const name = requireName('the account name', to)
  const change = async ({ id }: Account, tx: ControlReads) => {
    const other = await findAccount(tx, name)
    requireFreeName(other?.id === id ? undefined : other, name)
    return { name }
  }
  return applyChange(ctx, actor, account, change, { act: 'account.rename', details: { from: account.name, to: name } })
}

/**
 * Suspends an account: all its credentials are refused from the next request on. Its data stays.
 *
 * @throws Refusal for everybody but the operator and owners of the first account; for these also if it is their own,
 *   since nobody could undo it in the console.
 */
export async function suspendAccount(ctx: AppContext, actor: Actor, account: Account): Promise<Account> {
  if (actor.kind === 'member' && actor.account.id === account.id)
    throw new Refusal("your own account is suspended by 'memsvc account suspend' alone: you would be locked out here")
  const change = ({ suspendedAt }: Account) => ({ suspendedAt: suspendedAt ?? ctx.clock.now() })
  return changeAccount(ctx, actor, account, change, { act: 'account.suspend' })
}

/**
 * Ends the suspension of an account.
 *
 * @throws Refusal for everybody but the operator and owners of the first account.
 */
export function resumeAccount(ctx: AppContext, actor: Actor, account: Account): Promise<Account> {
  const change = ({ removedAt }: Account) => {
    if (removedAt !== null) throw new Refusal(`account '${account.name}' is removed; restore it`)
    return { suspendedAt: null }
  }
  return changeAccount(ctx, actor, account, change, { act: 'account.resume' })
}

/** The actor in an account's log for what an owner of another account did there as the operator. */
const OPERATOR_IN_CONSOLE: Actor = { kind: 'operator', via: 'console' }

type Changed = Partial<Omit<Account, 'id'>>
type Change = (current: Account, tx: ControlReads) => Changed | Promise<Changed>
type Event = Pick<AuditEvent, 'act' | 'details'>

/**
 * Changes an account as it is in the store, and records the event, in one transaction. `change` may run again and may
 * throw. Which member did it in the console, and from where, is only in the log of their own account.
 *
 * @throws Refusal for everybody but the operator and owners of the first account.
 */
export async function changeAccount(
  ctx: AppContext,
  actor: Actor,
  account: Account,
  change: Change,
  event: Event,
): Promise<Account> {
  await requireOperatorOrFirstOwner(ctx.store.control, actor)
  return applyChange(ctx, actor, account, change, event)
}

/** The same for a caller that has checked the rights of the actor. */
export function applyChange(
  ctx: AppContext,
  actor: Actor,
  { id }: Account,
  change: Change,
  event: Event,
): Promise<Account> {
  const isOfAnother = actor.kind === 'member' && actor.account.id !== id
  return ctx.store.control.write(async (tx) => {
    const current = known(await tx.find('accounts', { id }), id)
    const changed = await change(current, tx)
    await tx.update('accounts', { id }, changed)
    await recordEvent(ctx, tx, isOfAnother ? OPERATOR_IN_CONSOLE : actor, { ...event, accountId: id, target: id })
    if (isOfAnother) await recordEvent(ctx, tx, actor, { ...event, accountId: actor.account.id, target: id })
    return { ...current, ...changed }
  })
}
