import { and, eq } from 'drizzle-orm'
import type { ProjectReads, ProjectWrites } from '../../project.ts'
import { bytesOf, type IndexEntry, type NewRecord } from '../../record.ts'
import { toSourceName } from '../../shared/project/filter.ts'
import { toComputed, toEntryColumns } from '../../shared/project/record-writes.ts'
import { createSharedWrites } from '../../shared/project/writes.ts'
import { records } from '../schema/project.ts'
import { createIndexUpkeep } from './index/index-upkeep.ts'
import { isOf, type WriteScope } from './scope.ts'
import { createSql, toEngine } from './sql.ts'

const { seq, workspaceId, audience, authorId, sourceId, factKey, contentHash } = records
const { contentBytes, length, terms, language } = records
/** What is read of a row that changes: its content is measured, not read. */
const CHANGED = {
  ...{ seq, workspaceId, audience, authorId, sourceId, factKey, contentHash },
  ...{ contentBytes, length, terms, language },
}

/** A project's changes; only inside a write. */
export function createProjectWrites(scope: WriteScope): Omit<ProjectWrites, keyof ProjectReads | 'findSame'> {
  const { run, later, projectId, insert, state, changes, ahead } = scope
  const engine = toEngine(scope)
  const { db } = engine
  const isRecord = (id: string) => and(isOf(records, scope), eq(records.id, id))

  /** An executable with another version of the analyzer writes to the same project: its entries are to be rebuilt. */
  function noteRules(rules: number): void {
    const indexing = state()
    if (indexing.rules === null) Object.assign(indexing, { rules, target: rules, reached: 0 })
    else if (indexing.rules !== rules && indexing.target !== rules) indexing.rules = 0
  }

  return {
    ...createSharedWrites(createSql(scope), engine, {
      insertRow: async (record) => {
        const row = toRow(record)
        const seq = ++state().lastSeq
        await insert({ ...row, projectId, seq })
        ahead.noteRecord(row)
        return seq
      },
      findRow: async (id) => (await db.select(CHANGED).from(records).where(isRecord(id)))[0],
      changeRow: (id, change) => later(db.update(records).set(change).where(isRecord(id)).getSQL()),
      toComputed: toComputedOf,
      toEntryColumns: toColumnsOf,
      insertEntry: (record, entry, isNew) => {
        changes.insertEntry(record, entry, isNew)
        noteRules(entry.rules)
      },
      deleteEntry: (before) => changes.deleteEntry(before, before),
      addAudience: changes.addAudience,
      count: (by, bytes) => {
        state().records += by
        state().contentBytes += by * bytes
      },
      noteRemoval: () => {
        state().removals++
        ahead.clear()
      },
      noteErased: () => {},
      ahead,
      toWorkspaceId: () => ++state().lastWorkspaceId,
      beforeWorkspaces: () => {
        ahead.clear()
        return run((connection) => changes.flush(connection))
      },
    }),
    ...createIndexUpkeep(scope),
  }
}

/** The columns that are computed of texts, or of an index entry, with those that only this engine has. */
const toComputedOf = (record: Parameters<typeof toComputed>[0]) => ({
  ...toComputed(record),
  contentBytes: bytesOf(record),
  sourceName: record.sourceId === null ? null : toSourceName(record.sourceId),
})
const toColumnsOf = (entry: IndexEntry) => ({ ...toEntryColumns(entry), terms: entry.terms })

/** A row of a record with all that is computed of it, but the number. */
export const toRow = ({ entry, ...record }: NewRecord) => ({
  ...record,
  ...toComputedOf(record),
  ...toColumnsOf(entry),
})
