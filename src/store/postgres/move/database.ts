import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { DataError, Refusal } from '../../../errors.ts'
import { type MovedTable, type MoveSource, type Part, type PartState, pageRowsOf, type Row } from '../../move/tables.ts'
import type { Connection } from '../connection.ts'
import { toOperatorError } from '../errors.ts'
import { migrate } from '../migrate.ts'
import { createPool, type Pool } from '../pool.ts'
import { NO_PROJECT, requireNumber } from '../project-numbers.ts'
import { historyState } from '../schema/history.ts'
import { projectState } from '../schema/project.ts'
import { POSTGRES_MOVED, type PostgresMoved } from './moved-tables.ts'

/**
 * A pool of one connection, so that every other one is a service's, which may be kept as long as a statement takes.
 * What the database says no to is told to the operator.
 */
export function createMovePool(url: string): Pool {
  const pool = createPool(url, 1, { useMs: 2 ** 31 - 1 })
  const use: Pool['use'] = (...given) =>
    pool.use(...given).catch((error) => {
      throw toOperatorError(error, url)
    })
  return { ...pool, use }
}

/** Runs an act on a connection that sees the part, with the number of its project. */
export async function usePart<Value>(
  pool: Pool,
  { kind, projectId }: Part,
  act: (connection: Connection, projectId: number) => Promise<Value>,
): Promise<Value> {
  if (kind === 'control') return pool.use(undefined, (connection) => act(connection, NO_PROJECT))
  const number = await pool.use(undefined, (connection) => requireNumber(connection, projectId))
  return pool.use(number, (connection) => act(connection, number))
}

/** How long the server may take to end connections that their clients have closed, and how often it is asked. */
const CLOSING_MS = 2_000
const ASK_AGAIN_MS = 100

/** @throws Refusal if a service, or anything else under its role, stays connected. */
export async function requireAlone(pool: Pool): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += ASK_AGAIN_MS) {
    const others = await countOthers(pool)
    if (others === 0) return
    if (waitedMs >= CLOSING_MS)
      throw new Refusal(`the database is in use by ${others} other connections; stop every instance first`)
    await Bun.sleep(ASK_AGAIN_MS)
  }
}

async function countOthers(pool: Pool): Promise<number> {
  const [row] = await pool.use(undefined, ({ db }) =>
    db.execute<{ others: number }>(sql`select count(*)::integer as others from pg_stat_activity
      join pg_roles on pg_roles.oid = usesysid
      where datname = current_database() and pid <> pg_backend_pid() and (usename = current_user
        or not rolsuper and has_table_privilege(usesysid, to_regclass('records'), 'insert'))`),
  )
  return row?.others ?? 0
}

/**
 * A database that nobody else uses, which is brought up to date.
 *
 * @throws Refusal if anybody else is connected, or it is being filled by a move itself.
 */
export async function openDatabaseSource(url: string, now: number): Promise<MoveSource> {
  const pool = createMovePool(url)
  try {
    await requireAlone(pool)
    await migrate(pool, url, now)
    await requireWhole(pool)
    return createDatabaseSource(pool)
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** Reads a database through a pool of connections. */
export function createDatabaseSource(pool: Pool): MoveSource {
  const has = (state: typeof projectState | typeof historyState, number: number) =>
    pool.use(number, async ({ db }) => (await db.$count(state, eq(state.projectId, number))) > 0)
  return {
    listParts: async () => {
      const found = await pool.use(undefined, ({ db }) =>
        db.execute<{ id: string; number: number }>(sql`select id, number from project_numbers order by id`),
      )
      const parts: Part[] = []
      for (const { id: projectId, number } of found) {
        if (await has(projectState, number)) parts.push({ kind: 'records', projectId })
        if (await has(historyState, number)) parts.push({ kind: 'histories', projectId })
      }
      return [...parts, { kind: 'control', projectId: '' }]
    },
    count: (part, table) =>
      usePart(pool, part, async ({ db }, projectId) => {
        const [row] = await db
          .select({ n: sql<number>`count(*)::integer` })
          .from(POSTGRES_MOVED[table].table)
          .where(isOfPart(POSTGRES_MOVED[table], part, projectId))
        return row?.n ?? 0
      }),
    read: (part, table, skip = 0) => readPages(pool, part, table, skip),
    readState: (part) => usePart(pool, part, (connection, projectId) => readState(connection, part, projectId)),
    requireUnused: () => requireAlone(pool),
    close: pool.close,
  }
}

function isOfPart({ table }: PostgresMoved, { kind }: Part, projectId: number): SQL | undefined {
  return kind === 'control' ? undefined : eq((table as unknown as { projectId: PgColumn }).projectId, projectId)
}

/** In the order of the primary key, or in that in which rows were added. */
async function* readPages(pool: Pool, part: Part, table: MovedTable, skip: number): AsyncGenerator<Row[]> {
  const moved = POSTGRES_MOVED[table]
  const limit = pageRowsOf(table)
  const places = Object.fromEntries(moved.order.map((column, at) => [`place${at}`, column]))
  let after: unknown[] | undefined
  for (let offset = skip, size = limit; size === limit; offset = 0) {
    const page: Row[] = await usePart(pool, part, ({ db }, projectId) =>
      db
        .select({ ...moved.columns, ...places })
        .from(moved.table)
        .where(and(isOfPart(moved, part, projectId), after && isAfter(moved.order, after)))
        .orderBy(...moved.order.map((column) => asc(column)))
        .limit(limit)
        .offset(offset),
    )
    size = page.length
    const last = page.at(-1)
    after = last && Object.keys(places).map((name) => last[name])
    if (size > 0) yield page.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !(name in places))))
  }
}

function isAfter(order: PgColumn[], after: unknown[]): SQL {
  const values = order.map((column, at) => sql`${sql.param(after[at], column)}::${sql.raw(toValueType(column))}`)
  return sql`(${sql.join(order, sql`, `)}) > (${sql.join(values, sql`, `)})`
}

/** The type of a column's values: a `bigserial` is one only where a table is made. */
const toValueType = (column: PgColumn): string => column.getSQLType().replace('bigserial', 'bigint')

/** What of each part is read beside its rows. */
const STATES: Record<Part['kind'], (projectId: number) => SQL> = {
  control: () => sql`select case when is_called then last_value else 0 end::float8 as "lastAudit" from audit_seq_seq`,
  records: (id) =>
    sql`select records, content_bytes::float8 as "contentBytes" from project_state where project_id = ${id}`,
  histories: (id) => sql`select last_block_id as "lastBlock" from history_state where project_id = ${id}`,
}

async function readState({ db }: Connection, { kind }: Part, projectId: number): Promise<PartState> {
  const [row] = await db.execute<PartState>(STATES[kind](projectId))
  return { ...row }
}

const isThere = async ({ db }: Connection): Promise<boolean> =>
  (await db.execute<{ is: boolean }>(sql`select to_regclass('moving') is not null as is`))[0]?.is ?? false

/**
 * The mark of a database that is being filled: the fingerprint of what it is filled from, in a table of its own.
 * Undefined if there is none.
 */
export function findMoving(pool: Pool): Promise<string | undefined> {
  return pool.use(undefined, async (connection) => {
    if (!(await isThere(connection))) return undefined
    const [row] = await connection.db.execute<{ fingerprint: string }>(sql`select fingerprint from moving`)
    return row?.fingerprint ?? ''
  })
}

/** @throws DataError if a move into the database has not ended. */
export async function requireWhole(pool: Pool): Promise<void> {
  if (await pool.use(undefined, isThere))
    throw new DataError(
      "a move into this database has not ended; run the same 'memsvc move' again, or make a new database",
    )
}
