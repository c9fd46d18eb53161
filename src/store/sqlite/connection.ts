import { type Changes, constants, Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'

/**
 * A statement that is prepared at its first use. A class, since two hundred are created for each project file that is
 * opened, and four closures for each would take twice as long.
 */
class LazyStatement<Row, Params extends SQLQueryBindings[]> {
  private prepared: Statement<Row, Params> | undefined

  constructor(
    private readonly connection: Connection,
    private readonly sql: string,
  ) {}

  all(...params: Params): Row[] {
    return this.prepare().all(...params)
  }

  get(...params: Params): Row | null {
    return this.prepare().get(...params)
  }

  run(...params: Params): Changes {
    return this.prepare().run(...params)
  }

  values(...params: Params): ReturnType<Statement<Row, Params>['values']> {
    return this.prepare().values(...params)
  }

  private prepare(): Statement<Row, Params> {
    this.prepared ??= this.connection.prepare<Row, Params>(this.sql) as Statement<Row, Params>
    return this.prepared
  }
}

/** How long `openBeside` lets statements wait for another process that holds the file. */
const BUSY_TIMEOUT_MS = 10_000

/** Opens a file that others may be using. Statements block while another process recovers, migrates or writes it. */
export function openBeside(path: string): Connection {
  const connection = new Connection(path)
  connection.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
  return connection
}

/**
 * A connection that really closes its file. SQLite keeps a file open until all its statements are finalized, so each
 * statement prepared here is kept, once per SQL text, and finalized with the connection. The texts come from the code
 * and the query builder: a few hundred, none built from input.
 */
export class Connection extends Database {
  readonly #statements = new Map<string, Statement>()
  #isClosed = false

  constructor(path: string, mode: 'readwrite' | 'readonly' = 'readwrite') {
    super(path, { [mode]: true, strict: true })
    // Savepoints and sorting need temporary storage; in memory, so that only the data folder has to be writable.
    this.run('pragma temp_store = memory')
    // On macOS, a plain fsync leaves what was written in the drive's own cache. Without effect elsewhere.
    this.run('pragma fullfsync = on')
    // The WAL and its index stay, empty, when the file is closed: on a full or read-only disk they could not be created
    // again, and the file could not be read.
    this.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  }

  /**
   * For statements that are used many times or not at all: a project file has a hundred of them, and a save uses ten.
   */
  statement<Row, Params extends SQLQueryBindings[] = SQLQueryBindings[]>(sql: string): LazyStatement<Row, Params> {
    return new LazyStatement(this, sql)
  }

  override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(sql: string) {
    const statement = this.#statements.get(sql) ?? super.prepare(sql)
    this.#statements.set(sql, statement)
    return statement as ReturnType<typeof Database.prototype.prepare<Row, Params>>
  }

  /** Runs a statement that is not kept. */
  once<Row>(sql: string, params: SQLQueryBindings): Row[] {
    using statement = super.prepare<Row, SQLQueryBindings[]>(sql)
    return statement.all(params)
  }

  /** A second call does nothing. */
  override close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const statement of this.#statements.values()) statement.finalize()
    this.#statements.clear()
    try {
      this.run('pragma journal_size_limit = 0')
    } catch {
      // A damaged file may refuse even that; it is closed all the same.
    }
    super.close()
  }
}
