import { and, asc, eq, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AccountReads, AccountWrites } from '../../account.ts'
import type { Entity } from '../../control.ts'
import type { Engine, WriteEngine } from '../engine.ts'

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

type Condition = (accountId: string) => SQL

const isOwn: Condition = (id) => sql`account_id = ${id}`
const isOfProject: Condition = (id) => sql`project_id in (select id from projects where account_id = ${id})`
const isOfMember: Condition = (id) => sql`member_id in (select id from members where account_id = ${id})`
const isOfIntegration: Condition = (id) => sql`integration_id in (select id from integrations where account_id = ${id})`
const isOfKey: Condition = (id) =>
  sql`key_id in (select keys.id from keys join projects on projects.id = keys.project_id where projects.account_id = ${id})`

/**
 * The entities with rows of an account, and which of them are. An entity stands before those that its condition reads;
 * the account itself is last.
 */
export const ACCOUNT_ROWS: [entity: Entity, condition: Condition][] = [
  ['grants', isOfKey],
  ['connections', isOfKey],
  ['keys', isOfProject],
  ['dailyUse', isOfProject],
  ['enabledIntegrations', isOfIntegration],
  ['toolLists', isOfIntegration],
  ['integrations', isOwn],
  ['access', isOfMember],
  ['passwords', isOfMember],
  ['sessions', isOfMember],
  ['entryLinks', isOfMember],
  ['browsers', isOfMember],
  ['undos', isOfMember],
  ['emailChanges', isOfMember],
  ['invitations', isOwn],
  ['departments', isOwn],
  ['members', isOwn],
  ['projects', isOwn],
  ['callErrors', isOwn],
  ['audit', isOwn],
  ['accounts', (id) => sql`id = ${id}`],
]

export function createAccountWrites({ db, tables, place, changed }: WriteEngine): AccountWrites {
  return {
    eraseAccount: async (id, limit) => {
      changed()
      let erased = 0
      for (const [entity, condition] of ACCOUNT_ROWS) {
        const table = tables[entity]
        const some = sql`select ${place} from ${table} where ${condition(id)} limit ${limit - erased}`
        const rows = await db.delete(table).where(sql`${place} in (${some})`).returning({ one: sql`1` })
        erased += rows.length
        if (erased >= limit) break
      }
      return erased
    },
  }
}
