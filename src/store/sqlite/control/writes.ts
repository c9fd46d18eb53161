import type { Database } from 'bun:sqlite'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ControlReads, ControlWrites } from '../../control.ts'
import { accounts, departments, keys, members, projects } from '../schema/control.ts'
import { createAuditWrites } from './audit.ts'

/** The control file's changes; only inside a write. */
export function createControlWrites(client: Database): Omit<ControlWrites, keyof ControlReads> {
  const db = drizzle({ client, casing: 'snake_case' })
  return {
    ...createAuditWrites(db),
    insertAccount: async (account) => void db.insert(accounts).values(account).run(),
    updateAccount: async (id, change) => void db.update(accounts).set(change).where(eq(accounts.id, id)).run(),
    insertDepartment: async (department) => void db.insert(departments).values(department).run(),
    updateDepartment: async (id, change) => void db.update(departments).set(change).where(eq(departments.id, id)).run(),
    deleteDepartment: async (id) => void db.delete(departments).where(eq(departments.id, id)).run(),
    insertMember: async (member) => void db.insert(members).values(member).run(),
    updateMember: async (id, change) => void db.update(members).set(change).where(eq(members.id, id)).run(),
    insertProject: async (project) => void db.insert(projects).values(project).run(),
    updateProject: async (id, change) => void db.update(projects).set(change).where(eq(projects.id, id)).run(),
    insertKey: async (key) => void db.insert(keys).values(key).run(),
    updateKey: async (id, change) => void db.update(keys).set(change).where(eq(keys.id, id)).run(),
  }
}
