import { eq } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { accounts, keys, members, projects } from '../schema/control.ts'

/** Keys with all that they open, to be narrowed by a condition. */
export function selectHolders(db: BunSQLiteDatabase) {
  return db
    .select({ key: keys, project: projects, account: accounts, member: members })
    .from(keys)
    .innerJoin(projects, eq(projects.id, keys.projectId))
    .innerJoin(accounts, eq(accounts.id, projects.accountId))
    .leftJoin(members, eq(members.id, keys.memberId))
    .$dynamic()
}
