import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { toComparableKey } from '../../../text/comparable.ts'
import type { ProjectReads, ProjectWrites } from '../../project.ts'
import { bytesOf, type IndexEntry } from '../../record.ts'
import type { RecordChange } from '../../record-verbs.ts'
import { toSaveHash } from '../../save-hash.ts'
import { createSameReads } from '../../shared/project/facts.ts'
import { createImportedSourceWrites, eraseImportedSources } from '../../shared/project/imported-sources.ts'
import { createQuestionWrites } from '../../shared/project/questions.ts'
import { createReleaseWrites } from '../../shared/project/releases.ts'
import { createSourceWrites } from '../../shared/project/sources.ts'
import { type ProjectEngine, toSelectList } from '../../shared/project/sql.ts'
import { createWorkspaceChanges } from '../../shared/project/workspaces.ts'
import { createLeading, createTrashWrites } from '../../shared/project/writes.ts'
import type { WorkspaceWrites } from '../../workspace.ts'
import { createDecoder, type Row } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { records } from '../schema/project.ts'
import { markErased } from '../scrub.ts'
import type { Later } from '../writer.ts'
import { createIndexUpkeep } from './index/index-upkeep.ts'
import { createIndexWrites } from './index/word-index.ts'
import { CHECKED_HEAD, CONTENT_BYTES, createSaveWrites, toChangedCheck, toComputed } from './record-row.ts'
import { createSql, toEngine } from './sql.ts'

/** What is read of a row that changes: the length of its content and phrases, not the content. */
type Changed = Omit<typeof records.$inferSelect, 'content' | 'codes' | 'savedAt' | 'sourceName' | 'rankedAt'> & {
  contentBytes: number
}
const TEXTS = ['content', 'askedAs', 'factKey', 'sourceId'] as const
type Change = Partial<typeof records.$inferSelect>
const ROW = `select ${toSelectList(CHECKED_HEAD)}, ${CONTENT_BYTES} as contentBytes from records where id = ?`
const toChanged = createDecoder<Changed>(CHECKED_HEAD)

/** A project's changes; only inside a write. */
export function createProjectWrites(client: Connection, later: Later): Omit<ProjectWrites, keyof ProjectReads> {
  const db = drizzle({ client, casing: 'snake_case' })
  const engine = toEngine(client)
  const index = createIndexWrites(client, later)
  const { insertRow, addAudience, count, noteRemoval } = createSaveWrites(client)
  const rowOf = client.statement<Row<Changed>, [id: string]>(ROW)
  const sql = createSql(client)
  const leadsBack = createLeading(sql)

  /** The files may still have what was erased. */
  const noteErased = () => markErased(client)

  function requireRow(id: string): Changed {
    const row = rowOf.get(id)
    if (row === null) throw new Error(`no row of record ${id}`)
    return toChanged(row)
  }

  /** Changes other columns than the texts, and the checksum of the row with them. */
  function changeRow(before: Changed, change: Change): void {
    const rowCheck = toChangedCheck(before, { ...before, ...change })
    db.update(records)
      .set({ ...change, rowCheck })
      .where(eq(records.seq, before.seq))
      .run()
  }

  async function supersede(id: string, by: string): Promise<boolean> {
    const row = rowOf.get(id)
    if (row === null || (await leadsBack(id, by))) return false
    changeRow(toChanged(row), { status: 'superseded', supersededBy: by })
    return true
  }

  /** Changes texts, and the columns that are computed of them; counts the bytes of a record that is not forgotten. */
  function changeTexts(id: string, change: RecordChange): void {
    const before = db.select().from(records).where(eq(records.id, id)).get()
    if (before === undefined) throw new Error(`no row of record ${id}`)
    const computed = toComputed({ ...before, ...change })
    const after = { ...before, ...change, ...computed }
    if (before.forgottenAt === null) {
      count(1, bytesOf(after))
      count(-1, bytesOf(before))
    }
    db.update(records)
      .set({ ...change, ...computed, rowCheck: toChangedCheck(before, after) })
      .where(eq(records.id, id))
      .run()
    noteRemoval()
    noteErased()
  }

  return {
    ...createWorkspaceWrites(client, engine, noteErased),
    insertRecord: async (whole) => {
      const { entry, ...record } = whole
      const { id, workspaceId, audience, supersededBy } = record
      const seq = insertRow({ ...whole, supersededBy: null })
      if (supersededBy !== null && !(await supersede(id, supersededBy)))
        throw new Error(`record ${id} would be superseded by itself`)
      addAudience(workspaceId, audience)
      index.insertEntry({ seq, workspaceId, audience }, entry)
      count(1, bytesOf(record))
      return { seq, ...record }
    },
    updateRecord: async (id, change) => {
      const isOfTexts = TEXTS.some((text) => change[text] !== undefined)
      if (isOfTexts) changeTexts(id, change)
      else changeRow(requireRow(id), change)
    },
    supersede,
    forgetRecord: async (id, forgottenAt) => {
      // Restoring computes the tokens again.
      const forgotten = requireRow(id)
      changeRow(forgotten, { forgottenAt, codes: null })
      index.deleteEntry(forgotten)
      count(-1, forgotten.contentBytes)
      noteRemoval()
    },
    restoreRecord: async (id, { workspaceId, audience }, entry) => {
      const row = requireRow(id)
      const saveHash = toSaveHash({ ...row, audience }, row.contentHash)
      changeRow(row, { forgottenAt: null, workspaceId, audience, saveHash, ...toTokens(entry) })
      addAudience(workspaceId, audience)
      index.insertEntry({ seq: row.seq, workspaceId, audience }, entry)
      count(1, row.contentBytes)
      noteRemoval()
    },
    ...createTrashWrites(sql, () => {
      noteRemoval()
      noteErased()
    }),
    ...createSourceWrites(sql, engine.tables, { hasNoHash: () => false, noteSource: () => {} }, (of, limit) =>
      eraseImportedSources(engine, of, limit),
    ),
    ...createImportedSourceWrites(engine),
    replaceEntry: async (record, entry) => {
      index.deleteEntry(record)
      changeRow(requireRow(record.id), toTokens(entry))
      index.insertEntry(record, entry)
    },
    ...createSameReads(sql),
    ...createIndexUpkeep(client, later),
    ...createReleaseWrites(engine, noteErased),
    ...createQuestionWrites(engine, noteErased),
  }
}

const toTokens = ({ length, language, codes }: IndexEntry) => ({ length, language, codes })

function createWorkspaceWrites(
  client: Connection,
  engine: ProjectEngine,
  noteErased: () => void,
): Omit<WorkspaceWrites, 'eraseSources'> {
  const insert = client.statement<unknown, [name: string, foldedName: string, createdAt: number]>(
    'insert into workspaces (name, folded_name, created_at) values (?, ?, ?)',
  )
  return {
    ...createWorkspaceChanges(engine, async () => noteErased()),
    insertWorkspace: async (name, createdAt) => {
      const { lastInsertRowid } = insert.run(name, toComparableKey(name), createdAt)
      return { id: Number(lastInsertRowid), name, createdAt, removedAt: null }
    },
  }
}
