import { Connection } from '../connection.ts'
import { APPLICATION_ID, type Kind } from '../file.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations.ts'

type Entry = { type: string; name: string; sql: string | null }

const ENTRIES = 'select type, name, sql from sqlite_schema order by type, name'

/** Tables and indexes of the file that are not as its migrations make them. */
export function findChangedSchema(connection: Connection, kind: Kind): string[] {
  const expected = toTexts(readFreshSchema(kind))
  const found = toTexts(connection.query<Entry, []>(ENTRIES).all())
  const differing = [...expected].filter(([name, sql]) => found.get(name) !== sql)
  const unknown = [...found.keys()].filter((name) => !expected.has(name))
  return [
    ...differing.map(([name]) => `${name} is not as this version makes it`),
    ...unknown.map((name) => `${JSON.stringify(name)} is not of this version`),
  ]
}

function readFreshSchema(kind: Kind): Entry[] {
  const fresh = new Connection(':memory:')
  try {
    migrate(fresh, migrations[kind], APPLICATION_ID[kind], 0)
    return fresh.query<Entry, []>(ENTRIES).all()
  } finally {
    fresh.close()
  }
}

const toTexts = (entries: Entry[]) => new Map(entries.map(({ type, name, sql }) => [`${type} ${name}`, sql]))
