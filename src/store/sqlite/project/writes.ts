import type { Database } from 'bun:sqlite'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ProjectReads, ProjectWrites } from '../../project.ts'
import type { StoredRecord } from '../../record.ts'
import { holdings, languages, records, sources, workspaceAudiences, workspaces } from '../schema/project.ts'
import type { Later } from '../writer.ts'
import { createIndexUpkeep } from './index-upkeep.ts'
import { prepareWrites } from './prepare-writes.ts'
import { createReleaseWrites } from './releases.ts'
import { createSaveWrites } from './save-writes.ts'
import { createIndexWrites } from './word-index.ts'

/** What is asked of a row that changed: its content is not read, only measured. */
const MOVED = {
  seq: records.seq,
  workspaceId: records.workspaceId,
  audience: records.audience,
  contentBytes: sql<number>`octet_length(${records.content})`,
}
type Moved = Pick<StoredRecord, 'seq' | 'workspaceId' | 'audience'> & { contentBytes: number }

/** A project's changes; only inside a write. A record, its index entry and its count change together. */
export function createProjectWrites(client: Database, later: Later): Omit<ProjectWrites, keyof ProjectReads> {
  const db = drizzle({ client, casing: 'snake_case' })
  const index = createIndexWrites(client, later)
  const statements = prepareWrites(db)
  const eraseSources = client.prepare<unknown, [number, number]>(
    'delete from sources where rowid in (select rowid from sources where workspace_id = ? limit ?)',
  )
  const { insertRow, addAudience, count } = createSaveWrites(client)

  function moveRecord(
    id: string,
    change: Partial<Pick<typeof records.$inferInsert, 'forgottenAt' | 'workspaceId' | 'length' | 'codes'>>,
  ): Moved {
    const moved = db.update(records).set(change).where(eq(records.id, id)).returning(MOVED).get()
    if (moved === undefined) throw new Error(`no row of record ${id}`)
    return moved
  }

  return {
    insertWorkspace: async (name, createdAt) => db.insert(workspaces).values({ name, createdAt, removedAt: null }).returning().get(),
    removeWorkspace: async (id, removedAt) => {
      db.update(workspaces).set({ removedAt }).where(eq(workspaces.id, id)).run()
      db.update(workspaceAudiences).set({ name: null }).where(eq(workspaceAudiences.workspaceId, id)).run()
    },
    insertRecord: async (whole) => {
      const seq = insertRow(whole)
      const { entry, ...record } = whole
      const { workspaceId, audience, content } = record
      addAudience(workspaceId, audience)
      index.insertEntry({ seq, workspaceId, audience }, entry)
      count(1, Buffer.byteLength(content, 'utf8'))
      return Object.assign(record, { seq })
    },
    updateRecord: async (id, change) => void db.update(records).set(change).where(eq(records.id, id)).run(),
    forgetRecord: async (id, forgottenAt) => {
      const forgotten = moveRecord(id, { forgottenAt })
      index.deleteEntry(forgotten)
      count(-1, forgotten.contentBytes)
    },
    restoreRecord: async (id, workspaceId, entry) => {
      const restored = moveRecord(id, {
        forgottenAt: null,
        workspaceId,
        length: entry.length,
        codes: entry.codes && Buffer.from(entry.codes),
      })
      addAudience(workspaceId, restored.audience)
      index.insertEntry(restored, entry)
      count(1, restored.contentBytes)
    },
    ...createReleaseWrites(db),
    replaceEntry: async (record, entry) => index.replaceEntry(record, entry),
    ...createIndexUpkeep(client, later),
    purgeForgotten: async (before, limit) => {
      const { length } = statements.purge.all({ before, limit })
      if (length > 0) client.run('update indexing set erasures = erasures + 1')
      return length
    },
    saveSourceHash: async (workspaceId, sourceId, audience, hash) => {
      const { turn } = statements.nextTurn.get({})
      statements.saveSourceHash.run({ workspaceId, sourceId, audience, hash, turn })
    },
    saveSourceState: async (workspaceId, sourceId, audience, { hash, saveSequence }) => {
      statements.passTurn.run({ turn: saveSequence })
      statements.saveSourceHash.run({ workspaceId, sourceId, audience, hash, turn: saveSequence })
    },
    eraseSources: async (workspaceId, limit) => eraseSources.run(workspaceId, limit).changes,
    eraseWorkspace: async (id) => {
      if (db.select({ seq: records.seq }).from(records).where(eq(records.workspaceId, id)).limit(1).get() !== undefined) return false
      db.delete(sources).where(eq(sources.workspaceId, id)).run()
      db.delete(holdings).where(eq(holdings.workspaceId, id)).run()
      db.delete(languages).where(eq(languages.workspaceId, id)).run()
      db.delete(workspaceAudiences).where(eq(workspaceAudiences.workspaceId, id)).run()
      db.delete(workspaces).where(eq(workspaces.id, id)).run()
      return true
    },
  }
}
