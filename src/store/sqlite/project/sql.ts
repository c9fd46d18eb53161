import type { SQLQueryBindings } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { DamagedFile } from '../../../errors.ts'
import {
  type Columns,
  type Params,
  type ProjectEngine,
  type ProjectSql,
  toRecordLists,
  toSelectList,
} from '../../shared/project/sql.ts'
import { DIALECT } from '../among.ts'
import { createDecoder } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { inTurn, readInBatches } from '../long-reads.ts'
import * as project from '../schema/project.ts'
import { records } from '../schema/project.ts'
import { CHECKED, toRecordOf, toRowCheck } from './record-row.ts'

/**
 * What statements that both engines share need of a connection to a project's file. Its queries are awaited as those of
 * an asynchronous driver are.
 */
export const toEngine = (client: Connection): ProjectEngine => ({
  db: drizzle({ client, casing: 'snake_case' }) as unknown as ProjectEngine['db'],
  tables: project,
  ...DIALECT,
  own: {},
})

const RECORD = { ...toRecordLists(records), checked: toSelectList(CHECKED) }

/** Number of positions in the first slice of a list, and bounds for further ones. */
const FIRST_SLICE = 128
const MIN_SLICE = 16
const MAX_SLICE = 1 << 14
/** Target duration of a slice: if one takes longer, the next has half as many positions, otherwise twice as many. */
const SLICE_MS = 3

type Decoder = ReturnType<typeof createDecoder<object>>
const decoders = new WeakMap<Columns, Decoder>()

function decoderOf(columns: Columns): Decoder {
  const decoder = decoders.get(columns) ?? createDecoder<object>(columns)
  decoders.set(columns, decoder)
  return decoder
}

/** Lists go as JSON. */
const toBound = (params: Params) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]),
  ) as Record<string, string>

/** Runs statements on a connection to a project's file. */
export function createSql(client: Connection): ProjectSql {
  const decode = <Row>(rows: object[], columns: Columns | undefined) =>
    (columns === undefined ? rows : rows.map(decoderOf(columns))) as Row[]
  return {
    all: async (text, params, columns) =>
      decode(client.prepare<object, SQLQueryBindings>(text).all(toBound(params)), columns),
    allOnce: async (text, params, columns) => decode(client.once<object>(text, toBound(params)), columns),
    run: async (text, params) => client.prepare<unknown, SQLQueryBindings>(text).run(toBound(params)).changes,
    later: async (text, params) => void client.prepare<unknown, SQLQueryBindings>(text).run(toBound(params)),
    own: () => 'true',
    lead: { column: '', value: '' },
    by: (index) => `indexed by ${index}`,
    place: 'rowid',
    texts: (param) => `(select value from json_each($${param}))`,
    numbers: (param) => `(select value as number from json_each($${param}))`,
    rows: (param, columns) => {
      const fields = Object.keys(columns).map((name) => `value ->> '${name}' as "${name}"`)
      return `(select ${fields.join(', ')} from json_each($${param})) as ${param}`
    },
    joinRecord: (number) => `cross join records on records.seq = ${number}`,
    listOf: (query) => `(select group_concat(seq) from (${query}))`,
    inTurn,
    inBatches: readInBatches,
    sizeOfSlice: (before) => {
      if (before === undefined) return FIRST_SLICE
      return before.ms > SLICE_MS ? Math.max(MIN_SLICE, before.size / 2) : Math.min(MAX_SLICE, before.size * 2)
    },
    record: {
      ...RECORD,
      requireAsSaved: (row) => {
        const checked = row as Parameters<typeof toRecordOf>[0]
        if (checked.rowCheck !== toRowCheck(checked))
          throw new DamagedFile(`${client.filename} is damaged: record ${row.id} is not as it was saved`)
        return toRecordOf(checked)
      },
    },
  }
}
