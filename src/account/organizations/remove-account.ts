import { DAY_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import { recordEvent } from '../audit/audit.ts'
import { type Actor, isFirstAccount, requireOperatorOrFirstOwner, requireOwner, SERVICE } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { applyChange } from './account.ts'

/** Rows erased in one write, so that others wait for about 10 ms at most. */
const BATCH_ROWS = 500

/**
 * Removes an account: all its keys, connections and people are refused from the next request on. It can be restored for
 * as long as forgotten records can; then everything of it is erased.
 *
 * @throws Refusal for everybody but the operator, owners of the first account and its own owners, for the first
 *   account, and if it is removed already.
 */
export async function removeAccount(ctx: AppContext, actor: Actor, account: Account): Promise<Account> {
  if (actor.kind === 'member' && actor.account.id === account.id) requireOwner(actor, account.id)
  else await requireOperatorOrFirstOwner(ctx.store.control, actor)
  if (await isFirstAccount(ctx.store.control, account))
    throw new Refusal('the first account cannot be removed: its owners are the operator in the console')
  const now = ctx.clock.now()
  const change = ({ suspendedAt, removedAt }: Account) => {
    if (removedAt !== null) throw new Refusal(`account '${account.name}' is removed already`)
    return { removedAt: now, suspendedAt: suspendedAt ?? now }
  }
  return applyChange(ctx, actor, account, change, { act: 'account.remove' })
}

/** When a removed account is erased, in milliseconds since 1970; undefined for one that is not removed. */
export const findErasureTime = ({ config }: Pick<AppContext, 'config'>, { removedAt }: Account): number | undefined =>
  removedAt === null ? undefined : removedAt + config.trashDays * DAY_MS

/**
 * Restores a removed account. If it was suspended before, it still is.
 *
 * @throws Refusal for everybody but the operator and owners of the first account, and if it is not removed, or may be
 *   in the midst of being erased.
 */
export async function restoreAccount(ctx: AppContext, actor: Actor, account: Account): Promise<Account> {
  await requireOperatorOrFirstOwner(ctx.store.control, actor)
  const change = (current: Account) => {
    const erasedAt = findErasureTime(ctx, current)
    if (erasedAt === undefined) throw new Refusal(`account '${account.name}' is not removed`)
    if (erasedAt <= ctx.clock.now())
      throw new Refusal(`account '${account.name}' was removed too long ago; it is being erased`)
    return { removedAt: null, suspendedAt: current.suspendedAt === current.removedAt ? null : current.suspendedAt }
  }
  return applyChange(ctx, actor, account, change, { act: 'account.restore' })
}

/**
 * Erases permanently what belongs to accounts that were removed before the retention period, seen from `now`: records
 * and session histories, people, keys, integrations, and lines of the audit log. Leaves one line, with the id of the
 * account. An account that fails is logged, and tried again the next time. Ends early once `isStopped` returns true.
 */
export async function purgeAccounts(ctx: AppContext, isStopped = () => false, now = ctx.clock.now()): Promise<void> {
  for (const account of await ctx.store.control.list('accounts', {})) {
    const erasedAt = findErasureTime(ctx, account)
    if (erasedAt === undefined || erasedAt > now || isStopped()) continue
    await purgeAccount(ctx, account, isStopped).catch((error) =>
      ctx.log('purge failed', { account: account.id, error: String(error) }),
    )
  }
  // Also where nothing was erased: a process that was killed may have erased an account.
  await ctx.store.control.scrub()
}

async function purgeAccount(ctx: AppContext, { id }: Account, isStopped: () => boolean): Promise<void> {
  const { control } = ctx.store
  for (const project of await control.list('projects', { accountId: id })) {
    if (isStopped()) return
    // First, so that a crash in between does not leave a project whose missing file counts as damage.
    if (project.removedAt === null)
      await control.write((tx) => tx.update('projects', { id: project.id }, { removedAt: ctx.clock.now() }))
    await ctx.store.eraseProject(project.id)
  }
  for (let isErased = false; !isErased; ) {
    if (isStopped()) return
    isErased = await control.write(async (tx) => {
      await tx.eraseAccount(id, BATCH_ROWS)
      // The account itself is the last row. Once it is gone, nobody would come back to record this.
      if ((await tx.find('accounts', { id })) !== undefined) return false
      await recordEvent(ctx, tx, SERVICE, { act: 'account.purge', target: id })
      return true
    })
  }
  ctx.log('an account was erased', { account: id })
}
