import {
  and,
  type Column,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lt,
  notInArray,
  or,
  type Placeholder,
  type SQL,
  sql,
  type Table,
} from 'drizzle-orm'
import type { AuditEntry, AuditReads, AuditWrites, StoredAuditEntry } from '../../audit.ts'
import { type Engine, lazily } from '../engine.ts'
import { createEntityReads } from './entities.ts'

/** The conditions of partial indexes, word for word: SQLite uses these only if the statement repeats them. */
const ON_RECORDS = sql`act >= 'record.' and act < 'record/'`
const IS_REJECTION = sql`act = 'record.reject'`

type Row = Engine['tables']['audit']['$inferSelect']

const toEntry = ({ scope: _scope, ...entry }: Row): StoredAuditEntry => entry

export function createAuditReads(engine: Engine): AuditReads {
  const { db, tables } = engine
  const { audit } = tables
  const { list } = createEntityReads(engine)
  return {
    listAudit: async ({ from, until, before, limit, ...filter }) => {
      const found = await list('audit', { ...filter, at: { from, until } }, { newestFirst: true, before, limit })
      return (found as Row[]).map(toEntry)
    },
    listAuditValues: async (accountId, field, limit) => {
      const values = toAuditValuesQuery(audit, accountId, field, limit)
      const found = await db.select({ value: sql<string>`value` }).from(sql`(${values}) as found_values`)
      return found.map(({ value }) => value)
    },
    listRecordActs: async ({ projectId, targets, limit }) => {
      const isAbout = targets === null ? isNull(audit.target) : inArray(audit.target, targets)
      const found = db
        .select()
        .from(audit)
        .where(and(eq(audit.projectId, projectId), ON_RECORDS, isAbout))
      return (await found.orderBy(desc(audit.seq)).limit(limit)).map(toEntry)
    },
    listRejections: async ({ projectId, scopes, actor, beforeSeq, limit }) => {
      const isBefore = beforeSeq === undefined ? undefined : lt(audit.seq, beforeSeq)
      const bySeq = new Map<number, Row>()
      // One after the other: each reads no more than a page by an index of its own.
      for (const condition of [...scopes.map((scope) => eq(audit.scope, scope)), eq(audit.actor, actor)]) {
        const found = db
          .select()
          .from(audit)
          .where(and(IS_REJECTION, eq(audit.projectId, projectId), condition, isBefore))
        for (const row of await found.orderBy(desc(audit.seq)).limit(limit)) bySeq.set(row.seq, row)
      }
      return [...bySeq.values()]
        .sort((a, b) => b.seq - a.seq)
        .slice(0, limit)
        .map(toEntry)
    },
    countRejections: async ({ projectId, scopes, actor, fromSeq, limit }) => {
      const count = async (ofIndex: SQL, isCounted: SQL | undefined) => {
        const isFrom = and(IS_REJECTION, eq(audit.projectId, projectId), ofIndex, gte(audit.seq, fromSeq))
        const found = db.select({ scope: audit.scope }).from(audit).where(isFrom).limit(limit).as('audit')
        const [row] = await db
          .select({ count: sql<number>`count(*)`.mapWith(Number) })
          .from(found)
          .where(isCounted)
        return row?.count ?? 0
      }
      let sum = await count(eq(audit.actor, actor), or(isNull(audit.scope), notInArray(audit.scope, scopes)))
      for (const scope of scopes) sum += await count(eq(audit.scope, scope), undefined)
      return sum
    },
  }
}

const NAMES = ['at', 'accountId', 'projectId', 'actor', 'act', 'target', 'via', 'outcome', 'details', 'scope']

export function createAuditWrites({ db, tables: { audit } }: Engine): AuditWrites {
  // Prepared once, because building the statement takes ten times as long as running it. All columns except `seq`,
  // which the database assigns.
  const insert = lazily(() => {
    const values = Object.fromEntries(NAMES.map((name) => [name, sql.placeholder(name)])) as Record<
      keyof AuditEntry,
      Placeholder
    >
    return db.insert(audit).values(values).prepare()
  })
  return {
    insertAudit: async (entry) => {
      const { scope } = entry.details
      await insert().execute({ ...entry, scope: typeof scope === 'string' ? scope : null })
    },
  }
}

/** The table of the audit log, of either engine. */
type AuditTable = Table & Record<'accountId' | 'act' | 'actor', Column>

/**
 * The distinct values of a column in the entries of an account, by one index lookup for each; DISTINCT would read the
 * whole index.
 */
function toAuditValuesQuery(audit: AuditTable, accountId: string, field: 'act' | 'actor', limit: number): SQL {
  const [column, ofAccount] = [audit[field], sql`from ${audit} where ${audit.accountId} = ${accountId}`]
  return sql`with recursive found (value) as (
    select min(${column}) ${ofAccount}
    union all select (select min(${column}) ${ofAccount} and ${column} > value) from found where value is not null
  ) select value from found where value is not null limit ${limit}`
}
