import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DamagedFile } from '../../errors.ts'
import type { StoredRecord } from '../record.ts'
import { toSelectList } from '../shared/project/sql.ts'
import type { Lost, Salvaged, SalvageReads } from '../store.ts'
import { isAsSaved } from './check/records.ts'
import { createDecoder, type Row } from './columns.ts'
import { Connection } from './connection.ts'
import { findMissingEnd } from './last-page.ts'
import { MISSING } from './open-file.ts'
import { createProjectReads } from './project/reads.ts'
import { CHECKED, toRecordOf } from './project/record-row.ts'

/** Records of a page: with the longest contents about 4 MB. */
const PAGE_RECORDS = 64

/**
 * Ways to the numbers of records that are not forgotten: by the table and by indexes, in both directions. Of a damaged
 * one, as many are found as stand before and behind the damage.
 */
const NUMBERS = [
  ['records not indexed', 'seq'],
  ['records indexed by records_by_key where forgotten_at is null', 'key_hash'],
  ['records indexed by records_by_saved where forgotten_at is null', 'saved_at'],
  ['records indexed by records_id_unique', 'id'],
].flatMap(([table, key]) => ['asc', 'desc'].map((order) => `select seq from ${table} order by ${key} ${order}`))

const FORGOTTEN = 'select seq from records indexed by records_by_forgotten where forgotten_at is not null'
const IDS = 'select seq, id from records indexed by records_id_unique order by id'
const RECORD_BY_SEQ = `select ${toSelectList(CHECKED)} from records where seq = ?`

type SalvagedRow = StoredRecord & Parameters<typeof toRecordOf>[0]
const toSalvaged = createDecoder<SalvagedRow>(CHECKED)

/**
 * Reads the records of a project's file that are not forgotten and have a number after `afterSeq`, as far as damage
 * lets them be read, in order of number. The last page names those that cannot be read, or are not as they were saved.
 * Changes nothing. Blocks for seconds per million records: for commands alone.
 *
 * @throws DamagedFile if nothing can be read, or the file is of another project; errors of SQLite if it is no database.
 */
export async function* salvageRecords(path: string, projectId: string, afterSeq: number): AsyncGenerator<Salvaged> {
  if (!existsSync(path)) throw new DamagedFile(`${path} ${MISSING}`)
  const { connection, close } = await openLeniently(path)
  try {
    requireOwner(connection, path, projectId)
    const all = listNumbers(connection)
    if (all.length === 0) connection.run('select 1 from records limit 1')
    const parts = new Set<string>()
    const names = toLenient(createProjectReads(connection), (part) => parts.add(part))
    const lost = new Set<number>()
    const numbers = all.filter((seq) => seq > afterSeq)
    for (let at = 0; at < numbers.length; at += PAGE_RECORDS) {
      yield { records: readPage(connection, numbers.slice(at, at + PAGE_RECORDS), lost), names }
    }
    yield {
      records: [],
      names,
      lost: { ids: toIds(connection, lost), further: countFurther(connection, all.length), parts: [...parts] },
    }
  } finally {
    await close()
  }
}

type Opened = { connection: Connection; close: () => Promise<void> }

/**
 * Opens a file without changing it; one that is cut off, which SQLite refuses, as a copy that has zeros for what is
 * missing.
 */
async function openLeniently(path: string): Promise<Opened> {
  const connection = openForReading(path)
  try {
    connection.run('select 1 from sqlite_schema limit 1')
    return { connection, close: async () => connection.close() }
  } catch (error) {
    connection.close()
    const length = findMissingEnd(path)
    if (length === undefined) throw error
    return openPadded(path, length)
  }
}

function openForReading(path: string): Connection {
  // One that may write would move the WAL into the file when it is closed; without a WAL, only such a one can open the
  // file.
  const connection = new Connection(path, existsSync(`${path}-wal`) ? 'readonly' : 'readwrite')
  connection.run('pragma query_only = 1')
  return connection
}

async function openPadded(path: string, length: number): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-salvage-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'copy')
    for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) await copyFile(path + suffix, copy + suffix)
    await truncate(copy, length)
    const connection = openForReading(copy)
    const close = async () => {
      connection.close()
      await remove()
    }
    return { connection, close }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Throws if another project's file is in its place: nothing of that may be shown. */
function requireOwner(connection: Connection, path: string, projectId: string): void {
  collect<{ id: string }>(connection, 'select project_id as id from identity', ({ id }) => {
    if (id !== projectId) throw new DamagedFile(`${path} is the file of project '${id}'`)
  })
}

/** Takes the rows of a statement up to the first that cannot be read. */
function collect<Found>(connection: Connection, sql: string, take: (row: Found) => void): void {
  try {
    for (const row of connection.prepare<Found, []>(sql).iterate()) take(row)
  } catch (error) {
    if (error instanceof DamagedFile) throw error
  }
}

function listNumbers(connection: Connection): number[] {
  const found = new Set<number>()
  for (const sql of NUMBERS) collect<{ seq: number }>(connection, sql, ({ seq }) => found.add(seq))
  collect<{ seq: number }>(connection, FORGOTTEN, ({ seq }) => found.delete(seq))
  return [...found].sort((a, b) => a - b)
}

/** How many records more than those whose numbers are known the project counts. */
function countFurther(connection: Connection, known: number): Lost['further'] {
  let counted = 0
  collect<{ records: number }>(connection, 'select records from usage', ({ records }) => {
    counted = records
  })
  return Math.max(0, counted - known)
}

/** Adds the numbers of what cannot be read, or was changed by the damage, to `lost`. */
function readPage(connection: Connection, numbers: number[], lost: Set<number>): StoredRecord[] {
  return numbers.flatMap((seq) => {
    const row = readRow(connection, seq)
    if (row !== undefined && row.forgottenAt !== null) return []
    if (row !== undefined && isAsSaved(row)) return [toRecordOf(row)]
    lost.add(seq)
    return []
  })
}

function readRow(connection: Connection, seq: number): SalvagedRow | undefined {
  try {
    const row = connection.prepare<Row<SalvagedRow>, [number]>(RECORD_BY_SEQ).get(seq)
    return row === null ? undefined : toSalvaged(row)
  } catch {
    return undefined
  }
}

/** The ids of records by their numbers, as far as they are known. */
function toIds(connection: Connection, numbers: Set<number>): string[] {
  const ids = new Map([...numbers].map((seq) => [seq, `number ${seq}`]))
  if (ids.size > 0)
    collect<{ seq: number; id: string }>(connection, IDS, ({ seq, id }) => ids.has(seq) && ids.set(seq, id))
  return [...ids.values()]
}

/** A workspace whose name is lost is named by its number, and a source whose state is lost has none; `lose` is told. */
function toLenient({ findWorkspacesById, findSourceStates }: SalvageReads, lose: (part: string) => void): SalvageReads {
  return {
    findWorkspacesById: (ids) =>
      findWorkspacesById(ids).catch(() => {
        lose('names of workspaces')
        return ids.map((id) => ({ id, name: `workspace-${id}`, createdAt: 0, removedAt: null }))
      }),
    findSourceStates: (sources) =>
      findSourceStates(sources).catch(() => {
        lose('states of sources')
        return sources.map(() => undefined)
      }),
  }
}
