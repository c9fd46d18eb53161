import type { Audience, IndexEntry } from '../../../record.ts'
import type { Connection } from '../../connection.ts'
import type { Later } from '../../writer.ts'

/** The record of an entry, and its audience. */
type Indexed = { seq: number; workspaceId: number; audience: Audience }

/** What the statistics have of an entry. */
type StoredEntry = { length: number; language: string }

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

  function deleteEntry({ seq, workspaceId, audience, length, language }: Indexed & StoredEntry): void {
    later.push({ run: () => void remove.run(seq), bytes: 0 })
    count.run(workspaceId, audience, -1, -length)
    if (language !== 'en') countLanguage.run(workspaceId, audience, language, -1)
  }

  return { insertEntry, deleteEntry }
}

/** Adds the prefix to each of the terms, which are separated by spaces. */
export function prefixTerms(terms: string, prefix: string): string {
  return prefix === '' || terms === '' ? terms : `${prefix}${terms.replaceAll(' ', ` ${prefix}`)}`
}

/**
 * Private-use characters before the terms made here: FTS5's tokenizer takes them for letters, and no term of a text
 * contains one (the analyzer drops them), so no query can match or imitate such a term.
 */
const VISIBILITY_SIGN = '\ue000'
const PREFIX_SIGN = '\ue001'
const EVERYONE = '*'

/** The term in every index entry that states the workspace and audience of its record. */
export function toVisibilityTerm(workspaceId: number, audience: Audience): string {
  return `${VISIBILITY_SIGN}${workspaceId}v${audience === EVERYONE ? 'all' : toAlphanumeric(audience)}`
}

/**
 * The prefix of every indexed term of an audience's records; none for records that everybody sees. So each audience has
 * a vocabulary of its own, and a list of its terms neither contains nor takes time for terms that only other audiences
 * have.
 */
export function toTermPrefix(audience: Audience): string {
  return audience === EVERYONE ? '' : `${PREFIX_SIGN}${toAlphanumeric(audience)}${PREFIX_SIGN}`
}

const toAlphanumeric = (audience: Audience) => audience.replace(/[^a-z0-9]/gi, '').toLowerCase()

/**
 * The part of the index that a query is answered from: for each visible audience that has records in it, the prefix of
 * its terms and a match of these records. `isWhole`: these are all records of the audiences, so that the prefixes alone
 * select them.
 */
export type IndexScope = { parts: { prefix: string; records: string }[]; isWhole: boolean }

/**
 * An FTS5 match expression. `isUnion`: it only joins posting lists by OR, so that its newest records can be found
 * without reading the lists to the end.
 */
export type MatchExpression = { text: string; isUnion: boolean }

/** An audience as a part of a scope: its records in a workspace, or all of them, which need no match of their own. */
export function toScopePart(audience: Audience, workspaceId: number | undefined): IndexScope['parts'][number] {
  return {
    prefix: toTermPrefix(audience),
    records: workspaceId === undefined ? '' : `"${toVisibilityTerm(workspaceId, audience)}"`,
  }
}

/**
 * Matches records of the scope that have any of `terms`, and any of `requireAnyOf` where that is given. Each audience
 * has its own conditions: FTS5 intersects with one list ten times faster than with a union of two.
 */
export function toMatch(
  { parts, isWhole }: IndexScope,
  terms: string[],
  requireAnyOf: string[] | undefined,
): MatchExpression {
  const texts = parts.map(({ prefix, records }) => {
    const required = requireAnyOf === undefined ? '' : ` AND ${anyOf(prefix, requireAnyOf)}`
    return `(${anyOf(prefix, terms)}${required}${isWhole ? '' : ` AND ${records}`})`
  })
  return { text: texts.join(' OR ') || NOTHING, isUnion: isWhole && requireAnyOf === undefined }
}

const anyOf = (prefix: string, terms: string[]) => `("${prefix}${terms.join(`" OR "${prefix}`)}")`

/** A visibility term that no record has. */
const NOTHING = `"${toVisibilityTerm(0, 'nobody')}"`
