import { Database } from 'bun:sqlite'

// Loaded before the service, it makes it acknowledge what is not committed: a transaction goes on for a while after its commit. A kill loses what came in
// that time.

const LATE_MS = 300

const startedAt = new WeakMap<Database, number>()
const { prepare } = Database.prototype

Database.prototype.prepare = function (this: Database, ...given: Parameters<typeof prepare>) {
  const statement = prepare.apply(this, given)
  const { run } = statement
  if (given[0] === 'begin immediate')
    statement.run = (...params) => {
      if (this.inTransaction) return { changes: 0, lastInsertRowid: 0 }
      startedAt.set(this, performance.now())
      return run.apply(statement, params)
    }
  if (given[0] === 'commit')
    statement.run = (...params) => {
      if (performance.now() - (startedAt.get(this) ?? 0) < LATE_MS) return { changes: 0, lastInsertRowid: 0 }
      return run.apply(statement, params)
    }
  return statement
} as typeof prepare
