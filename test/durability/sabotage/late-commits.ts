import { Database } from 'bun:sqlite'

// Loaded before the service, it makes it acknowledge what is not committed: the first transaction of a file stays open,
// and takes up all that come after it. A kill loses them.

const { prepare } = Database.prototype

Database.prototype.prepare = function (this: Database, ...given: Parameters<typeof prepare>) {
  const statement = prepare.apply(this, given)
  const { run } = statement
  if (given[0] === 'begin immediate')
    statement.run = (...params) =>
      this.inTransaction ? { changes: 0, lastInsertRowid: 0 } : run.apply(statement, params)
  if (given[0] === 'commit') statement.run = () => ({ changes: 0, lastInsertRowid: 0 })
  return statement
} as typeof prepare
