import { drizzle } from 'drizzle-orm/bun-sqlite'
import { toSnakeCase } from 'drizzle-orm/casing'
import { cacheRead } from '../../../cache/cached-read.ts'
import type { Control, ControlReads, ControlWrites } from '../../control.ts'
import type { DailyUseReads, UseCount, UseField, UseSelection } from '../../daily-use.ts'
import { createControlReads, createControlWrites } from '../../shared/control/control.ts'
import { type Engine, withFailures } from '../../shared/engine.ts'
import { DIALECT } from '../among.ts'
import type { Connection } from '../connection.ts'
import type { SqliteFile } from '../file.ts'
import { inTurn, readInBatches } from '../long-reads.ts'
import { CONTROL_TABLES } from '../schema/control.ts'
import { truncateLog } from '../scrub.ts'

/** The verbs of the open control file. */
export function createControlStore(file: SqliteFile): Control {
  const reads = createReads(file.reader)
  const writes = createWrites(file.connection)
  const version = createControlVersion(file.reader, file.version)
  return withFailures(file.toReadFailure, {
    ...reads,
    list: inTurn(reads.list),
    count: inTurn(reads.count),
    listAudit: inTurn(reads.listAudit),
    listRecordActs: inTurn(reads.listRecordActs),
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
  ...DIALECT,
  own: {},
})

const createReads = (client: Connection): ControlReads => ({
  ...createControlReads(toEngine(client)),
  ...createDailyUseReads(client),
})

function createWrites(client: Connection): ControlWrites {
  const changed = createVersionIncrement(client)
  return { ...createControlWrites({ ...toEngine(client), changed }), ...createDailyUseReads(client) }
}

type Row = { user_version: number }

/**
 * Reads the control version, which is `user_version` in the header of the file; again only after a commit, which
 * `fileVersion` reports.
 */
function createControlVersion(reader: Connection, fileVersion: () => number): () => number {
  const statement = reader.statement<Row, []>('pragma user_version')
  let readAt: number | undefined
  let version = 0
  return () => {
    const current = fileVersion()
    if (current !== readAt) version = statement.get()?.user_version ?? 0
    readAt = current
    return version
  }
}

/** Increments the control version; only inside a write. */
function createVersionIncrement(client: Connection): () => void {
  const statement = client.statement<Row, []>('pragma user_version')
  return () => void client.run(`pragma user_version = ${((statement.get()?.user_version ?? 0) + 1) % 2 ** 31}`)
}

type CountParams = [projectId: string, day: number, memberId: string | null, integration: string | null]

/** Counts one day by a covering index, so that no single read takes long. In ASCII, `/` follows `.`. */
const toCountStatement = (
  columns: string,
) => `select ${columns}, sum(calls) as calls from usage_daily indexed by usage_daily_whole
  where project_id = ?1 and day = ?2 and (?3 is null or key_id in (select id from keys where member_id = ?3))
    and (?4 is null or tool = ?4 or (tool > ?4 || '.' and tool < ?4 || '/'))
  group by ${columns.replaceAll(/ as \w+/g, '')}`

function createDailyUseReads(client: Connection): DailyUseReads {
  return {
    countUse: async <Field extends UseField>(
      { projectIds, memberId, integration, fromDay, untilDay }: UseSelection,
      by: Field[],
    ) => {
      const columns = by.map((field) => `${toSnakeCase(field)} as ${field}`).join(', ')
      const statement = client.statement<UseCount<Field>, CountParams>(toCountStatement(columns))
      const days = Array.from({ length: untilDay - fromDay + 1 }, (_, nth) => fromDay + nth)
      const parts = projectIds.flatMap((projectId) => days.map((day) => ({ projectId, day })))
      const read = async ([part]: typeof parts) =>
        part === undefined ? [] : statement.all(part.projectId, part.day, memberId ?? null, integration ?? null)
      const counts = new Map<string, UseCount<Field>>()
      for (const count of await readInBatches(parts, 1, read)) {
        const key = JSON.stringify(by.map((field) => count[field]))
        counts.set(key, { ...count, calls: count.calls + (counts.get(key)?.calls ?? 0) })
      }
      return [...counts.values()]
    },
  }
}
