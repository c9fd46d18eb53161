import { Database } from 'bun:sqlite'
import type { Engine } from './engine.ts'

/** Plain FTS5 with its own ranking, contentless, in memory. */
export function openFts5(name: string, tokenizer: string, joint: 'AND' | 'OR'): Engine {
  const database = new Database(':memory:')
  database.run(`create virtual table texts using fts5(text, content='', contentless_delete=1, tokenize='${tokenizer}')`)
  const insert = database.prepare('insert into texts (text) values (?)')
  const find = database.prepare('select rowid from texts where texts match ? order by rank limit 10')
  return {
    name,
    add: (texts) => database.transaction(() => void texts.forEach((text) => void insert.run(text)))(),
    search: (query) => {
      const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
      return words.length === 0 ? 0 : find.values(words.map((word) => `"${word}"`).join(` ${joint} `)).length
    },
    indexBytes: () =>
      database.query<{ bytes: number }, []>('select sum(length(block)) as bytes from texts_data').get()?.bytes,
    close: () => database.close(),
  }
}
