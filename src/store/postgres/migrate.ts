import { sql } from 'drizzle-orm'
import { DataError } from '../../errors.ts'
import { type Applied, findUnapplied } from '../migration-history.ts'
import type { Migration } from '../migrations.macro.ts'
import type { Connection } from './connection.ts'
import { isLockTimeout, isRetryable, toOperatorError } from './errors.ts'
import { migrations } from './migrations.ts'
import type { Pool } from './pool.ts'
import { grantTo, ownsTables } from './roles.ts'
import { inLongTransaction, useConnection } from './use-connection.ts'

/** Longest that all steps may take together, which includes waiting for another instance that takes them. */
const MAX_MIGRATION_MS = 3_600_000

/**
 * Longest that a step waits for a table, behind which all statements of instances at work then wait, and the pause
 * before all steps are taken again, in which these go on: a dump may hold tables for hours.
 */
const LOCK_TIMEOUT_MS = 500
const PAUSE_MS = 2_000

/**
 * How many steps of newer versions the database may have. A version adds one step at most, which only adds to what the
 * version before uses: instances of both run, and start, side by side.
 */
const MAX_STEPS_AHEAD = 1

/** Oldest version of PostgreSQL that this is tried with. */
const MIN_VERSION = 15

/**
 * Brings the tables up to date, in one transaction behind a lock: of several instances one does it, and the others find
 * it done. A role that does not own the tables only looks whether that was done. Resolves to whether the role owns
 * them. Throws a DataError if the database is too old, holds tables of a newer memsvc, is reached through a pooler that
 * keeps no sessions, or where the role may pass over row-level security.
 */
export async function migrate(pool: Pool, url: string, now: number): Promise<boolean> {
  await requireSessions(url)
  return pool.use(undefined, (connection) => migrateOn(connection, now), MAX_MIGRATION_MS)
}

async function migrateOn(connection: Connection, now: number): Promise<boolean> {
  const { standby, bypasses } = await requireDatabase(connection)
  if (bypasses !== null)
    throw new DataError(
      `the role of SVC_DATABASE_URL is, or may become, '${bypasses}', a superuser or one that may bypass row-level security; memsvc needs a role of its own (create role memsvc login; create database memsvc owner memsvc)`,
    )
  const isOwner = await ownsTables(connection)
  if (standby) await requireAllSteps(connection, BEHIND)
  else if (isOwner || !(await hasTables(connection))) await applySteps(connection, now)
  else await requireAllSteps(connection, NOT_MIGRATED)
  return isOwner
}

/**
 * Brings the tables up to date as the role that owns them, and gives another role what a service needs. Resolves to
 * the number of steps.
 *
 * @throws DataError where that is not possible, and if the other role owns anything.
 */
export async function migrateFor(role: string, url: string, now: number): Promise<number> {
  return useConnection(url, async (connection) => {
    const { standby } = await requireDatabase(connection)
    if (standby) throw new DataError('the database is a standby; migrate its primary')
    const steps = await applySteps(connection, now)
    await inLongTransaction(connection, () => grantTo(connection, role))
    return steps
  }).catch((error) => {
    throw toOperatorError(error, url)
  })
}

type Database = { version: number; encoding: string; bypasses: string | null; standby: boolean }

/**
 * A role that passes over row-level security and that this session is of, or may change to by `set role` or `reset
 * role`; null if there is none.
 */
const BYPASSES = sql`(select rolname from pg_roles
  where (rolsuper or rolbypassrls) and (pg_has_role(current_user, oid, 'member') or pg_has_role(session_user, oid, 'member'))
  order by rolname = session_user desc, rolname limit 1)`

async function requireDatabase({ db }: Connection): Promise<Pick<Database, 'standby' | 'bypasses'>> {
  const [found] =
    await db.execute<Database>(sql`select current_setting('server_version_num')::integer / 10000 as version,
    current_setting('server_encoding') as encoding, ${BYPASSES} as bypasses, pg_is_in_recovery() as standby`)
  if (found === undefined) throw new DataError('the database did not answer')
  if (found.version < MIN_VERSION)
    throw new DataError(`the database is PostgreSQL ${found.version}; memsvc needs ${MIN_VERSION} or later`)
  if (found.encoding !== 'UTF8')
    throw new DataError(`the database has the encoding ${found.encoding}; memsvc needs UTF8`)
  return { standby: found.standby, bypasses: found.bypasses }
}

const BEHIND = 'the database is a standby without the tables of this version; start an instance on its primary first'
const NOT_MIGRATED =
  "the database lacks tables of this version, and the role of SVC_DATABASE_URL does not own them; run 'memsvc database migrate --url postgres://OWNER…'"

async function hasTables({ db }: Connection): Promise<boolean> {
  const [found] = await db.execute<{ exists: boolean }>(sql`select to_regclass('migrations') is not null as exists`)
  return found?.exists ?? false
}

/** A standby is not brought up to date: an instance before one waits until it is promoted. */
async function requireAllSteps(connection: Connection, otherwise: string): Promise<void> {
  const isComplete = (await hasTables(connection)) && (await findMissing(connection)).length === 0
  if (!isComplete) throw new DataError(otherwise)
}

async function findMissing({ db }: Connection): Promise<Migration[]> {
  const rows = await db.execute(sql`select name, hash from migrations order by name`)
  const applied = rows.map(({ name, hash }): Applied => ({ name, hash }))
  return findUnapplied(applied, migrations, MAX_STEPS_AHEAD)
}

/**
 * Takes all steps that are missing, and returns how many. They are taken again where others hold a table, and where the
 * database ended them: instances at work lock tables in another order, and of two that wait for each other it ends one.
 */
async function applySteps(connection: Connection, now: number): Promise<number> {
  for (const end = performance.now() + MAX_MIGRATION_MS; ; await Bun.sleep(PAUSE_MS)) {
    try {
      return await tryToApplySteps(connection, now)
    } catch (error) {
      if (!(isRetryable(error) || isLockTimeout(error)) || performance.now() > end) throw error
    }
  }
}

function tryToApplySteps(connection: Connection, now: number): Promise<number> {
  const { db, run } = connection
  return inLongTransaction(connection, async () => {
    await db.execute(sql`select pg_advisory_xact_lock(hashtext('memsvc migrations'))`)
    await run(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await run(
      'create table if not exists migrations (name text primary key, hash text not null, applied_at bigint not null)',
    )
    const steps = await findMissing(connection)
    for (const { name, hash, sql: statements } of steps) {
      await run(statements)
      await db.execute(sql`insert into migrations (name, hash, applied_at) values (${name}, ${hash}, ${now})`)
    }
    return steps.length
  })
}

/**
 * Looks whether each connection has a session of its own. A pooler that lends one for each transaction would mix up
 * what belongs to a session: the project that is shown, prepared statements, advisory locks, announcements.
 *
 * Such a pooler gives the transaction of the second connection the session that the first one had, and therefore the
 * first one another. If others use the pooler at the same moment, that may not be so; then a connection notices it when
 * it shows a project.
 *
 * @throws DataError if connections have none, or the database cannot be used.
 */
async function requireSessions(url: string): Promise<void> {
  await useConnection(url, (first) =>
    useConnection(url, async (second) => {
      await second.run('begin')
      await first.requireSession()
    }),
  ).catch((error) => {
    throw toOperatorError(error, url)
  })
}
