import { SQL } from 'bun'
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql'

/** A connection to the database that nobody else uses meanwhile. */
export type Connection = {
  db: BunSQLDatabase
  /** Runs one statement as it is. */
  run: (statement: string) => Promise<unknown>
}

/** An open connection. Statements reach the database in the order in which they were given; transactions are begun and ended by statements of ours. */
export type OpenConnection = Connection & {
  /** Shows the rows of this project from now on, or of none. */
  show: (projectId: string | undefined) => Promise<void>
  /** Whether it shows them already. */
  shows: (projectId: string | undefined) => boolean
  /** Whether it was closed, by whichever side. Every statement rejects then. */
  isClosed: () => boolean
  /** Closes it at once, whatever is under way. */
  cut: () => void
  /** Closes it when what is under way has ended. */
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_S = 5
/** Longest that a statement may wait for another's lock. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * What the database is told of every connection: how long a statement may take; how long a transaction may be left alone, which is less than others wait for its locks,
 * so that an instance that hangs holds up no other; and how soon a client that is gone without a word is noticed.
 */
const SETTINGS = {
  statement_timeout: 20_000,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: LOCK_TIMEOUT_MS / 2,
  tcp_keepalives_idle: 15,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
}

/** The setting that the policies of row-level security compare `project_id` with. */
const PROJECT_SETTING = 'memsvc.project_id'

/** A client of one connection, which lasts until it is closed. `onclose` is called whenever the connection ends. */
export function createClient(url: string, onclose: () => void): SQL {
  return new SQL({ url, max: 1, idleTimeout: 0, maxLifetime: 0, connectionTimeout: CONNECT_TIMEOUT_S, onclose })
}

export async function openConnection(url: string): Promise<OpenConnection> {
  let shown: string | undefined
  let isClosed = false
  // Bun's client would connect anew by itself: without our settings, showing no project, and in the midst of a transaction outside of it.
  const client = createClient(url, () => cut())
  function cut(): void {
    isClosed = true
    client.close({ timeout: 0 }).catch(() => {})
  }
  const run = (statement: string): Promise<unknown> => client.unsafe(statement)
  const settings = Object.entries(SETTINGS).map(([name, value]) => `set ${name} = ${value}`)
  await run(settings.join('; ')).catch((error) => {
    cut()
    throw error
  })
  return {
    db: drizzle({ client, casing: 'snake_case' }),
    run,
    show: async (projectId) => {
      shown = undefined
      await client`select set_config(${PROJECT_SETTING}, ${projectId ?? ''}, false)`
      shown = projectId ?? ''
    },
    shows: (projectId) => shown === (projectId ?? ''),
    isClosed: () => isClosed,
    cut,
    close: () => client.close(),
  }
}

/** Runs an act in a transaction whose statements may take as long as they do. */
export async function inLongTransaction(connection: Connection, act: () => Promise<void>): Promise<void> {
  await connection.run('begin')
  try {
    await connection.run('set local statement_timeout = 0; set local lock_timeout = 0')
    await act()
    await connection.run('commit')
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw error
  }
}
