import { type Changes, constants, Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'

/** A statement that is prepared at its first use. A class, of which two hundred are made for each project's file that is opened: four functions for each would take twice as long. */
export class LazyStatement<Row, Params extends SQLQueryBindings[]> {
  readonly #connection: Connection
  readonly #sql: string
  #prepared: Statement<Row, Params> | undefined

  constructor(connection: Connection, sql: string) {
    this.#connection = connection
    this.#sql = sql
  }

  all(...params: Params): Row[] {
    return this.#prepare().all(...params)
  }

  get(...params: Params): Row | null {
    return this.#prepare().get(...params)
  }

  run(...params: Params): Changes {
    return this.#prepare().run(...params)
  }

  values(...params: Params): ReturnType<Statement<Row, Params>['values']> {
    return this.#prepare().values(...params)
  }

  #prepare(): Statement<Row, Params> {
    this.#prepared ??= this.#connection.prepare<Row, Params>(this.#sql) as Statement<Row, Params>
    return this.#prepared
  }
}

/**
 * A connection that closes its file when it is closed. SQLite keeps a file open as long as one of its statements is not finalized, so each that is prepared here is kept,
 * once for each text, and finalized with the connection. The texts are those of the code and of the query builder: some hundred, none made of what a caller sent.
 */
export class Connection extends Database {
  readonly #statements = new Map<string, Statement>()
  #isClosed = false

  constructor(path: string, mode: 'readwrite' | 'readonly' = 'readwrite') {
    super(path, { [mode]: true, strict: true })
    // Savepoints and sorting need temporary room. In memory, so that no folder but that of the data has to be writable.
    this.run('pragma temp_store = memory')
    // The log and its index stay, empty, when the file is closed: on a full disk or a read-only one they could not be made again, and the file not be read.
    this.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  }

  /** For statements that are used many times, or never: a project's file has a hundred of them, of which a save uses ten. */
  statement<Row, Params extends SQLQueryBindings[] = SQLQueryBindings[]>(sql: string): LazyStatement<Row, Params> {
    return new LazyStatement(this, sql)
  }

  override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(sql: string) {
    const statement = this.#statements.get(sql) ?? super.prepare(sql)
    this.#statements.set(sql, statement)
    return statement as ReturnType<typeof Database.prototype.prepare<Row, Params>>
  }

  /** A second time does nothing. */
  override close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const statement of this.#statements.values()) statement.finalize()
    this.#statements.clear()
    this.run('pragma journal_size_limit = 0')
    super.close()
  }
}
