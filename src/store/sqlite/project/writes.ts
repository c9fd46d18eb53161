import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ProjectReads, ProjectWrites } from '../../project.ts'
import { createSameReads } from '../../shared/project/facts.ts'
import { toComputed, toEntryColumns } from '../../shared/project/record-writes.ts'
import { toSelectList } from '../../shared/project/sql.ts'
import { createSharedWrites } from '../../shared/project/writes.ts'
import { createDecoder, type Row } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { records } from '../schema/project.ts'
import { markErased } from '../scrub.ts'
import type { Later } from '../writer.ts'
import { createIndexUpkeep } from './index/index-upkeep.ts'
import { createIndexWrites } from './index/word-index.ts'
import { CHECKED_HEAD, CONTENT_BYTES, createSaveWrites, toChangedCheck } from './record-row.ts'
import { createSql, toEngine } from './sql.ts'

/** What is read of a row that changes: the length of its content and phrases, not the content. */
type Changed = Omit<typeof records.$inferSelect, 'content' | 'codes' | 'savedAt' | 'sourceName' | 'rankedAt'> & {
  contentBytes: number
}
const ROW = `select ${toSelectList(CHECKED_HEAD)}, ${CONTENT_BYTES} as contentBytes from records where id = ?`
const toChanged = createDecoder<Changed>(CHECKED_HEAD)

/** A project's changes; only inside a write. */
export function createProjectWrites(client: Connection, later: Later): Omit<ProjectWrites, keyof ProjectReads> {
  const sql = createSql(client)
  const db = drizzle({ client, casing: 'snake_case' })
  const rowOf = client.statement<Row<Changed>, [id: string]>(ROW)

  /** The files may still have what was erased. */
  const noteErased = () => markErased(client)

  function findRow(id: string): Changed | undefined {
    const row = rowOf.get(id)
    return row === null ? undefined : toChanged(row)
  }

  return {
    ...createSharedWrites(sql, toEngine(client), {
      ...createSaveWrites(client),
      ...createIndexWrites(client, later),
      findRow,
      /** With the checksum of the row. */
      changeRow: (id, change, before = findRow(id)) => {
        if (before === undefined) throw new Error(`no row of record ${id}`)
        const rowCheck = toChangedCheck(before, { ...before, ...change })
        db.update(records)
          .set({ ...change, rowCheck })
          .where(eq(records.seq, before.seq))
          .run()
      },
      toComputed,
      toEntryColumns,
      noteErased,
      ahead: { hasNoHash: () => false, noteSource: () => {} },
      toWorkspaceId: () => undefined,
      beforeWorkspaces: noteErased,
    }),
    ...createSameReads(sql),
    ...createIndexUpkeep(client, later),
  }
}
