import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { cacheRead } from '../../../cache/cached-read.ts'
import type { Control, ControlReads, ControlWrites } from '../../control.ts'
import { createControlReads, createControlWrites } from '../../shared/control/control.ts'
import { type Engine, withFailures } from '../../shared/engine.ts'
import { isAmong, toRows } from '../among.ts'
import type { Connection } from '../connection.ts'
import type { SqliteFile } from '../file.ts'
import { inTurn } from '../long-reads.ts'
import { CONTROL_TABLES } from '../schema/control.ts'
import { truncateLog } from '../scrub.ts'
import { createDailyUseReads } from './daily-use.ts'
import { createControlVersion, createVersionIncrement } from './version.ts'

/** The verbs of the open control file. */
export function createControlStore(file: SqliteFile): Control {
  const reads = createReads(file.reader)
  const writes = createWrites(file.connection)
  const version = createControlVersion(file.reader, file.version)
  return withFailures(file.toReadFailure, {
    ...reads,
    listAudit: inTurn(reads.listAudit),
    listConnections: inTurn(reads.listConnections),
    // Read by every call of a tool.
    findKeyHolder: cacheRead(reads.findKeyHolder, version),
    findAuthors: cacheRead(reads.findAuthors, version),
    findConnectionHolder: cacheRead(reads.findConnectionHolder, version),
    listEnabledIntegrations: cacheRead(reads.listEnabledIntegrations, version),
    version: async () => version(),
    write: (act) => file.writer.write(() => act(writes)),
    scrub: async () => void (await truncateLog(file)),
  })
}

const toEngine = (client: Connection): Engine => ({
  // Its queries are awaited as those of an asynchronous driver are.
  db: drizzle({ client, casing: 'snake_case' }) as unknown as Engine['db'],
  tables: CONTROL_TABLES,
  place: sql`rowid`,
  own: {},
  isAmong,
  toRows,
})

const createReads = (client: Connection): ControlReads => ({ ...createControlReads(toEngine(client)), ...createDailyUseReads(client) })

function createWrites(client: Connection): ControlWrites {
  const changed = createVersionIncrement(client)
  return { ...createControlWrites({ ...toEngine(client), changed }), ...createDailyUseReads(client) }
}
