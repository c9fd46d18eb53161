import type { SQLQueryBindings } from 'bun:sqlite'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { drizzle as drizzleProxy } from 'drizzle-orm/sqlite-proxy'
import type { HistoryReads, HistoryStore, HistoryWrites } from '../history.ts'
import { toCause, withFailures } from '../shared/engine.ts'
import { createHistoryReads, createHistoryWrites } from '../shared/history/history.ts'
import type { HistoryEngine, WordIndex } from '../shared/history/tables.ts'
import { isAmong, toRows } from './among.ts'
import type { SqliteFile } from './file.ts'
import { createHistoryWords } from './history-words.ts'
import { inTurn } from './long-reads.ts'
import type { OpenFiles } from './open-files.ts'
import { blocks, lines, owners, passages, sources } from './schema/history.ts'
import { scrubHistories } from './scrub.ts'

/** An open file of session histories. */
type OpenHistory = { file: SqliteFile; writes: HistoryReads & HistoryWrites; words: WordIndex }

const CASING = { casing: 'snake_case' } as const

const toEngine = (db: unknown, words: WordIndex): HistoryEngine => ({
  db: db as HistoryEngine['db'],
  tables: { sources, lines, blocks, owners, passages },
  place: sql`rowid`,
  own: {},
  isAmong,
  toRows,
  words,
})

export const toOpenHistory = (file: SqliteFile): OpenHistory => ({
  file,
  writes: createHistoryWrites(
    toEngine(drizzle({ client: file.connection, ...CASING }), createHistoryWords(file.connection, file.later)),
    () => ({}),
  ),
  words: createHistoryWords(file.reader, []),
})

/** The verbs of a project's histories. Each opens their file if necessary. */
export function createHistoryStore(files: OpenFiles<OpenHistory>, id: string): HistoryStore {
  const read = inTurn((statement: string, params: SQLQueryBindings[]) =>
    files.use(id, async ({ file }) => ({
      rows: file.reader.prepare<unknown, SQLQueryBindings[]>(statement).values(...params),
    })),
  )
  const reader = drizzleProxy(read, undefined, CASING)
  const findWords: WordIndex['find'] = inTurn((query) => files.use(id, ({ words }) => words.find(query)))
  return {
    ...withFailures(
      toCause,
      createHistoryReads(toEngine(reader, { find: findWords, columns: () => ({}), add: () => {}, remove: () => {} })),
    ),
    write: (act) => files.use(id, ({ file, writes }) => file.writer.write(() => act(writes))),
    scrub: () => files.use(id, ({ file }) => scrubHistories(file)),
  }
}
