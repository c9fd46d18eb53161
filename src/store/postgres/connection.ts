import { SQL } from 'bun'
import type { SQL as Statement } from 'drizzle-orm'
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql'
import { PgDialect } from 'drizzle-orm/pg-core'

/** A connection to the database that nobody else uses meanwhile. */
export type Connection = {
  db: BunSQLDatabase
  /** Runs one statement as it is. */
  run: (statement: string) => Promise<unknown>
  /**
   * Sends statements in this order without waiting for an answer in between, and resolves with the rows of each once all are answered. Rejects with the error of the first
   * that failed: in a transaction those behind it then do nothing, and a `commit` among them undoes it.
   */
  send: (statements: Statement[]) => Promise<Answer[]>
}

/** A row as the client returns it, by names of columns. */
export type Row = Record<string, unknown>

/** The rows of a statement, and what the database says that it did: of a `commit` of a transaction that had failed, `ROLLBACK`. */
export type Answer = Row[] & { command: string }

/** An open connection. Statements reach the database in the order in which they were given; transactions are begun and ended by statements of ours. */
export type OpenConnection = Connection & {
  /** Shows the rows of this project to statements that are given from now on, or of none; resolves once it does. Where it rejects, they were shown those of before. */
  show: (projectId: string | undefined) => Promise<void>
  /** Whether it shows them already. */
  shows: (projectId: string | undefined) => boolean
  /** Whether it was closed, by whichever side. Every statement rejects then. */
  isClosed: () => boolean
  /** Closes it at once, whatever is in progress. */
  cut: () => void
  /** Closes it when what is in progress has ended. */
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_S = 5
/** Longest that a statement may wait for another's lock. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * What the database is told of every connection: how long a statement may take; that it compiles none, which takes longer than any of ours gains by it (half of the time of counts over
 * 100 000 records); how long a transaction may be left alone, which is less than others wait for its locks,
 * so that an instance that hangs holds up no other; and how soon a client that is gone without a word is noticed.
 */
const SETTINGS = {
  statement_timeout: 20_000,
  jit: 'off',
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: LOCK_TIMEOUT_MS / 2,
  tcp_keepalives_idle: 15,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
}

/** The setting that the policies of row-level security compare `project_id` with. */
const PROJECT_SETTING = 'memsvc.project_id'

const CASING = 'snake_case'
const dialect = new PgDialect({ casing: CASING })

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
    db: drizzle({ client, casing: CASING }),
    run,
    send: (statements) => send(client, statements),
    show: async (projectId) => {
      shown = undefined
      // Begun here: awaited, it could be begun behind the statements that are to see it.
      await client`select set_config(${PROJECT_SETTING}, ${projectId ?? ''}, false)`.execute()
      shown = projectId ?? ''
    },
    shows: (projectId) => shown === (projectId ?? ''),
    isClosed: () => isClosed,
    cut,
    close: () => client.close(),
  }
}

async function send(client: SQL, statements: Statement[]): Promise<Answer[]> {
  const queries = statements.map((statement) => toQuery(client, statement))
  // Begun one after the other here: awaited, they would be begun in an order that depends on how they were made.
  for (const query of queries) query.execute()
  const answers = await Promise.allSettled(queries)
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
}

/** A query that the client prepares. Without values it does so only for a template: others it sends alone. */
function toQuery(client: SQL, statement: Statement): SQL.Query<Answer> {
  const { sql, params } = dialect.sqlToQuery(statement)
  return params.length === 0 ? client(toTemplate(sql)) : client.unsafe(sql, params)
}

const toTemplate = (text: string): TemplateStringsArray => Object.defineProperty([text], 'raw', { value: [text] }) as never

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
