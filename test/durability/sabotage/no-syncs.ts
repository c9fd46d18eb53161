import { Database } from 'bun:sqlite'

// Loaded before the service, it makes it acknowledge what is not on the disk: nothing is synchronised. A kill loses
// nothing by that, a power cut does.

const { run } = Database.prototype

Database.prototype.run = function (this: Database, ...given: Parameters<typeof run>) {
  const [sql, ...rest] = given
  return run.call(this, sql === 'pragma synchronous = full' ? 'pragma synchronous = off' : sql, ...rest)
} as typeof run
