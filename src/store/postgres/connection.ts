import { SQL } from 'bun'
import type { SQL as Statement } from 'drizzle-orm'
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql'
import { DataError } from '../../errors.ts'
import { NotConnected } from './errors.ts'
import { type Answer, CASING, send } from './pipeline.ts'

/** A connection to the database, used exclusively. */
export type Connection = {
  db: BunSQLDatabase & { $client: SQL }
  /** Runs one statement as it is. */
  run: (statement: string) => Promise<unknown>
  /**
   * Pipelines statements in this order and resolves with the rows of each once all are answered. Rejects with the first
   * error; in a transaction, later statements then do nothing, and a `commit` among them rolls back.
   */
  send: (statements: Statement[]) => Promise<Answer[]>
  /**
   * Makes the database end the query of `db` in progress, which then rejects, and closes the connection: the request
   * goes there by a way of its own, and could arrive when another query is in progress.
   */
  cancel: () => void
}

/**
 * An open connection. Statements reach the database in the order given; transactions are begun and ended by explicit
 * statements.
 */
export type OpenConnection = Connection & {
  /**
   * Makes the rows of this project (or of none) visible to statements sent from now on; resolves once that is in
   * effect. If it rejects, the previous setting still applies, or the connection is closed.
   *
   * @throws DataError if the connection has come to another session.
   */
  show: (projectId: number | undefined) => Promise<void>
  /** Whether the rows of this project are visible now. */
  shows: (projectId: number | undefined) => boolean
  /**
   * @throws DataError if the connection has come to another session than it began with: a pooler lends it one for each
   *   transaction.
   */
  requireSession: () => Promise<void>
  /** Whether it was closed by either side. Every statement then rejects. */
  isClosed: () => boolean
  /** Closes it at once, whatever is in progress. */
  cut: () => void
  /** Closes it when what is in progress has ended. */
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_S = 5
/** Longest that a connection takes until it can be used. */
const OPEN_TIMEOUT_MS = 10_000
/** Longest that a statement may wait for another's lock. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * Settings of every connection, whatever is set for the role or the database: the statement timeout; no JIT
 * compilation, which costs more than it gains (half the time of counts over 100 000 records); the isolation under which
 * a read after a lock sees what the previous transaction committed; policies that hide rows instead of refusing
 * statements; the timeout of an idle transaction, shorter than others wait for its locks, so that a hanging instance
 * blocks no other; and TCP keepalive, to notice lost clients.
 */
const SETTINGS = {
  statement_timeout: 20_000,
  jit: 'off',
  default_transaction_isolation: 'read committed',
  row_security: 'on',
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: LOCK_TIMEOUT_MS / 2,
  tcp_keepalives_idle: 15,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
}

const NO_SESSIONS =
  'the database is reached through a pooler that keeps no sessions; set it to keep them (PgBouncer: pool_mode = session), or connect without it'

/** The setting that the policies of row-level security compare `project_id` with. */
const PROJECT_SETTING = 'memsvc.project_id'

/**
 * A client of one connection, which lasts until it is closed. `onclose` is called whenever the connection ends. The
 * database shows it as `memsvc`, unless the URL has another `application_name`.
 */
export function createClient(url: string, onclose: () => void): SQL {
  const connection = { application_name: new URL(url).searchParams.get('application_name') ?? 'memsvc' }
  return new SQL({
    url,
    max: 1,
    idleTimeout: 0,
    maxLifetime: 0,
    connectionTimeout: CONNECT_TIMEOUT_S,
    onclose,
    connection,
  })
}

export async function openConnection(url: string, limitMs = OPEN_TIMEOUT_MS): Promise<OpenConnection> {
  let shown: number | 'none' | undefined
  let isClosed = false
  let last: SQL.Query<unknown> | undefined
  // Bun's client would reconnect by itself: without these settings, without a project, and outside of a transaction in
  // progress.
  const client = createClient(url, () => cut())
  function cut(): void {
    isClosed = true
    client.close({ timeout: 0 }).catch(() => {})
  }
  const session = await begin(client, cut, limitMs)
  function requireSame(found: unknown): void {
    if (found === session) return
    cut()
    throw new DataError(NO_SESSIONS)
  }
  const unsafe: SQL['unsafe'] = (statement, values) => {
    const query = client.unsafe(statement, values)
    last = query
    return query
  }
  return {
    db: drizzle({ client: Object.create(client, { unsafe: { value: unsafe } }), casing: CASING }),
    run: (statement) => client.unsafe(statement),
    send: (statements) => send(client, statements),
    show: async (projectId) => {
      shown = undefined
      // Executed here without awaiting, so that it precedes the statements that depend on it.
      const [row] =
        await client`select set_config(${PROJECT_SETTING}, ${String(projectId ?? '')}, false), pg_backend_pid() as session`.execute()
      requireSame(row?.session)
      shown = projectId ?? 'none'
    },
    shows: (projectId) => shown === (projectId ?? 'none'),
    requireSession: async () => requireSame(await readSession(client)),
    cancel: () => {
      isClosed = true
      last?.cancel().then(cut, cut)
    },
    isClosed: () => isClosed,
    cut,
    close: () => client.close(),
  }
}

/**
 * Applies the settings, and returns the session. @throws NotConnected if that fails or takes too long, and closes the
 * connection.
 */
async function begin(client: SQL, cut: () => void, limitMs: number): Promise<unknown> {
  const late = setTimeout(cut, limitMs)
  try {
    return await readSession(
      client,
      Object.entries(SETTINGS)
        .map(([name, value]) => `set ${name} = '${value}'; `)
        .join(''),
    )
  } catch (error) {
    cut()
    throw new NotConnected(error)
  } finally {
    clearTimeout(late)
  }
}

/**
 * The number of the database's process that answers. Not prepared: a pooler that keeps no sessions would be noticed by
 * an error that tells nothing.
 */
async function readSession(client: SQL, before = ''): Promise<unknown> {
  const answers = await client.unsafe(`${before}select pg_backend_pid() as session`)
  return answers.flat().at(-1)?.session
}
