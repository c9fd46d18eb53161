import type { Database } from 'bun:sqlite'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ProjectReads, ProjectWrites, StoredRecord } from '../../project.ts'
import { allowed } from '../schema/allowed.ts'
import { records, sources, workspaces } from '../schema/project.ts'
import { workspaceAudiences } from '../schema/workspace-audience.ts'
import { toContentHash } from './content-hash.ts'
import { prepareWrites } from './prepare-writes.ts'
import { RECORD } from './select.ts'
import { createIndexWrites } from './word-index.ts'

/** A project's changes; only inside a write. A record, its index entry and its count change together. */
export function createProjectWrites(client: Database): Omit<ProjectWrites, keyof ProjectReads> {
  const db = drizzle({ client, casing: 'snake_case' })
  const index = createIndexWrites(client)
  const statements = prepareWrites(db)

  function count(by: 1 | -1, content: string): void {
    statements.count.run({ records: by, bytes: by * Buffer.byteLength(content, 'utf8') })
  }

  function moveRecord(id: string, change: Partial<Pick<StoredRecord, 'forgottenAt' | 'workspaceId'>>): StoredRecord {
    const moved = db.update(records).set(change).where(eq(records.id, id)).returning(RECORD).get()
    if (moved === undefined) throw new Error(`no row of record ${id}`)
    return moved
  }

  return {
    insertWorkspace: async (name, createdAt) => db.insert(workspaces).values({ name, createdAt, removedAt: null }).returning().get(),
    removeWorkspace: async (id, removedAt) => void db.update(workspaces).set({ removedAt }).where(eq(workspaces.id, id)).run(),
    insertRecord: async ({ terms, ...record }) => {
      const { seq } = statements.insertRecord.get({ ...record, contentHash: toContentHash(record.content) })
      statements.addAudience.run({ workspaceId: record.workspaceId, audience: record.audience })
      index.insertEntry({ ...record, seq, terms })
      count(1, record.content)
      return { seq, ...record }
    },
    updateRecord: async (id, change) => void db.update(records).set(change).where(eq(records.id, id)).run(),
    forgetRecord: async (id, forgottenAt) => {
      const { seq, content } = moveRecord(id, { forgottenAt })
      index.deleteEntry(seq)
      count(-1, content)
    },
    restoreRecord: async (id, workspaceId, terms) => {
      const restored = moveRecord(id, { forgottenAt: null, workspaceId })
      statements.addAudience.run({ workspaceId, audience: restored.audience })
      index.insertEntry({ ...restored, terms })
      count(1, restored.content)
    },
    purgeForgotten: async (before, limit) => statements.purge.all({ before, limit }).length,
    allow: async (hash, allowedAt) => void db.insert(allowed).values({ hash, allowedAt }).onConflictDoNothing().run(),
    saveSourceHash: async (workspaceId, sourceId, audience, hash) => {
      const { turn } = statements.nextTurn.get({})
      statements.saveSourceHash.run({ workspaceId, sourceId, audience, hash, turn })
    },
    saveSourceState: async (workspaceId, sourceId, audience, { hash, turn }) => {
      statements.passTurn.run({ turn })
      statements.saveSourceHash.run({ workspaceId, sourceId, audience, hash, turn })
    },
    eraseWorkspace: async (id) => {
      if (db.select({ seq: records.seq }).from(records).where(eq(records.workspaceId, id)).limit(1).get() !== undefined) return false
      db.delete(sources).where(eq(sources.workspaceId, id)).run()
      db.delete(workspaceAudiences).where(eq(workspaceAudiences.workspaceId, id)).run()
      db.delete(workspaces).where(eq(workspaces.id, id)).run()
      return true
    },
  }
}
