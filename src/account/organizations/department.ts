import { Refusal } from '../../errors.ts'
import type { Account, Department } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads } from '../../store/control.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireName } from './name.ts'

/** Makes a department in an account. Throws a Refusal for a name in use there. */
export async function addDepartment(ctx: AppContext, account: Account, name: string, by: Actor): Promise<Department> {
  const now = ctx.clock.now()
  const department = { id: ctx.random.uuid(now), accountId: account.id, name: requireName('the department name', name), createdAt: now }
  await ctx.store.control.write(async (tx) => {
    await refuseTakenName(tx, department)
    await tx.insertDepartment(department)
    await recordEvent(ctx, tx, by, toDeed('department.add', department, { name: department.name }))
  })
  return department
}

/** The account's department of this name or id. Throws a Refusal otherwise. */
export async function requireDepartment({ store }: AppContext, account: Account, ref: string): Promise<Department> {
  const departments = await store.control.listDepartments(account.id)
  const found = departments.find(({ id, name }) => id === ref || name === ref)
  if (found === undefined) throw new Refusal(`no department '${ref}' in account '${account.name}'`)
  return found
}

/** The same where one is named at all. */
export async function findDepartment(ctx: AppContext, account: Account, ref: string | undefined): Promise<Department | undefined> {
  return ref === undefined ? undefined : requireDepartment(ctx, account, ref)
}

/** Removes a department that has no members. Records saved for it stay, seen by nobody. */
export async function removeDepartment(ctx: AppContext, department: Department, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const members = await tx.listMembers(department.accountId)
    const has = members.some(({ departmentId, removedAt }) => departmentId === department.id && removedAt === null)
    if (has) throw new Refusal(`department '${department.name}' still has members`)
    await tx.deleteDepartment(department.id)
    await recordEvent(ctx, tx, by, toDeed('department.remove', department, { name: department.name }))
  })
}

/** Renames a department; its members and their records stay. Throws a Refusal for a name in use in the account. */
export async function renameDepartment(ctx: AppContext, department: Department, to: string, by: Actor): Promise<Department> {
  const renamed = { ...department, name: requireName('the department name', to) }
  await ctx.store.control.write(async (tx) => {
    await refuseTakenName(tx, renamed)
    await tx.updateDepartment(renamed.id, { name: renamed.name })
    await recordEvent(ctx, tx, by, toDeed('department.rename', renamed, { from: department.name, to: renamed.name }))
  })
  return renamed
}

async function refuseTakenName(tx: ControlReads, { id, accountId, name }: Department): Promise<void> {
  const others = await tx.listDepartments(accountId)
  if (others.some((other) => other.id !== id && other.name === name)) throw new Refusal(`there is already a department '${name}'`)
}

const toDeed = (act: string, { id, accountId }: Department, details: AuditEntry['details']) => ({ act, accountId, target: id, details })
