import { type Column, getTableColumns } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { StoredRecord, Visible } from '../../record.ts'
import type * as project from '../../sqlite/schema/project.ts'
import type { Engine } from '../engine.ts'

export type Columns = Record<string, Column>
export type Params = Record<string, string | number | boolean | null | Uint8Array | string[] | number[] | object[]>

/**
 * What statements on a project's data that both engines share need of an engine. They are written as SQL text with
 * named parameters (`$name`), and in a few places with a fragment of the engine, since a builder takes longer to write
 * a statement than SQLite to run it.
 */
export type ProjectSql = {
  /**
   * Runs a statement. Fields of rows that are named in `columns` are converted as the query builder would convert them.
   * Texts are part of the code, never of what somebody wrote.
   */
  all: <Row>(text: string, params: Params, columns?: Columns) => Promise<Row[]>
  /** Runs a statement that has many variants, depending on what is asked for. */
  allOnce: ProjectSql['all']
  /** Runs a statement that changes rows. Returns how many. */
  run: (text: string, params: Params) => Promise<number>
  /** The same where nobody asks how many: a database server is sent it together with the next statement. */
  later: (text: string, params: Params) => Promise<void>
  /** Whether a row is of the project. */
  own: (table?: string) => string
  /** The column of the project in front of others, and its value: empty in a file of its own. */
  lead: { column: string; value: string }
  /** Names the index by which a table is read: SQLite knows nothing of how rows are distributed. */
  by: (index: string) => string
  /** What a row's place in its table is called. */
  place: string
  /** Texts of a list that is a parameter, to be compared with. */
  texts: (param: string) => string
  /** Numbers of a list that is a parameter, each a row with the one column `number`. */
  numbers: (param: string) => string
  /** Rows of a list that is a parameter, with these columns. */
  rows: (param: string, columns: Columns) => string
  /**
   * Joins, as `records`, the record with the number in a column of what stands before: by its primary key, whatever the
   * planner knows of the table.
   */
  joinRecord: (number: string) => string
  /** The numbers that a query finds, as one text that `parseNumbers` reads: null for none. */
  listOf: (query: string) => string
  /** A read of a part of a long list, as one before which other work goes on: waiting for a server, it does anyway. */
  inTurn: <Args extends unknown[], Result>(
    read: (...args: Args) => Promise<Result>,
  ) => (...args: Args) => Promise<Result>
  /** Reads what is known of many records: all at once, or as many at a time as `size` says. */
  inBatches: <Row>(seqs: number[], size: number, read: (batch: number[]) => Promise<Row[]>) => Promise<Row[]>
  /** How many rows a scan in slices examines first, and after a slice of `size` that took so many milliseconds. */
  sizeOfSlice: (before?: { size: number; ms: number }) => number
  record: RecordLists & CheckedRecords
}

/** Lists one after the other, each with an order and a limit of its own. */
export const unionOf = (lists: string[]): string =>
  lists.map((list, at) => `select * from (${list}) as list_${at}`).join(' union all ')

export const parseNumbers = (list: string | null): number[] => (list === null ? [] : list.split(',').map(Number))

/**
 * The columns of a record, and the select lists of a whole one and of its head. The content comes last: in SQLite,
 * columns behind a long one are slow to reach.
 */
type RecordLists = { columns: Columns; whole: string; head: string }

/**
 * The select list of a record that is compared with its checksum, where the engine keeps one, and the comparison.
 * @throws DamagedFile
 */
type CheckedRecords = { checked: string; requireAsSaved: (row: StoredRecord) => StoredRecord }

/** The largest number that a record can have. */
export const MAX_SEQ = 2 ** 31 - 1

/** Columns that no reader of a record sees. */
const INNER = [
  'projectId',
  'rowCheck',
  'keyHash',
  'contentHash',
  'saveHash',
  'contentBytes',
  'length',
  'codes',
  'terms',
  'language',
]
const COMPUTED = ['savedAt', 'rankedAt', 'sourceName']

/** The columns of a record that are part of `StoredRecord`. */
export function toRecordColumns(records: ProjectTables['records']): {
  [Name in keyof StoredRecord]: ProjectTables['records'][Name]
} {
  const columns = Object.entries(getTableColumns(records)).filter(
    ([name]) => !INNER.includes(name) && !COMPUTED.includes(name),
  )
  return Object.fromEntries(columns) as ReturnType<typeof toRecordColumns>
}

export function toRecordLists(records: ProjectTables['records']): RecordLists {
  const { content: _content, ...head } = toRecordColumns(records)
  return {
    columns: toRecordColumns(records),
    whole: `${toSelectList(head)}, records.content`,
    head: toSelectList(head),
  }
}

/**
 * A select list whose rows have the names of the fields: `records.id as "id", records.workspace_id as "workspaceId",
 * …`.
 */
export const toSelectList = (columns: Columns, table = 'records'): string =>
  Object.keys(columns)
    .map((name) => `${table}.${toSnakeCase(name)} as "${name}"`)
    .join(', ')

/** An audience that no record has. */
export const NOBODY = ''

/** The condition that a row's audience is visible, with the parameters of `toVisibleParams`. */
export const isVisible = (visible: Visible, column = 'audience'): string =>
  visible === undefined ? 'true' : `${column} in ($v1, $v2, $v3)`

/** The audiences of a caller, at most three: project, department, own. */
export function toVisibleParams(visible: Visible): Params {
  if (visible === undefined) return {}
  const [v1 = NOBODY, v2 = v1, v3 = v1] = visible
  return { v1, v2, v3 }
}

/** Ids of removed workspaces, which are few. */
export const toRemovedWorkspaces = ({ own, by }: ProjectSql): string =>
  `(select id from workspaces ${by('workspaces_removed')} where ${own()} and removed_at is not null)`

/** A place in a list: its columns, and the number of a row. */
export type Place = { seq: number } & Record<string, string | number>

/**
 * Conditions that together select the rows after a place up to and including `end`, in a list in the order of `columns`
 * and of numbers. Each selects one range of an index. Their parameters are those of `toRangeParams`.
 */
export function toRanges(columns: string[], place: Place, end: Place, way: 'up' | 'down' = 'up'): string[] {
  const [beyond, within] = way === 'up' ? ['>', '<'] : ['<', '>']
  const list = `(${columns.join(', ')})`
  const [start, stop] = ['$', '$end_'].map((prefix) => `(${columns.map((name) => `${prefix}${name}`).join(', ')})`)
  const rest = `${list} = ${start} and seq ${beyond} $seq`
  const isUntil = `seq ${within}= $end_seq`
  if (columns.every((name) => place[name] === end[name])) return [`${rest} and ${isUntil}`]
  return [rest, `${list} ${beyond} ${start} and ${list} ${within} ${stop}`, `${list} = ${stop} and ${isUntil}`]
}

export const toRangeParams = (place: Place, end: Place): Params => ({
  ...place,
  ...Object.fromEntries(Object.entries(end).map(([name, value]) => [`end_${name}`, value])),
})

/**
 * The next `$examine` rows of a list in the order of `columns` and of numbers, after the place that parameters with the
 * names of the columns and `$seq` say. Rows with the same columns are read first and those beyond then, since SQLite
 * does not use an index for a comparison that ends with the number.
 */
export function toPage(from: string, fields: string, columns: string[], way: 'up' | 'down' = 'up'): string {
  const [beyond, order] = way === 'up' ? ['>', 'asc'] : ['<', 'desc']
  const isSame = columns.map((column) => `${column} = $${column}`).join(' and ')
  const isBeyond = `(${columns.join(', ')}) ${beyond} (${columns.map((column) => `$${column}`).join(', ')})`
  const orderOf = (names: string[]) => names.map((name) => `${name} ${order}`).join(', ')
  return `(select * from (
    select * from (select ${fields} ${from} and ${isSame} and seq ${beyond} $seq order by seq ${order} limit $examine) as same
    union all
    select * from (select ${fields} ${from} and ${isBeyond} order by ${orderOf([...columns, 'seq'])} limit $examine) as further
  ) as page limit $examine)`
}

/** Tables of a project whose statements are the same on both engines. */
export type ProjectTables = Pick<
  typeof project,
  | 'audienceStats'
  | 'importedSources'
  | 'languages'
  | 'questions'
  | 'recentStates'
  | 'records'
  | 'releases'
  | 'sources'
  | 'workspaceAudiences'
  | 'workspaces'
>
export type ProjectEngine = Engine<ProjectTables>
