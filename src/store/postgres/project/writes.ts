import { and, eq } from 'drizzle-orm'
import { toComparableKey } from '../../../text/comparable.ts'
import type { ProjectReads, ProjectWrites } from '../../project.ts'
import { bytesOf, type NewRecord } from '../../record.ts'
import type { RecordChange } from '../../record-verbs.ts'
import { toContentHash, toKeyHash, toSaveHash } from '../../save-hash.ts'
import { toSourceName } from '../../shared/project/filter.ts'
import { createImportedSourceWrites, eraseImportedSources } from '../../shared/project/imported-sources.ts'
import { createQuestionWrites } from '../../shared/project/questions.ts'
import { createReleaseWrites } from '../../shared/project/releases.ts'
import { createSourceWrites } from '../../shared/project/sources.ts'
import type { ProjectEngine } from '../../shared/project/sql.ts'
import { createWorkspaceChanges } from '../../shared/project/workspaces.ts'
import { createLeading, createTrashWrites } from '../../shared/project/writes.ts'
import type { WorkspaceWrites } from '../../workspace.ts'
import { records, workspaces } from '../schema/project.ts'
import { createIndexUpkeep } from './index/index-upkeep.ts'
import { isOf, type WriteScope } from './scope.ts'
import { createSql, toEngine } from './sql.ts'

/** What is read of a row that changed: its content is measured, not read. */
const CHANGED = {
  seq: records.seq,
  workspaceId: records.workspaceId,
  audience: records.audience,
  contentBytes: records.contentBytes,
  length: records.length,
  terms: records.terms,
  language: records.language,
}

const TEXTS = ['content', 'askedAs', 'factKey', 'sourceId'] as const

/** What the hash of a save is computed of, but its audience. */
const ORIGIN = {
  authorId: records.authorId,
  sourceId: records.sourceId,
  factKey: records.factKey,
  contentHash: records.contentHash,
}

/** A project's changes; only inside a write. */
export function createProjectWrites(scope: WriteScope): Omit<ProjectWrites, keyof ProjectReads | 'findSame'> {
  const { later, projectId, insert, state, changes, ahead } = scope
  const engine = toEngine(scope)
  const sql = createSql(scope)
  const leadsBack = createLeading(sql)
  const { db } = engine
  const isRecord = (id: string) => and(isOf(records, scope), eq(records.id, id))

  async function changeRecord(id: string, change: Partial<typeof records.$inferInsert>) {
    const [changed] = await db.update(records).set(change).where(isRecord(id)).returning(CHANGED)
    if (changed === undefined) throw new Error(`no row of record ${id}`)
    return changed
  }

  async function supersede(id: string, by: string): Promise<boolean> {
    if (await leadsBack(id, by)) return false
    const set = { status: 'superseded', supersededBy: by } as const
    const changed = await db.update(records).set(set).where(isRecord(id)).returning({ seq: records.seq })
    return changed.length > 0
  }

  function count(by: 1 | -1, bytes: number): void {
    state().records += by
    state().contentBytes += by * bytes
  }

  /**
   * A change of texts with the columns that are computed of them; counts the bytes of a record that is not forgotten.
   */
  async function withComputed(id: string, change: RecordChange) {
    const [before] = await db.select().from(records).where(isRecord(id))
    if (before === undefined) throw new Error(`no row of record ${id}`)
    const computed = toComputed({ ...before, ...change })
    if (before.forgottenAt === null) state().contentBytes += computed.contentBytes - before.contentBytes
    ahead.clear()
    state().removals++
    return { ...change, ...computed }
  }

  /** An executable with another version of the analyzer writes to the same project: its entries are to be rebuilt. */
  function noteRules(rules: number): void {
    const indexing = state()
    if (indexing.rules === null) Object.assign(indexing, { rules, target: rules, reached: 0 })
    else if (indexing.rules !== rules && indexing.target !== rules) indexing.rules = 0
  }

  return {
    ...createWorkspaceWrites(scope, engine),
    insertRecord: async (whole) => {
      const { entry, ...record } = whole
      const row = toRow({ ...whole, supersededBy: null })
      const seq = ++state().lastSeq
      await insert({ ...row, projectId, seq })
      ahead.noteRecord(row)
      changes.addAudience(record.workspaceId, record.audience)
      changes.insertEntry({ seq, ...record }, entry, 'new')
      noteRules(entry.rules)
      count(1, row.contentBytes)
      const { id, supersededBy } = record
      if (supersededBy !== null && !(await supersede(id, supersededBy)))
        throw new Error(`record ${id} would be superseded by itself`)
      return { seq, ...record }
    },
    updateRecord: async (id, change) => {
      const isOfTexts = TEXTS.some((text) => change[text] !== undefined)
      const set = isOfTexts ? await withComputed(id, change) : change
      await later(db.update(records).set(set).where(isRecord(id)).getSQL())
    },
    supersede,
    forgetRecord: async (id, forgottenAt) => {
      const forgotten = await changeRecord(id, { forgottenAt })
      changes.deleteEntry(forgotten, forgotten)
      count(-1, forgotten.contentBytes)
      state().removals++
    },
    restoreRecord: async (id, { workspaceId, audience }, entry) => {
      const { length, codes, terms, language } = entry
      ahead.clear()
      const [before] = await db.select(ORIGIN).from(records).where(isRecord(id))
      if (before === undefined) throw new Error(`no row of record ${id}`)
      const saveHash = toSaveHash({ ...before, audience }, before.contentHash)
      const restored = await changeRecord(id, {
        forgottenAt: null,
        workspaceId,
        audience,
        saveHash,
        length,
        codes,
        terms,
        language,
      })
      changes.addAudience(workspaceId, audience)
      changes.insertEntry(restored, entry)
      noteRules(entry.rules)
      count(1, restored.contentBytes)
      state().removals++
    },
    replaceEntry: async (record, entry) => {
      const [before] = await db.select(CHANGED).from(records).where(isRecord(record.id))
      if (before === undefined) throw new Error(`no row of record ${record.id}`)
      const { length, codes, terms, language } = entry
      await changeRecord(record.id, { length, codes, terms, language })
      changes.deleteEntry(before, before)
      changes.insertEntry(record, entry)
      noteRules(entry.rules)
    },
    ...createTrashWrites(sql, () => {
      state().removals++
    }),
    ...createSourceWrites(sql, engine.tables, ahead, (of, limit) => eraseImportedSources(engine, of, limit)),
    ...createImportedSourceWrites(engine),
    ...createIndexUpkeep(scope),
    ...createReleaseWrites(engine, () => {}),
    ...createQuestionWrites(engine, () => {}),
  }
}

/** A row of a record with all that is computed of it. */
export function toRow({ entry, ...record }: NewRecord) {
  const { length, codes, terms, language } = entry
  return { ...record, length, codes, terms, language, ...toComputed(record) }
}

/** The columns that are computed of a record's texts. */
function toComputed(record: Pick<NewRecord, 'audience' | 'authorId' | 'content' | 'askedAs' | 'factKey' | 'sourceId'>) {
  const { content, factKey, sourceId } = record
  const contentHash = toContentHash(content)
  return {
    contentBytes: bytesOf(record),
    contentHash,
    saveHash: toSaveHash(record, contentHash),
    keyHash: toKeyHash(factKey),
    sourceName: sourceId === null ? null : toSourceName(sourceId),
  }
}

function createWorkspaceWrites(scope: WriteScope, engine: ProjectEngine): Omit<WorkspaceWrites, 'eraseSources'> {
  const { run, state, changes, ahead } = scope
  const { db, own } = engine
  return {
    ...createWorkspaceChanges(engine, () => {
      ahead.clear()
      return run((connection) => changes.flush(connection))
    }),
    insertWorkspace: async (name, createdAt) => {
      const workspace = { id: ++state().lastWorkspaceId, name, createdAt, removedAt: null }
      await db.insert(workspaces).values({ ...own, foldedName: toComparableKey(name), ...workspace })
      return workspace
    },
  }
}
