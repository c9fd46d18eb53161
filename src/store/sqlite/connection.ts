import { constants, Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'

/** A statement that is prepared at its first use. */
export type LazyStatement<Row, Params extends SQLQueryBindings[]> = Pick<Statement<Row, Params>, 'all' | 'get' | 'run' | 'values'>

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
    let prepared: Statement<Row, Params> | undefined
    const prepare = () => {
      prepared ??= this.prepare<Row, Params>(sql) as Statement<Row, Params>
      return prepared
    }
    return {
      all: (...params) => prepare().all(...params),
      get: (...params) => prepare().get(...params),
      run: (...params) => prepare().run(...params),
      values: (...params) => prepare().values(...params),
    }
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
