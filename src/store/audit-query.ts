import { and, type Column, eq, gte, lt, type SQL, sql, type Table } from 'drizzle-orm'
import type { AuditSelection } from './audit.ts'

/** The table of the audit log, of either engine. */
type AuditTable = Table & Record<'accountId' | 'projectId' | 'act' | 'actor' | 'at' | 'seq', Column>

/** The SQL condition of a selection. */
export function toAuditCondition(
  audit: AuditTable,
  { accountId, projectId, act, actor, from, until, before }: Omit<AuditSelection, 'limit'>,
): SQL | undefined {
  return and(
    accountId === undefined ? undefined : eq(audit.accountId, accountId),
    projectId === undefined ? undefined : eq(audit.projectId, projectId),
    act === undefined ? undefined : eq(audit.act, act),
    actor === undefined ? undefined : eq(audit.actor, actor),
    from === undefined ? undefined : gte(audit.at, from),
    until === undefined ? undefined : lt(audit.at, until),
    before === undefined ? undefined : sql`(${audit.at}, ${audit.seq}) < (${before.at}, ${before.seq})`,
  )
}

/** The distinct values of a column in the entries of an account, by one index lookup for each; DISTINCT would read the whole index. */
export function toAuditValuesQuery(audit: AuditTable, accountId: string, field: 'act' | 'actor', limit: number): SQL {
  const [column, ofAccount] = [audit[field], sql`from ${audit} where ${audit.accountId} = ${accountId}`]
  return sql`with recursive found (value) as (
    select min(${column}) ${ofAccount}
    union all select (select min(${column}) ${ofAccount} and ${column} > value) from found where value is not null
  ) select value from found where value is not null limit ${limit}`
}
