import type { Audience, IndexEntry } from '../../../record.ts'
import type { Connection } from '../../connection.ts'
import type { Later } from '../../writer.ts'
import { toTermPrefix, toVisibilityTerm } from './visibility-term.ts'

/** The record of an entry, and its audience. */
type Indexed = { seq: number; workspaceId: number; audience: Audience }

/**
 * Writes to the full-text index and its statistics, inside a transaction. Writes to the index are put into `later` and
 * run just before the commit, because FTS5 flushes its buffers at every savepoint, which would cost more than the rest
 * of a save.
 */
export function createIndexWrites(client: Connection, later: Later) {
  // Concatenated in SQL: the visibility term has a character that would make JavaScript store the whole text with two
  // bytes per character.
  const insert = client.statement("insert into word_index (rowid, terms) values (?, ? || ' ' || ?)")
  const remove = client.statement('delete from word_index where rowid = ?')
  const entryOf = client.statement<{ length: number; language: string }, [seq: number]>(
    'select length, language from records where seq = ?',
  )
  const count = client.statement(
    'insert into audience_stats values (?1, ?2, ?3, ?4) on conflict do update set records = records + ?3, length = length + ?4',
  )
  const countLanguage = client.statement(
    'insert into languages values (?1, ?2, ?3, ?4) on conflict do update set records = records + ?4',
  )
  const initialize = client.statement(
    'insert or ignore into indexing (id, rules, target, reached) values (1, ?1, ?1, 0)',
  )
  // An executable with another version of the analyzer writes to the same file: the index must be rebuilt.
  const markMixed = client.statement('update indexing set rules = 0 where rules <> ?1 and target <> ?1')

  function insertEntry({ seq, workspaceId, audience }: Indexed, { terms, language, length, rules }: IndexEntry): void {
    const prefixed = prefixTerms(terms, toTermPrefix(audience))
    later.push({
      run: () => void insert.run(seq, prefixed, toVisibilityTerm(workspaceId, audience)),
      bytes: prefixed.length,
    })
    count.run(workspaceId, audience, 1, length)
    if (language !== 'en') countLanguage.run(workspaceId, audience, language, 1)
    if (seq === 1) initialize.run(rules)
    markMixed.run(rules)
  }

  function deleteEntry({ seq, workspaceId, audience }: Indexed): void {
    later.push({ run: () => void remove.run(seq), bytes: 0 })
    const { length, language } = entryOf.get(seq) ?? { length: 1, language: 'en' }
    count.run(workspaceId, audience, -1, -length)
    if (language !== 'en') countLanguage.run(workspaceId, audience, language, -1)
  }

  return { insertEntry, deleteEntry }
}

/** Adds the prefix to each of the terms, which are separated by spaces. */
export function prefixTerms(terms: string, prefix: string): string {
  return prefix === '' || terms === '' ? terms : `${prefix}${terms.replaceAll(' ', ` ${prefix}`)}`
}
