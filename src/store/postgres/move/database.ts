import { type Column, eq, type SQL, sql, type Table } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { DataError, Refusal } from '../../../errors.ts'
import type { MoveSource, Part, PartState } from '../../move/tables.ts'
import type { Engine } from '../../shared/engine.ts'
import { createMoveReads } from '../../shared/move.ts'
import type { Connection } from '../connection.ts'
import { toOperatorError } from '../errors.ts'
import { migrate } from '../migrate.ts'
import { createPool, type Pool } from '../pool.ts'
import { NO_PROJECT, requireNumber } from '../project-numbers.ts'
import { historyState } from '../schema/history.ts'
import { projectState } from '../schema/project.ts'
import { POSTGRES_MOVED } from './moved-tables.ts'

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
    ...createMoveReads({
      tables: POSTGRES_MOVED,
      use: (part, act) =>
        usePart(pool, part, ({ db }, projectId) =>
          act({ db: db as unknown as Engine['db'], own: part.kind === 'control' ? {} : { projectId } }),
        ),
      orderOf: toOrder,
      toValue: (value, column) => sql`${sql.param(value, column)}::${sql.raw(toValueType(column))}`,
    }),
    readState: (part) => usePart(pool, part, (connection, projectId) => readState(connection, part, projectId)),
    requireUnused: () => requireAlone(pool),
    close: pool.close,
  }
}

/** The columns of its primary key. */
function toOrder(table: Table): Column[] {
  const { primaryKeys, columns } = getTableConfig(table as PgTable)
  // A key of several columns has copies of them, which cannot tell their types.
  const named = new Set(primaryKeys.flatMap((key) => key.columns.map(({ name }) => name)))
  return columns.filter(({ name, primary }) => primary || named.has(name))
}

/** The type of a column's values: a `bigserial` is one only where a table is made. */
const toValueType = (column: Column): string => column.getSQLType().replace('bigserial', 'bigint')

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
