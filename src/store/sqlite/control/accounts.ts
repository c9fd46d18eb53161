import { and, asc, count, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { AccountReads, AccountWrites } from '../../account.ts'
import { eraseAccountRows } from '../../account-erasure.ts'
import { isAmong } from '../among.ts'
import { access, accounts, departments, keys, members, projects } from '../schema/control.ts'

export function createAccountReads(db: BunSQLiteDatabase): AccountReads {
  const membersOf = (ref: string, accountId?: string) =>
    db
      .select(getTableColumns(members))
      .from(members)
      .innerJoin(accounts, eq(accounts.id, members.accountId))
      .where(
        and(
          or(eq(members.id, ref), eq(members.email, ref.toLowerCase())),
          accountId === undefined ? isNull(accounts.removedAt) : eq(members.accountId, accountId),
          isNull(members.removedAt),
        ),
      )
      .orderBy(asc(members.createdAt), asc(members.id))
  const findAuthors = async (ids: string[]) => [
    ...db.select({ id: members.id, name: members.name, removedAt: members.removedAt }).from(members).where(isAmong(members.id, ids)).all(),
    ...db.select({ id: keys.id, name: keys.label, removedAt: sql<null>`null` }).from(keys).where(isAmong(keys.id, ids)).all(),
  ]
  return {
    listAccounts: async () => db.select().from(accounts).orderBy(asc(accounts.createdAt)).all(),
    findAccount: async (ref) =>
      db
        .select()
        .from(accounts)
        .where(or(eq(accounts.id, ref), eq(accounts.name, ref)))
        .get(),
    listDepartments: async (accountId) =>
      db.select().from(departments).where(eq(departments.accountId, accountId)).orderBy(asc(departments.name)).all(),
    listMembers: async (accountId) =>
      db.select().from(members).where(eq(members.accountId, accountId)).orderBy(asc(members.createdAt)).all(),
    countMembers: async (accountId) =>
      db.select({ members: count() }).from(members).where(eq(members.accountId, accountId)).get()?.members ?? 0,
    findMember: async (ref, accountId) => membersOf(ref, accountId).get(),
    findMembers: async (ref, limit) => membersOf(ref).limit(limit).all(),
    listProjects: async (accountId) =>
      db.select().from(projects).where(eq(projects.accountId, accountId)).orderBy(asc(projects.createdAt)).all(),
    findProjects: async (ref) =>
      db
        .select(getTableColumns(projects))
        .from(projects)
        .innerJoin(accounts, eq(accounts.id, projects.accountId))
        .where(and(or(eq(projects.id, ref), eq(projects.name, ref)), isNull(projects.removedAt), isNull(accounts.removedAt)))
        .all(),
    listAccess: async (memberId) =>
      db
        .select()
        .from(access)
        .where(eq(access.memberId, memberId))
        .all()
        .map(({ projectId }) => projectId),
    findAuthor: async (id) => (await findAuthors([id]))[0],
    findAuthors,
    findAuthorsNamed: async (accountId, name) => [
      ...db
        .select({ id: members.id, name: members.name, removedAt: members.removedAt })
        .from(members)
        .where(and(eq(members.accountId, accountId), isNamed(members.name, name)))
        .all(),
      ...db
        .select({ id: keys.id, name: keys.label, removedAt: sql<null>`null` })
        .from(keys)
        .innerJoin(projects, eq(projects.id, keys.projectId))
        .where(and(eq(projects.accountId, accountId), isNamed(keys.label, name)))
        .all(),
    ],
  }
}

const isNamed = (column: SQLiteColumn, name: string) => sql`${column} = ${name} collate nocase`

/** `changed` is called for each change that the control version counts. */
export function createAccountWrites(db: BunSQLiteDatabase, changed: () => void): AccountWrites {
  return {
    insertAccount: async (account) => void db.insert(accounts).values(account).run(),
    updateAccount: async (id, change) => {
      db.update(accounts).set(change).where(eq(accounts.id, id)).run()
      changed()
    },
    eraseAccount: async (id, limit) => {
      const erased = await eraseAccountRows(
        { run: async (statement) => db.all(statement), row: 'rowid', emailChanges: 'address_wishes' },
        id,
        limit,
      )
      changed()
      return erased
    },
    insertDepartment: async (department) => void db.insert(departments).values(department).run(),
    updateDepartment: async (id, change) => void db.update(departments).set(change).where(eq(departments.id, id)).run(),
    deleteDepartment: async (id) => void db.delete(departments).where(eq(departments.id, id)).run(),
    insertMember: async (member) => void db.insert(members).values(member).run(),
    updateMember: async (id, change) => {
      db.update(members).set(change).where(eq(members.id, id)).run()
      changed()
    },
    insertProject: async (project) => void db.insert(projects).values(project).run(),
    updateProject: async (id, change) => {
      db.update(projects).set(change).where(eq(projects.id, id)).run()
      changed()
    },
    allowAccess: async (projectId, memberId) => void db.insert(access).values({ memberId, projectId }).onConflictDoNothing().run(),
    endAccess: async (projectId, memberId) =>
      void db
        .delete(access)
        .where(and(eq(access.memberId, memberId), eq(access.projectId, projectId)))
        .run(),
  }
}
