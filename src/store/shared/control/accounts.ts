import { and, asc, eq, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AccountReads } from '../../account.ts'
import type { Engine } from '../engine.ts'

export function createAccountReads({
  db,
  tables: { accounts, members, projects, keys },
  isAmong,
}: Engine): AccountReads {
  async function listAuthors(isMember: SQL | undefined, isKey: SQL | undefined) {
    const people = await db
      .select({ id: members.id, name: members.name, removedAt: members.removedAt })
      .from(members)
      .where(isMember)
    const services = await db
      .select({ id: keys.id, name: keys.label, removedAt: sql<null>`null` })
      .from(keys)
      .innerJoin(projects, eq(projects.id, keys.projectId))
      .where(isKey)
    return [...people, ...services]
  }

  return {
    findMembers: async (ref, limit) =>
      db
        .select(getTableColumns(members))
        .from(members)
        .innerJoin(accounts, eq(accounts.id, members.accountId))
        .where(
          and(
            or(eq(members.id, ref), eq(members.email, ref.toLowerCase())),
            isNull(accounts.removedAt),
            isNull(members.removedAt),
          ),
        )
        .orderBy(asc(members.createdAt), asc(members.id))
        .limit(limit),
    findProjects: async (ref) =>
      db
        .select(getTableColumns(projects))
        .from(projects)
        .innerJoin(accounts, eq(accounts.id, projects.accountId))
        .where(
          and(or(eq(projects.id, ref), eq(projects.name, ref)), isNull(projects.removedAt), isNull(accounts.removedAt)),
        ),
    findAuthors: (ids) => listAuthors(isAmong(members.id, ids), isAmong(keys.id, ids)),
    findAuthorsNamed: (accountId, name) => {
      // In C's collation, and in SQLite, `lower` knows ASCII letters alone.
      const lower = name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
      return listAuthors(
        and(eq(members.accountId, accountId), sql`lower(${members.name}) = ${sql.param(lower, members.name)}`),
        and(eq(projects.accountId, accountId), sql`lower(${keys.label}) = ${sql.param(lower, keys.label)}`),
      )
    },
  }
}
