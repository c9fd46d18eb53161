import { and, between, type Column, eq, gt, inArray, lt, or, sql, sum } from 'drizzle-orm'
import { cacheRead } from '../../../cache/cached-read.ts'
import type { Control, ControlReads, ControlWrites } from '../../control.ts'
import type { DailyUseReads, UseCount, UseField, UseSelection } from '../../daily-use.ts'
import { createControlReads, createControlWrites } from '../../shared/control/control.ts'
import { type Engine, toCause, type WriteEngine, withFailures } from '../../shared/engine.ts'
import type { StoreEvents } from '../../store.ts'
import { DIALECT } from '../among.ts'
import { type Announcements, listen } from '../announcements.ts'
import type { Pool } from '../pool.ts'
import { createDatabase, createReadRun, createWriter } from '../run.ts'
import { CONTROL_TABLES, controlVersion } from '../schema/control.ts'
import { NEXT_VERSION } from '../version.ts'

/** Announces each commit that changes the control version. */
const CHANNEL = 'memsvc_control'

/**
 * The verbs of the control data. Every write locks the one row that has the control version. Where the `url` is given,
 * changes by other instances are listened for until `close`; otherwise the version is read at each use.
 */
export function createControlStore(
  pool: Pool,
  hooks: StoreEvents,
  url?: string,
): { control: Control; close: () => Promise<void> } {
  const read = createReadRun(pool, undefined)
  let announcements: Announcements | undefined
  const { version, forget } = createAnnouncedVersion(
    () => read(async ({ db }) => (await db.select().from(controlVersion))[0]?.version ?? 0),
    () => announcements?.isListening() ?? false,
  )
  announcements = url === undefined ? undefined : listen(url, CHANNEL, forget)
  let isChanged = false
  const changed = () => {
    isChanged = true
  }
  const write = createWriter(pool, undefined, {
    ...hooks,
    begin: () => [sql`select version from ${controlVersion} for update`],
    lengthOf: () => 0,
    begun: () => {
      isChanged = false
    },
    mark: () => {
      const before = isChanged
      return () => {
        isChanged = before
      }
    },
    end: async () => {
      const changed = sql`update ${controlVersion} set version = greatest(version + 1, ${NEXT_VERSION}) returning 1`
      return isChanged ? [sql`with changed as (${changed}) select pg_notify(${CHANNEL}, '') from changed`] : []
    },
    committed: (acts, milliseconds) => {
      if (isChanged) forget()
      hooks.committed(acts, milliseconds)
    },
  })
  const reads = withFailures(toCause, createReads(toEngine(createDatabase(read))))
  const control: Control = {
    ...reads,
    // Names may lag by the delay of an announcement. Rights, keys and enabled integrations are read at each use.
    findAuthors: cacheRead(reads.findAuthors, version),
    version,
    write: (act) => write((connection) => act(createWrites({ ...toEngine(connection.db), changed }))),
    scrub: async () => {},
  }
  return { control, close: async () => announcements?.close() }
}

const toEngine = (db: unknown): Engine => ({
  db: db as Engine['db'],
  tables: CONTROL_TABLES,
  ...DIALECT,
  own: {},
})

const createReads = (engine: Engine): ControlReads => ({
  ...createControlReads(engine),
  ...createDailyUseReads(engine),
})

const createWrites = (engine: WriteEngine): ControlWrites => ({
  ...createControlWrites(engine),
  ...createDailyUseReads(engine),
})

function createDailyUseReads({ db, tables: { dailyUse, keys }, isAmong }: Engine): DailyUseReads {
  return {
    countUse: async <Field extends UseField>(selection: UseSelection, by: Field[]) => {
      const columns = Object.fromEntries(by.map((field) => [field, dailyUse[field]]))
      const isHeld = (memberId: string) =>
        inArray(dailyUse.keyId, db.select({ id: keys.id }).from(keys).where(eq(keys.memberId, memberId)))
      const { projectIds, memberId, integration, fromDay, untilDay } = selection
      const found = await db
        .select({ ...columns, calls: sum(dailyUse.calls).mapWith(Number) })
        .from(dailyUse)
        .where(
          and(
            isAmong(dailyUse.projectId, projectIds),
            between(dailyUse.day, fromDay, untilDay),
            memberId === undefined ? undefined : isHeld(memberId),
            integration === undefined ? undefined : isOf(dailyUse.tool, integration),
          ),
        )
        .groupBy(...Object.values(columns))
      return found as unknown as UseCount<Field>[]
    },
  }
}

/** Whether a tool is one of an integration. The signs `.` and `/` follow each other. */
const isOf = (tool: Column, slug: string) => or(eq(tool, slug), and(gt(tool, `${slug}.`), lt(tool, `${slug}/`)))

/** How long a cached version is used without an announcement, since announcements are lost when the network stalls. */
const TRUST_MS = 1_000

type AnnouncedVersion = {
  /**
   * The control version, cached while changes are announced. Lags behind commits of other instances by milliseconds, at
   * most a second.
   */
  version: () => Promise<number>
  /**
   * Drops the cached version; to be called after each announcement, and after each commit of this process that changed
   * it.
   */
  forget: () => void
}

/**
 * `read` asks the database; nothing is kept in memory unless `isListening`. `now` is a monotonic clock in milliseconds.
 */
export function createAnnouncedVersion(
  read: () => Promise<number>,
  isListening: () => boolean,
  now = () => performance.now(),
): AnnouncedVersion {
  let known: { version: number; readAt: number } | undefined
  let forgotten = 0
  return {
    version: async () => {
      const readAt = now()
      if (known !== undefined && readAt - known.readAt < TRUST_MS) return known.version
      const before = forgotten
      const version = await read()
      // What was announced meanwhile may be newer than what was read.
      known = isListening() && forgotten === before ? { version, readAt } : undefined
      return version
    },
    forget: () => {
      forgotten += 1
      known = undefined
    },
  }
}
