import { and, eq } from 'drizzle-orm'
import { type Audience, bytesOf, type IndexEntry, type NewRecord, type StoredRecord } from '../../record.ts'
import type { RecordChange, RecordWrites } from '../../record-writes.ts'
import { toContentHash, toKeyHash, toSaveHash } from '../../save-hash.ts'
import type { SearchWrites } from '../../search.ts'
import { isOwn } from '../engine.ts'
import type { ProjectEngine, ProjectSql, ProjectTables } from './sql.ts'

/** Erases forgotten records; `removed` is called if there were any. */
function createTrashWrites({ run, own }: ProjectSql, removed: () => void): Pick<RecordWrites, 'purgeForgotten'> {
  const purge = `delete from records where ${own()} and seq in (select seq from records where ${own()} and forgotten_at < $before limit $limit)`
  return {
    purgeForgotten: async (before, limit) => {
      const erased = await run(purge, { before, limit })
      if (erased > 0) removed()
      return erased
    },
  }
}

/** How many superseders of a record are followed. */
const MAX_SUPERSEDERS = 1_000

/**
 * Returns a function that tells whether the superseders from a record on lead to the record `id`, or are too many to
 * tell. A forgotten record has none.
 */
function createLeading({ all, own }: ProjectSql): (id: string, by: string) => Promise<boolean> {
  const text = `with recursive superseders (id, number) as (
      select superseded_by, 2 from records where ${own()} and id = $by and superseded_by is not null
      union all
      select next.superseded_by, number + 1 from superseders join records as next on ${own('next')} and next.id = superseders.id
        where next.superseded_by is not null and superseders.id <> $id and number <= ${MAX_SUPERSEDERS}
    ) select 1 as one from superseders where superseders.id = $id or number > ${MAX_SUPERSEDERS} limit 1`
  return async (id, by) => id === by || (await all(text, { id, by })).length > 0
}

type Row = ProjectTables['records']['$inferSelect']
type Texts = Pick<StoredRecord, 'content' | 'askedAs' | 'factKey' | 'sourceId' | 'audience' | 'authorId'>

/** The columns that are computed of a record's texts. */
export function toComputed(record: Texts): Pick<Row, 'contentHash' | 'saveHash' | 'keyHash'> {
  const contentHash = toContentHash(record.content)
  return { contentHash, saveHash: toSaveHash(record, contentHash), keyHash: toKeyHash(record.factKey) }
}

/** The columns of an index entry. */
export const toEntryColumns = ({ length, language, codes }: IndexEntry) => ({ length, language, codes })

/** A row of a record with all that both engines compute of it, but the number. */
export const toRow = ({ entry, ...record }: NewRecord) => ({
  ...record,
  ...toComputed(record),
  ...toEntryColumns(entry),
})

/** What is read of a row before it changes: the length of its texts, not the content. */
export type Before = Pick<
  Row,
  'seq' | 'workspaceId' | 'audience' | 'authorId' | 'sourceId' | 'factKey' | 'contentHash'
> & {
  contentBytes: number
}

/** The record that an index entry is of, and who sees it. */
type Indexed = { seq: number; workspaceId: number; audience: Audience }

/** How an engine changes the rows of records, its index, and what it counts, all inside a write. */
export type RecordEngine<Found extends Before> = {
  /** Returns the record's number. */
  insertRow: (record: NewRecord) => number | Promise<number>
  findRow: (id: string) => Found | undefined | Promise<Found | undefined>
  /** `before` is the row, if it was read. */
  changeRow: (id: string, change: Partial<Row>, before?: Found | Row) => void | Promise<void>
  /** Columns that are computed of texts, and those of an index entry, with the ones that the engine alone has. */
  toComputed: (texts: Texts) => Partial<Row>
  toEntryColumns: (entry: IndexEntry) => Partial<Row>
  /** `isNew` if no record has a larger number. */
  insertEntry: (record: Indexed, entry: IndexEntry, isNew?: 'new') => void
  deleteEntry: (row: Found) => void
  addAudience: (workspaceId: number, audience: Audience) => void
  /** Counts a record more or less, and its bytes. */
  count: (by: 1 | -1, contentBytes: number) => void
  /** Counts that records were forgotten, restored or erased, or their texts changed. */
  noteRemoval: () => void
  /** Notes that texts were erased. */
  noteErased: () => void
}

const TEXTS = ['content', 'askedAs', 'factKey', 'sourceId'] as const

/** Changes of records, with their index entries and what is counted of them. */
export function createRecordWrites<Found extends Before>(
  sql: ProjectSql,
  { db, own, tables: { records } }: ProjectEngine,
  engine: RecordEngine<Found>,
): Pick<
  RecordWrites & SearchWrites,
  'insertRecord' | 'updateRecord' | 'supersede' | 'forgetRecord' | 'restoreRecord' | 'replaceEntry' | 'purgeForgotten'
> {
  const { insertRow, findRow, changeRow, insertEntry, deleteEntry, addAudience, count, noteRemoval, noteErased } =
    engine
  const leadsBack = createLeading(sql)

  function require<Value>(id: string, row: Value | undefined): Value {
    if (row === undefined) throw new Error(`no row of record ${id}`)
    return row
  }

  async function supersede(id: string, by: string): Promise<boolean> {
    const before = await findRow(id)
    if (before === undefined || (await leadsBack(id, by))) return false
    await changeRow(id, { status: 'superseded', supersededBy: by }, before)
    return true
  }

  /** Changes texts, and the columns that are computed of them; counts the bytes of a record that is not forgotten. */
  async function changeTexts(id: string, change: RecordChange): Promise<void> {
    const [found] = await db
      .select()
      .from(records)
      .where(and(isOwn({ own }, records), eq(records.id, id)))
    const before = require(id, found)
    const after = { ...before, ...change }
    await changeRow(id, { ...change, ...engine.toComputed(after) }, before)
    if (before.forgottenAt === null) {
      count(1, bytesOf(after))
      count(-1, bytesOf(before))
    }
    noteRemoval()
    noteErased()
  }

  return {
    insertRecord: async (whole) => {
      const { entry, ...record } = whole
      const { id, workspaceId, audience, supersededBy } = record
      const seq = await insertRow({ ...whole, supersededBy: null })
      addAudience(workspaceId, audience)
      insertEntry({ seq, workspaceId, audience }, entry, 'new')
      count(1, bytesOf(record))
      if (supersededBy !== null && !(await supersede(id, supersededBy)))
        throw new Error(`record ${id} would be superseded by itself`)
      return { seq, ...record }
    },
    updateRecord: async (id, change) => {
      const isOfTexts = TEXTS.some((text) => change[text] !== undefined)
      await (isOfTexts ? changeTexts(id, change) : changeRow(id, change))
    },
    supersede,
    forgetRecord: async (id, forgottenAt) => {
      const before = require(id, await findRow(id))
      // Restoring computes the tokens again.
      await changeRow(id, { forgottenAt, codes: null }, before)
      deleteEntry(before)
      count(-1, before.contentBytes)
      noteRemoval()
    },
    restoreRecord: async (id, { workspaceId, audience }, entry) => {
      const before = require(id, await findRow(id))
      const saveHash = toSaveHash({ ...before, audience }, before.contentHash)
      const change = { forgottenAt: null, workspaceId, audience, saveHash, ...engine.toEntryColumns(entry) }
      await changeRow(id, change, before)
      addAudience(workspaceId, audience)
      insertEntry({ seq: before.seq, workspaceId, audience }, entry)
      count(1, before.contentBytes)
      noteRemoval()
    },
    replaceEntry: async (record, entry) => {
      const before = require(record.id, await findRow(record.id))
      await changeRow(record.id, engine.toEntryColumns(entry), before)
      deleteEntry(before)
      insertEntry(record, entry)
    },
    ...createTrashWrites(sql, () => {
      noteRemoval()
      noteErased()
    }),
  }
}
