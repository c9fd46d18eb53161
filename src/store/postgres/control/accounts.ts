import { and, asc, count, eq, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { AccountReads, AccountWrites } from '../../account.ts'
import { eraseAccountRows } from '../../account-erasure.ts'
import { isAmong } from '../among.ts'
import type { Run } from '../run.ts'
import { access, accounts, departments, keys, members, projects } from '../schema/control.ts'

export function createAccountReads(run: Run): AccountReads {
  const membersOf = (ref: string, accountId: string | undefined, limit: number) =>
    run(({ db }) =>
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
        .limit(limit),
    )
  const noRemoval = sql<null>`null`
  const authorsWhere = (isMember: SQL | undefined, isKey: SQL | undefined) =>
    run(async ({ db }) => [
      ...(await db.select({ id: members.id, name: members.name, removedAt: members.removedAt }).from(members).where(isMember)),
      ...(await db
        .select({ id: keys.id, name: keys.label, removedAt: noRemoval })
        .from(keys)
        .innerJoin(projects, eq(projects.id, keys.projectId))
        .where(isKey)),
    ])
  const findAuthors = (ids: string[]) => authorsWhere(isAmong(members.id, ids), isAmong(keys.id, ids))
  return {
    listAccounts: () => run(({ db }) => db.select().from(accounts).orderBy(asc(accounts.createdAt), asc(accounts.id))),
    findAccount: (ref) =>
      run(
        async ({ db }) =>
          (
            await db
              .select()
              .from(accounts)
              .where(or(eq(accounts.id, ref), eq(accounts.name, ref)))
              .limit(1)
          )[0],
      ),
    listDepartments: (accountId) =>
      run(({ db }) => db.select().from(departments).where(eq(departments.accountId, accountId)).orderBy(asc(departments.name))),
    listMembers: (accountId) =>
      run(({ db }) => db.select().from(members).where(eq(members.accountId, accountId)).orderBy(asc(members.createdAt), asc(members.id))),
    countMembers: (accountId) =>
      run(async ({ db }) => (await db.select({ n: count() }).from(members).where(eq(members.accountId, accountId)))[0]?.n ?? 0),
    findMember: async (ref, accountId) => (await membersOf(ref, accountId, 1))[0],
    findMembers: (ref, limit) => membersOf(ref, undefined, limit),
    listProjects: (accountId) =>
      run(({ db }) =>
        db.select().from(projects).where(eq(projects.accountId, accountId)).orderBy(asc(projects.createdAt), asc(projects.id)),
      ),
    findProjects: (ref) =>
      run(({ db }) =>
        db
          .select(getTableColumns(projects))
          .from(projects)
          .innerJoin(accounts, eq(accounts.id, projects.accountId))
          .where(and(or(eq(projects.id, ref), eq(projects.name, ref)), isNull(projects.removedAt), isNull(accounts.removedAt))),
      ),
    listAccess: (memberId) =>
      run(async ({ db }) => (await db.select().from(access).where(eq(access.memberId, memberId))).map(({ projectId }) => projectId)),
    findAuthor: async (id) => (await findAuthors([id]))[0],
    findAuthors,
    findAuthorsNamed: (accountId, name) =>
      authorsWhere(
        and(eq(members.accountId, accountId), isNamed(members.name, name)),
        and(eq(projects.accountId, accountId), isNamed(keys.label, name)),
      ),
  }
}

/** ASCII letters in any case: the collation of the columns has no others. */
const isNamed = (column: PgColumn, name: string) => sql`lower(${column}) = lower(${sql.param(name, column)}::text collate "C")`

/** `changed` is called by each change that the control version counts. */
export function createAccountWrites(run: Run, changed: () => void): AccountWrites {
  return {
    insertAccount: (account) => run(async ({ db }) => void (await db.insert(accounts).values(account))),
    updateAccount: (id, change) =>
      run(async ({ db }) => {
        await db.update(accounts).set(change).where(eq(accounts.id, id))
        changed()
      }),
    eraseAccount: (id, limit) =>
      run(async ({ db }) => {
        const erased = await eraseAccountRows(
          { run: (statement) => db.execute(statement), row: 'ctid', emailChanges: 'email_changes' },
          id,
          limit,
        )
        changed()
        return erased
      }),
    insertDepartment: (department) => run(async ({ db }) => void (await db.insert(departments).values(department))),
    updateDepartment: (id, change) => run(async ({ db }) => void (await db.update(departments).set(change).where(eq(departments.id, id)))),
    deleteDepartment: (id) => run(async ({ db }) => void (await db.delete(departments).where(eq(departments.id, id)))),
    insertMember: (member) => run(async ({ db }) => void (await db.insert(members).values(member))),
    updateMember: (id, change) =>
      run(async ({ db }) => {
        await db.update(members).set(change).where(eq(members.id, id))
        changed()
      }),
    insertProject: (project) => run(async ({ db }) => void (await db.insert(projects).values(project))),
    updateProject: (id, change) =>
      run(async ({ db }) => {
        await db.update(projects).set(change).where(eq(projects.id, id))
        changed()
      }),
    allowAccess: (projectId, memberId) =>
      run(async ({ db }) => void (await db.insert(access).values({ memberId, projectId }).onConflictDoNothing())),
    endAccess: (projectId, memberId) =>
      run(async ({ db }) => void (await db.delete(access).where(and(eq(access.memberId, memberId), eq(access.projectId, projectId))))),
  }
}
