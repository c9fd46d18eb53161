import {
  and,
  asc,
  type Column,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { AuditPlace } from '../../audit.ts'
import type { Entities, Entity, EntityReads, EntityWrites, Filter, Page } from '../../control.ts'
import type { Engine, WriteEngine } from '../engine.ts'

/** Entities whose changes the control version counts. */
const VERSIONED: Entity[] = [
  'accounts',
  'members',
  'projects',
  'keys',
  'connections',
  'integrations',
  'enabledIntegrations',
]

/** The usual order of each entity; others have none. */
const ORDERS: Partial<Record<Entity, string[]>> = {
  departments: ['name'],
  emailChanges: ['requestedAt', 'memberId'],
  browsers: ['usedAt'],
  oauthClients: ['readAt', 'id'],
  integrations: ['slug'],
  audit: ['at', 'seq'],
  dailyUse: ['day'],
  callErrors: ['at', 'seq'],
}
const OLDEST_FIRST = ['createdAt', 'id']

type Bounds = Partial<Record<'after' | 'before' | 'from' | 'until', number>>

function createTable({ tables, isAmong }: Engine, entity: Entity) {
  const table: SQLiteTable = tables[entity]
  const columns: Record<string, SQLiteColumn> = getTableColumns(table)

  function toCondition([field, value]: [string, unknown]): SQL | undefined {
    const column = columns[field] as SQLiteColumn
    if (value === undefined) return undefined
    if (value === null) return isNull(column)
    if (Array.isArray(value)) return isAmong(column, value)
    if (typeof value !== 'object') return eq(column, value)
    const { after, before, from, until = before } = value as Bounds
    if (after !== undefined) return or(isNull(column), gt(column, after))
    return and(from === undefined ? undefined : gte(column, from), until === undefined ? undefined : lt(column, until))
  }

  return {
    table,
    columns,
    where: (filter: object): SQL | undefined => and(...Object.entries(filter).map(toCondition)),
    isBefore: (place: AuditPlace | undefined): SQL | undefined =>
      place && sql`(${columns.at}, ${columns.seq}) < (${place.at}, ${place.seq})`,
    orderOf: ({ by, newestFirst = false }: { by?: PropertyKey; newestFirst?: boolean } = {}): SQL[] => {
      const usual = (ORDERS[entity] ?? OLDEST_FIRST).flatMap((field) => columns[field] ?? [])
      const sorted = [...new Set<Column>(by === undefined ? usual : [columns[String(by)] as SQLiteColumn, ...usual])]
      const order = newestFirst ? desc : asc
      return sorted.map((column) => (column.notNull ? order(column) : sql`${order(column)} nulls last`))
    },
  }
}

export function createEntityReads(engine: Engine): EntityReads {
  async function list<Name extends Entity>(
    entity: Name,
    filter: Filter<Name>,
    page: Page<Name> = {},
  ): Promise<Entities[Name][]> {
    const { table, where, isBefore, orderOf } = createTable(engine, entity)
    const found = engine.db
      .select()
      .from(table)
      .where(and(where(filter), isBefore(page.before)))
      .orderBy(...orderOf(page))
      .$dynamic()
    const { limit, offset } = page
    // SQLite takes no offset without a limit.
    if (limit !== undefined || offset !== undefined) found.limit(limit ?? 2 ** 31).offset(offset ?? 0)
    return (await found) as unknown as Entities[Name][]
  }

  return {
    list,
    find: async (entity, filter) => (await list(entity, filter, { limit: 1 }))[0],
    count: async (entity, filter) => {
      const { table, where } = createTable(engine, entity)
      const [row] = await engine.db.select({ n: count() }).from(table).where(where(filter))
      return row?.n ?? 0
    },
  }
}

export function createEntityWrites(engine: WriteEngine): EntityWrites {
  const { db, place, changed } = engine

  /** So that a value that is missing by mistake never changes or erases all rows. */
  function requireCondition(filter: object): void {
    if (Object.values(filter).every((value) => value === undefined))
      throw new Error('a change of rows without a condition')
  }

  return {
    insert: async (entity, rows) =>
      void (await db.insert(createTable(engine, entity).table).values(Array.isArray(rows) ? rows : [rows])),
    save: async (entity, row, kept = []) => {
      const { table, columns } = createTable(engine, entity)
      const names = Object.keys(columns)
      const set = Object.fromEntries(
        Object.entries(row).filter(([field]) => field !== names[0] && !kept.some((name) => name === field)),
      )
      const insert = db.insert(table).values(row)
      // Of a table of two ids, both are its primary key; of others it is the first column.
      if (names.length === 2 && names.every((name) => name.endsWith('Id'))) await insert.onConflictDoNothing()
      else await insert.onConflictDoUpdate({ target: columns[names[0] ?? ''] as SQLiteColumn, set })
      if (VERSIONED.includes(entity)) changed()
    },
    update: async (entity, filter, change) => {
      requireCondition(filter)
      const { table, where } = createTable(engine, entity)
      await db.update(table).set(change).where(where(filter))
      if (VERSIONED.includes(entity)) changed()
    },
    delete: async (entity, filter, limit) => {
      requireCondition(filter)
      const { table, where, orderOf } = createTable(engine, entity)
      const isIncluded = where(filter)
      const first =
        limit !== undefined &&
        db
          .select({ place })
          .from(table)
          .where(isIncluded)
          .orderBy(...orderOf())
          .limit(limit)
      const erased = await db
        .delete(table)
        .where(first ? inArray(place, first) : isIncluded)
        .returning({ one: sql`1` })
      if (erased.length > 0 && VERSIONED.includes(entity)) changed()
      return erased.length
    },
  }
}
