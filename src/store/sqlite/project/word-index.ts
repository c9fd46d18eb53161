import type { Database } from 'bun:sqlite'
import type { Audience, IndexEntry } from '../../record.ts'
import type { Later } from '../writer.ts'
import { toTermPrefix, toVisibilityTerm } from './visibility-term.ts'

/** What an entry belongs to. */
type Place = { seq: number; workspaceId: number; audience: Audience }

/**
 * Changes of the index and of what is counted of it, only inside a write. Those of the index come last: FTS5 writes out at every
 * savepoint what it gathered before, which would cost more than all else of a save.
 */
export function createIndexWrites(client: Database, later: Later) {
  // Strung together here, the terms stay one byte a letter up to the engine: the mark has a character that would make them two.
  const insert = client.prepare("insert into word_index (rowid, terms) values (?, ? || ' ' || ?)")
  const remove = client.prepare('delete from word_index where rowid = ?')
  const lengthOf = client.prepare<{ length: number }, [number]>('select length from records where seq = ?')
  const setWords = client.prepare('update records set length = ?, codes = ? where seq = ?')
  const hold = client.prepare(
    'insert into holdings values (?1, ?2, ?3, ?4) on conflict do update set records = records + ?3, length = length + ?4',
  )
  const speak = client.prepare('insert into languages values (?, ?, ?, 1) on conflict do update set records = records + 1')
  const begin = client.prepare('insert or ignore into indexing (id, rules, target, reached) values (1, ?1, ?1, 0)')

  // An older executable that still runs beside a newer one: what it adds is to be made anew.
  const mix = client.prepare('update indexing set rules = 0 where rules <> ?1 and target <> ?1')

  function insertEntry({ seq, workspaceId, audience }: Place, { terms, language, length, rules }: IndexEntry): void {
    const prefixed = prefixTerms(terms, toTermPrefix(audience))
    later.push({ run: () => void insert.run(seq, prefixed, toVisibilityTerm(workspaceId, audience)), bytes: prefixed.length })
    hold.run(workspaceId, audience, 1, length)
    if (language !== 'en') speak.run(workspaceId, audience, language)
    if (seq === 1) begin.run(rules)
    mix.run(rules)
  }

  function deleteEntry({ seq, workspaceId, audience }: Place): void {
    later.push({ run: () => void remove.run(seq), bytes: 0 })
    hold.run(workspaceId, audience, -1, -(lengthOf.get(seq)?.length ?? 1))
  }

  return {
    insertEntry,
    deleteEntry,
    replaceEntry: (place: Place, entry: IndexEntry) => {
      deleteEntry(place)
      setWords.run(entry.length, entry.codes, place.seq)
      insertEntry(place, entry)
    },
  }
}

/** Terms with a space between them, each behind the prefix. */
function prefixTerms(terms: string, prefix: string): string {
  return prefix === '' || terms === '' ? terms : `${prefix}${terms.replaceAll(' ', ` ${prefix}`)}`
}
