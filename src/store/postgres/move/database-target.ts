import { getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { Refusal } from '../../../errors.ts'
import { ANALYZER_VERSION } from '../../../text/analyzer.ts'
import { type MakeAnew, MOVED_TABLES, type MoveTarget, type Part, type PartState, type Row } from '../../move/tables.ts'
import type { StoredRecord } from '../../record.ts'
import type { Connection } from '../connection.ts'
import { migrate } from '../migrate.ts'
import type { Pool } from '../pool.ts'
import { createIndexChanges } from '../project/index/index-changes.ts'
import { toInsert } from '../project/inserts.ts'
import { toRow } from '../project/writes.ts'
import { inLongTransaction } from '../use-connection.ts'
import { createDatabaseSource, createMovePool, findMoving, requireAlone, usePart } from './database.ts'
import { POSTGRES_MOVED } from './moved-tables.ts'

/** Writes to a database whose tables are empty, or not made yet. */
export function createDatabaseTarget(url: string, { toEntry, now }: MakeAnew): MoveTarget {
  const pool = createMovePool(url)
  const source = createDatabaseSource(pool)
  return {
    ...source,
    begin: async (fingerprint) => {
      await migrate(pool, url, now)
      await requireAlone(pool)
      const moving = await findMoving(pool)
      if (moving !== undefined && moving !== fingerprint)
        throw new Refusal(
          'the database holds part of a move from something else, or the source has changed since; move into a new one',
        )
      if (moving === undefined) await mark(pool, fingerprint)
    },
    write: (part, table, rows) =>
      usePart(pool, part, (connection, projectId) =>
        inLongTransaction(connection, async () => {
          if (table === 'records') await insertRecords(connection, projectId, rows, toEntry)
          else
            await connection.db
              .insert(POSTGRES_MOVED[table].table as unknown as PgTable)
              .values(rows.map((row) => ({ ...(part.kind !== 'control' && { projectId }), ...row })))
        }),
      ),
    writeState: (part, state) =>
      usePart(pool, part, (connection, projectId) =>
        inLongTransaction(connection, () => writeState(connection, { ...part, projectId }, state)),
      ),
    finish: () =>
      pool.use(undefined, (connection) =>
        inLongTransaction(connection, async () => {
          // So that the planner knows from the first question on what there is.
          await connection.run('analyze')
          await connection.run('drop table moving')
        }),
      ),
  }
}

/** @throws Refusal if any table has rows. Policies hide those of projects, so that their files are looked at. */
async function mark(pool: Pool, fingerprint: string): Promise<void> {
  await pool.use(undefined, async ({ db }) => {
    for (const [kind, tables] of Object.entries(MOVED_TABLES))
      for (const name of tables.map((table) => getTableName(POSTGRES_MOVED[table].table))) {
        const holds =
          kind === 'control'
            ? sql`select exists (select 1 from ${sql.identifier(name)}) as is`
            : sql`select sum(pg_relation_size(relid)) > 0 as is from pg_partition_tree(${name}::regclass)`
        const [row] = await db.execute<{ is: boolean }>(holds)
        if (row?.is) throw new Refusal(`the database is not empty (its table '${name}' has rows); move into a new one`)
      }
    await db.execute(sql`create table moving as select ${fingerprint}::text as fingerprint`)
  })
}

/** Rows of records with all that is computed of them, and the index entries of those that are not forgotten. */
async function insertRecords(
  connection: Connection,
  projectId: number,
  rows: Row[],
  toEntry: MakeAnew['toEntry'],
): Promise<void> {
  const changes = createIndexChanges(projectId)
  const stored = (rows as StoredRecord[]).map((record) => {
    const entry = toEntry(record)
    if (record.forgottenAt === null) changes.insertEntry(record, entry, 'new')
    return { ...toRow({ ...record, entry }), projectId, seq: record.seq }
  })
  await connection.db.execute(toInsert(stored))
  await changes.flush(connection)
}

async function writeState(
  { db }: Connection,
  { kind, projectId }: Pick<Part, 'kind'> & { projectId: number },
  state: PartState,
): Promise<void> {
  const own = sql`project_id = ${projectId}`
  if (kind === 'control') {
    const last = state.lastAudit ?? 0
    await db.execute(sql`select setval('audit_seq_seq', ${Math.max(last, 1)}::bigint, ${last > 0}::boolean)`)
    await db.execute(
      sql`select setval('call_errors_seq_seq', (select coalesce(max(seq), 0) + 1 from call_errors), false)`,
    )
    await db.execute(sql`update control_version set version = version + 1`)
  } else if (kind === 'histories') {
    await db.execute(
      sql`insert into history_state (project_id, last_block_id) values (${projectId}, ${state.lastBlock ?? 0}) on conflict do nothing`,
    )
  } else {
    await db.execute(sql`insert into project_state
        (project_id, version, records, content_bytes, last_seq, last_workspace_id, rules, target, reached)
      select ${projectId}, 1, count(*) filter (where forgotten_at is null), coalesce(sum(content_bytes) filter (where forgotten_at is null), 0),
        coalesce(max(seq), 0), (select coalesce(max(id), 0) from workspaces where ${own}),
        rules.version, rules.version, case when rules.version is not null then 0 end
      from records, (select case when exists (select 1 from records where ${own}) then ${ANALYZER_VERSION}::integer end as version) as rules
      where ${own} group by rules.version on conflict do nothing`)
    await db.execute(sql`insert into project_state (project_id, last_workspace_id)
      select ${projectId}, (select coalesce(max(id), 0) from workspaces where ${own}) on conflict do nothing`)
  }
}
