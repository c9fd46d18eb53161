import type { Database } from 'bun:sqlite'
import type { Audience, Candidate, ProjectReads } from '../../project.ts'

type Entry = { seq: number; workspaceId: number; audience: Audience; terms: string }

/** One word that stands for an audience in the index; letters and digits only. */
const toMark = (audience: Audience) => `v${audience === '*' ? 'all' : audience.replace(/[^a-z0-9]/gi, '').toLowerCase()}`

const quote = (term: string) => `"${term.replaceAll('"', '""')}"`

/** A record's entry: its terms as they are, and the marks by which a question is narrowed. */
export function createIndexWrites(client: Database) {
  const insert = client.prepare('insert into word_index (rowid, terms, marks) values (?, ?, ?)')
  const remove = client.prepare('delete from word_index where rowid = ?')
  return {
    insertEntry: (entry: Entry) => void insert.run(entry.seq, entry.terms, `w${entry.workspaceId} ${toMark(entry.audience)}`),
    deleteEntry: (seq: number) => void remove.run(seq),
  }
}

/** Finds records by their terms; the marks are part of the match, so that what may not be seen never takes a place. */
export function createCandidates(client: Database): ProjectReads['candidates'] {
  const statement = client.prepare<Candidate, [string, number]>(
    'select rowid as seq, -bm25(word_index, 1.0, 0.0) as score from word_index where word_index match ? order by score desc, seq limit ?',
  )
  return async ({ visible, workspaceId, terms, limit }) => {
    if (terms.length === 0) return []
    const marks = visible === undefined ? '' : ` AND marks: (${visible.map(toMark).join(' OR ')})`
    return statement.all(`marks: w${workspaceId}${marks} AND terms: (${terms.map(quote).join(' OR ')})`, limit)
  }
}
