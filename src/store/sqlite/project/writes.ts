import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ProjectReads, ProjectWrites } from '../../project.ts'
import type { StoredRecord } from '../../record.ts'
import type { RecordChange } from '../../record-verbs.ts'
import type { Connection } from '../connection.ts'
import { records } from '../schema/project.ts'
import type { Later } from '../writer.ts'
import { createImportedSourceWrites } from './imported-sources.ts'
import { createIndexUpkeep } from './index/index-upkeep.ts'
import { createIndexWrites } from './index/word-index.ts'
import { createReleaseWrites } from './releases.ts'
import type { SameReads } from './same.ts'
import { createSaveWrites, toComputed } from './saves.ts'
import { createSourceWrites, createStateWrites } from './sources.ts'
import { SUPERSEDE } from './superseded.ts'
import { createTrashWrites } from './trash.ts'
import { createWorkspaceWrites } from './workspaces.ts'

/** Columns read of a changed row: the length of its content, not the content. */
const CHANGED_COLUMNS = {
  seq: records.seq,
  workspaceId: records.workspaceId,
  audience: records.audience,
  contentBytes: sql<number>`octet_length(${records.content})`,
}
type Changed = Pick<StoredRecord, 'seq' | 'workspaceId' | 'audience'> & { contentBytes: number }
type Change = Partial<Pick<typeof records.$inferInsert, 'forgottenAt' | 'workspaceId' | 'audience' | 'length' | 'codes'>>

/** A project's changes; only inside a write. */
export function createProjectWrites(client: Connection, later: Later): Omit<ProjectWrites, keyof ProjectReads | keyof SameReads> {
  const db = drizzle({ client, casing: 'snake_case' })
  const index = createIndexWrites(client, later)
  const { insertRow, addAudience, count, noteRemoval } = createSaveWrites(client)
  const markSuperseded = client.statement<never, [id: string, by: string]>(SUPERSEDE)
  const supersede = (id: string, by: string): boolean => markSuperseded.run(id, by).changes > 0

  function changeRecord(id: string, change: Change): Changed {
    const changed = db.update(records).set(change).where(eq(records.id, id)).returning(CHANGED_COLUMNS).get()
    if (changed === undefined) throw new Error(`no row of record ${id}`)
    return changed
  }

  /** A change of texts with the columns that are computed of them; counts the bytes of a record that is not forgotten. */
  function withComputed(id: string, change: RecordChange) {
    const before = db.select().from(records).where(eq(records.id, id)).get()
    if (before === undefined) throw new Error(`no row of record ${id}`)
    const after = { ...before, ...change }
    if (before.forgottenAt === null) {
      count(1, Buffer.byteLength(after.content, 'utf8'))
      count(-1, Buffer.byteLength(before.content, 'utf8'))
    }
    return { ...change, ...toComputed(after) }
  }

  return {
    ...createWorkspaceWrites(client, db),
    insertRecord: async (whole) => {
      const { entry, ...record } = whole
      const { id, workspaceId, audience, content, supersededBy } = record
      const seq = insertRow({ ...whole, supersededBy: null })
      if (supersededBy !== null && !supersede(id, supersededBy)) throw new Error(`record ${id} would be superseded by itself`)
      addAudience(workspaceId, audience)
      index.insertEntry({ seq, workspaceId, audience }, entry)
      count(1, Buffer.byteLength(content, 'utf8'))
      return { seq, ...record }
    },
    updateRecord: async (id, change) => {
      const isOfTexts = change.content !== undefined || change.factKey !== undefined || change.sourceId !== undefined
      db.update(records)
        .set(isOfTexts ? withComputed(id, change) : change)
        .where(eq(records.id, id))
        .run()
      if (!isOfTexts) return
      noteRemoval()
      client.run('update usage set to_scrub = 1')
    },
    supersede: async (id, by) => supersede(id, by),
    forgetRecord: async (id, forgottenAt) => {
      // Restoring computes the tokens again.
      const forgotten = changeRecord(id, { forgottenAt, codes: null })
      index.deleteEntry(forgotten)
      count(-1, forgotten.contentBytes)
      noteRemoval()
    },
    restoreRecord: async (id, { workspaceId, audience }, entry) => {
      const codes = entry.codes && Buffer.from(entry.codes)
      const restored = changeRecord(id, { forgottenAt: null, workspaceId, audience, length: entry.length, codes })
      addAudience(workspaceId, restored.audience)
      index.insertEntry(restored, entry)
      count(1, restored.contentBytes)
      noteRemoval()
    },
    ...createTrashWrites(client, noteRemoval),
    ...createSourceWrites(client),
    ...createStateWrites(client),
    ...createImportedSourceWrites(client),
    replaceEntry: async (record, entry) => index.replaceEntry(record, entry),
    ...createIndexUpkeep(client, later),
    ...createReleaseWrites(db),
  }
}
