import { Database } from 'bun:sqlite'
import type { NewRecord } from '../src/store/record.ts'
import { toContentHash, toKeyHash, toSaveHash } from '../src/store/save-hash.ts'

type Row = Omit<NewRecord, 'entry'>

/**
 * The table of records and its indexes as a project's file has them, with its durability, and nothing beside but an
 * FTS5 table `plain` where its statement is given. Answers what saves rows, and their texts there, in one transaction.
 */
export function openRows(path: string, projectFile: string, plain?: string): (records: Row[]) => void {
  const template = new Database(projectFile, { readonly: true })
  const made = template
    .query<{ sql: string }, []>("select sql from sqlite_schema where tbl_name = 'records' and sql is not null")
    .all()
  template.close()
  const database = new Database(path)
  database.run('pragma journal_mode = wal')
  database.run('pragma synchronous = full')
  for (const { sql } of made) database.run(sql)
  if (plain !== undefined) database.run(plain)
  const insert =
    database.prepare(`insert into records (id, workspace_id, audience, author_id, content, key_hash, content_hash,
    save_hash, row_check, length, language, fact_key, fact_key_given, status, source_id, created_at, needs_review, marked)
    values (?, ?, ?, ?, ?, ?, ?, ?, 0, 1, 'en', ?, 0, ?, ?, ?, 0, 0)`)
  const index = plain === undefined ? undefined : database.prepare('insert into plain (rowid, content) values (?, ?)')
  return database.transaction((records: Row[]) => {
    for (const one of records) {
      const { id, workspaceId, audience, authorId, content, factKey, status, sourceId, createdAt } = one
      const hash = toContentHash(content)
      const { lastInsertRowid } = insert.run(
        id,
        workspaceId,
        audience,
        authorId,
        content,
        toKeyHash(factKey),
        hash,
        toSaveHash(one, hash),
        factKey,
        status,
        sourceId,
        createdAt,
      )
      index?.run(lastInsertRowid, content)
    }
  })
}
