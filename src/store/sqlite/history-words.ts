import type { WordIndex } from '../shared/history/tables.ts'
import type { Connection } from './connection.ts'
import type { Later } from './writer.ts'

/** Bytes that a word takes in what FTS5 collects before a commit. */
const WORD_BYTES = 40

const toToken = (word: number) => word.toString(36)

/**
 * The words of passages in `word_index`, whose tokens are their numbers with base 36. Written at the end of a
 * transaction (`Later`).
 */
export function createHistoryWords(client: Connection, later: Later): WordIndex {
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
