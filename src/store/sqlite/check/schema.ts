import { Connection } from '../connection.ts'
import { APPLICATION_ID, type Kind } from '../file.ts'
import { isMigrated, migrate } from '../migrate.ts'
import { migrations } from '../migrations.ts'

/** Objects that Litestream adds to each file that it replicates. */
const FOREIGN = /^\w+ _litestream_\w+$/

type Entry = { type: string; name: string; table: string; sql: string | null }

const ENTRIES = 'select type, name, tbl_name as "table", sql from sqlite_schema order by type, name'

/** Tables and indexes of the file that differ from those that the first `applied` migrations create. */
export function findChangedSchema(connection: Connection, kind: Kind, applied: number): string[] {
  const expected = toTexts(readFreshSchema(kind, applied))
  const found = toTexts(connection.query<Entry, []>(ENTRIES).all())
  const differing = [...expected].filter(([name, sql]) => found.get(name) !== sql)
  const unknown = [...found.keys()].filter((name) => !expected.has(name) && !FOREIGN.test(name))
  return [
    ...differing.map(([name]) => `${name} is not as this version makes it`),
    ...unknown.map((name) => `${JSON.stringify(name)} is not of this version`),
  ]
}

/** Number of migrations applied to the file. Throws a DataError if it has others than this version knows. */
export function countApplied(connection: Connection, kind: Kind): number {
  return isMigrated(connection, migrations[kind])
    ? migrations[kind].length
    : (connection.query<{ n: number }, []>('select count(*) as n from migrations').get()?.n ?? 0)
}

function readFreshSchema(kind: Kind, applied: number): Entry[] {
  const fresh = new Connection(':memory:')
  try {
    migrate(fresh, migrations[kind].slice(0, applied), APPLICATION_ID[kind], 0)
    return fresh.query<Entry, []>(ENTRIES).all()
  } finally {
    fresh.close()
  }
}

const toTexts = (entries: Entry[]) =>
  new Map(entries.map(({ type, name, table, sql }) => [`${type} ${name}`, `${table} ${sql}`]))
