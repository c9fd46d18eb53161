import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Session, Writer } from './writer.ts'

const TABLES = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS part_session ON part (session_id);`

type Held = { table: 'message' | 'part'; mark: string }

export type StoredSession = ReturnType<typeof createStoredSession>

/**
 * A database as opencode has it, with the tables and columns that are read. Stays open, as it does while opencode runs.
 */
export function openSessionDatabase(file: string): Database {
  mkdirSync(dirname(file), { recursive: true })
  const database = new Database(file)
  database.run(TABLES)
  return database
}

/** A session of opencode, whose rows are written, written again and deleted. */
export function createStoredSession(database: Database, writer: Writer, session: Session) {
  const { random } = writer
  const rows = new Map<string, Held>()
  const begun = writer.tick()
  /** Of one session rows are deleted, of another the clock is set back: both at once cannot be told from neither. */
  const hasDeletions = random.chance(0.5)
  database
    .query('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(session.id, session.parentId ?? null, session.cwd, writer.text(), '1.18.33', begun, begun)

  function insertMessage(role: string): string {
    const id = `msg_${random.uuid()}`
    const mark = writer.mark()
    const now = writer.tick()
    const data = JSON.stringify({ mark, role, time: { created: now, completed: now } })
    database.query('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, session.id, now, now, data)
    rows.set(id, { table: 'message', mark })
    return id
  }

  function insertPart(messageId: string, toData: (now: number) => object): void {
    const id = `prt_${random.uuid()}`
    const mark = writer.mark()
    const now = writer.tick()
    const data = JSON.stringify({ mark, ...toData(now) })
    database.query('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(id, messageId, session.id, now, now, data)
    rows.set(id, { table: 'part', mark })
  }

  return {
    session,
    /** The marks of the rows that are there. */
    marks: () => [...rows.values()].map(({ mark }) => mark),
    append: (): void => {
      const role = random.pick(['user', 'assistant'])
      const message = insertMessage(role)
      insertPart(message, () => ({ type: 'text', text: writer.text() }))
      if (role === 'user') return
      insertPart(message, (now) => ({
        type: 'text',
        text: writer.text(),
        time: { start: now, ...(random.chance(0.5) && { end: now }) },
      }))
      insertPart(message, () => ({
        type: 'tool',
        tool: 'bash',
        state: { status: 'running', input: { command: writer.text() } },
      }))
      insertPart(message, () => ({ type: 'file', url: `data:image/png;base64,${'A'.repeat(3_000)}` }))
    },
    /** A row is written again, finished. */
    update: (): void => {
      const [id, held] = random.pick([...rows])
      const mark = writer.mark()
      const data = JSON.stringify({
        mark,
        type: 'tool',
        role: 'assistant',
        state: { status: 'completed', output: writer.text() },
      })
      database.query(`UPDATE ${held.table} SET data = ?, time_updated = ? WHERE id = ?`).run(data, writer.tick(), id)
      rows.set(id, { ...held, mark })
    },
    /** What was read of the row stays. */
    delete: (): void => {
      const [id, { table }] = random.pick([...rows])
      if (rows.size === 1 || !hasDeletions) return
      database.query(`DELETE FROM ${table} WHERE id = ?`).run(id)
      rows.delete(id)
    },
    /** Written before, by a clock that was set back. */
    insertEarlier: (): void => {
      if (hasDeletions) return
      const id = `msg_${random.uuid()}`
      const mark = writer.mark()
      database
        .query('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
        .run(id, session.id, begun, begun, JSON.stringify({ mark, role: 'user' }))
      rows.set(id, { table: 'message', mark })
    },
  }
}
