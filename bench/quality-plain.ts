import { Database } from 'bun:sqlite'

// Plain FTS5 with Porter stemming and the words of the query joined by OR, for the same evaluator as `quality.ts`: the
// baseline of search.

export default function createSearcher() {
  const database = new Database(':memory:')
  database.run("create virtual table texts using fts5(id unindexed, text, tokenize='porter')")
  const insert = database.prepare('insert into texts (id, text) values (?, ?)')
  const find = database.prepare<{ id: string; score: number }, [string, number]>(
    'select id, -rank as score from texts where texts match ? order by rank limit ?',
  )
  return {
    add: (docs: { id: string; text: string }[]) =>
      database.transaction(() => void docs.forEach(({ id, text }) => void insert.run(id, text)))(),
    search: (query: string, limit: number) => {
      const words = query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
      return words.length === 0 ? [] : find.all(words.map((word) => `"${word}"`).join(' OR '), limit)
    },
    close: () => database.close(),
  }
}
