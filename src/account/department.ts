import { Refusal } from '../errors.ts'
import type { Account, Department } from '../store/control.ts'
import type { Means } from './means.ts'
import { requireName } from './name.ts'

type Given = Pick<Means, 'store' | 'clock' | 'random'>

/** Makes a department in an account. Throws a Refusal for a name in use there. */
export async function addDepartment({ store, clock, random }: Given, account: Account, name: string): Promise<Department> {
  const now = clock.now()
  const department = { id: random.uuid(now), accountId: account.id, name: requireName('the department name', name), createdAt: now }
  await store.control.write(async (tx) => {
    const others = await tx.listDepartments(account.id)
    if (others.some((other) => other.name === department.name)) throw new Refusal(`there is already a department '${department.name}'`)
    await tx.insertDepartment(department)
  })
  return department
}

/** The account's department of this name or id. Throws a Refusal otherwise. */
export async function requireDepartment({ store }: Pick<Means, 'store'>, account: Account, ref: string): Promise<Department> {
  const departments = await store.control.listDepartments(account.id)
  const found = departments.find(({ id, name }) => id === ref || name === ref)
  if (found === undefined) throw new Refusal(`no department '${ref}' in account '${account.name}'`)
  return found
}

/** Removes a department that has no members. Records saved for it stay, seen by nobody until the operator moves them. */
export async function removeDepartment({ store }: Pick<Means, 'store'>, department: Department): Promise<void> {
  await store.control.write(async (tx) => {
    const members = await tx.listMembers(department.accountId)
    const has = members.some(({ departmentId, removedAt }) => departmentId === department.id && removedAt === null)
    if (has) throw new Refusal(`department '${department.name}' still has members`)
    await tx.deleteDepartment(department.id)
  })
}
