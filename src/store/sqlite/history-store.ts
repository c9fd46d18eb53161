import type { SQLQueryBindings } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { drizzle as drizzleProxy } from 'drizzle-orm/sqlite-proxy'
import type { HistoryReads, HistoryStore, HistoryWrites } from '../history-verbs.ts'
import { toCause, withFailures } from '../shared/engine.ts'
import { createHistoryReads, createHistoryWrites } from '../shared/history/history.ts'
import type { HistoryEngine, WordIndex } from '../shared/history/tables.ts'
import { DIALECT } from './among.ts'
import type { Connection } from './connection.ts'
import type { SqliteFile } from './file.ts'
import { inTurn } from './long-reads.ts'
import type { OpenFiles } from './open-files.ts'
import { blocks, lines, owners, passages, sources, suggestions } from './schema/history.ts'
import { markErased, scrub } from './scrub.ts'
import type { Later } from './writer.ts'

/** An open file of session histories. */
type OpenHistory = { file: SqliteFile; writes: HistoryReads & HistoryWrites; words: WordIndex }

const CASING = { casing: 'snake_case' } as const

const toEngine = (db: unknown, words: WordIndex): HistoryEngine => ({
  db: db as HistoryEngine['db'],
  tables: { sources, lines, blocks, owners, passages, suggestions },
  ...DIALECT,
  own: {},
  words,
})

export const toOpenHistory = (file: SqliteFile): OpenHistory => ({
  file,
  writes: createHistoryWrites(
    {
      ...toEngine(drizzle({ client: file.connection, ...CASING }), createHistoryWords(file.connection, file.later)),
      erased: () => markErased(file.connection),
    },
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
    scrub: (isStopped) => files.use(id, ({ file }) => scrub(file, isStopped)),
  }
}

/** Bytes that a word takes in what FTS5 collects before a commit. */
const WORD_BYTES = 40

const toToken = (word: number) => word.toString(36)

/**
 * The words of passages in `word_index`, whose tokens are their numbers with base 36. Written at the end of a
 * transaction (`Later`).
 */
function createHistoryWords(client: Connection, later: Later): WordIndex {
  const insert = client.statement('insert into word_index (rowid, terms) values (?, ?)')
  const remove = client.statement('delete from word_index where rowid = ?')
  const find = client.statement<unknown, [match: string, limit: number]>(
    'select group_concat(rowid) from (select rowid from word_index where word_index match ? order by rowid desc limit ?)',
  )
  return {
    columns: () => ({}),
    add: (id, words) => {
      const terms = words.map(toToken).join(' ')
      later.push({ run: () => void insert.run(id, terms), bytes: words.length * WORD_BYTES })
    },
    remove: (ids) => {
      later.push({ run: () => ids.forEach((id) => void remove.run(id)), bytes: 0 })
    },
    find: async ({ words, limit }) => {
      const [[ids] = []] = find.values(words.map((word) => `"${toToken(word)}"`).join(' OR '), limit)
      return typeof ids === 'string' ? ids.split(',').map(Number) : []
    },
  }
}
