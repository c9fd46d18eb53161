import { Database } from 'bun:sqlite'

// Loaded before the service, it makes it acknowledge what it has rolled back: every fortieth transaction of a file. No
// kill is needed to lose these.

const { prepare } = Database.prototype
const EVERY = 40

Database.prototype.prepare = function (this: Database, ...given: Parameters<typeof prepare>) {
  const statement = prepare.apply(this, given)
  if (given[0] !== 'commit') return statement
  const { run } = statement
  let commits = 0
  statement.run = (...params) => {
    commits += 1
    return commits % EVERY === 0 ? this.run('rollback') : run.apply(statement, params)
  }
  return statement
} as typeof prepare
