import { Refusal } from '../../errors.ts'
import type { Account, Department } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import { type Actor, requireManager } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireName } from './names.ts'

/** Maximum number of departments of an account, which are read together. */
const MAX_DEPARTMENTS = 500

/**
 * Makes a department in an account.
 *
 * @throws Refusal for an actor who does not manage the account, for a bad name, for one in use there, and if there are
 *   500.
 */
export async function addDepartment(
  ctx: AppContext,
  actor: Actor,
  { account, name, id }: { account: Account; name: string; id?: string | undefined },
): Promise<Department> {
  requireManager(actor, account.id)
  const now = ctx.clock.now()
  const department = {
    id: id ?? ctx.random.uuid(now),
    accountId: account.id,
    name: requireName('the department name', name),
    createdAt: now,
  }
  await ctx.store.control.write(async (tx) => {
    await requireNameAndRoom(tx, department)
    await tx.insert('departments', department)
    await recordEvent(ctx, tx, actor, toEvent('department.add', department, { name: department.name }))
  })
  return department
}

/**
 * The account's department of this name or id, for those who manage the account.
 *
 * @throws Refusal for others, and if there is none.
 */
export async function requireDepartment(
  { store }: AppContext,
  actor: Actor,
  account: Account,
  ref: string,
): Promise<Department> {
  requireManager(actor, account.id)
  const departments = await store.control.list('departments', { accountId: account.id })
  const found = departments.find(({ id, name }) => id === ref || name === ref)
  if (found === undefined) throw new Refusal(`no department '${ref}' in account '${account.name}'`, 'department')
  return found
}

/** As `requireDepartment`, but undefined if no department is named. */
export async function findDepartment(
  ctx: AppContext,
  actor: Actor,
  account: Account,
  ref: string | undefined,
): Promise<Department | undefined> {
  return ref === undefined ? undefined : requireDepartment(ctx, actor, account, ref)
}

/**
 * Removes a department. Its records stay, but are visible to nobody.
 *
 * @throws Refusal for an actor who does not manage the account, and for a department that still has members.
 */
export async function removeDepartment(ctx: AppContext, actor: Actor, department: Department): Promise<void> {
  const { id, accountId, name } = department
  requireManager(actor, accountId)
  await ctx.store.control.write(async (tx) => {
    if ((await tx.count('members', { accountId, departmentId: id, removedAt: null })) > 0)
      throw new Refusal(`department '${name}' still has members`)
    await tx.delete('departments', { id })
    await recordEvent(ctx, tx, actor, toEvent('department.remove', department, { name }))
  })
}

/**
 * Renames a department; its members and their records stay.
 *
 * @throws Refusal for an actor who does not manage the account, for a bad name and for one in use in the account.
 */
export async function renameDepartment(
  ctx: AppContext,
  actor: Actor,
  { department, name }: { department: Department; name: string },
): Promise<Department> {
  requireManager(actor, department.accountId)
  const renamed = { ...department, name: requireName('the department name', name) }
  await ctx.store.control.write(async (tx) => {
    await requireNameAndRoom(tx, renamed)
    await tx.update('departments', { id: renamed.id }, { name: renamed.name })
    await recordEvent(
      ctx,
      tx,
      actor,
      toEvent('department.rename', renamed, { from: department.name, to: renamed.name }),
    )
  })
  return renamed
}

async function requireNameAndRoom(tx: ControlReads, { id, accountId, name }: Department): Promise<void> {
  const others = (await tx.list('departments', { accountId })).filter((other) => other.id !== id)
  if (others.some((other) => other.name === name)) throw new Refusal(`there is already a department '${name}'`, 'name')
  if (others.length >= MAX_DEPARTMENTS)
    throw new Refusal(`an account has at most ${MAX_DEPARTMENTS} departments; remove some first`)
}
