import { cacheRead } from '../../../../cache/cached-read.ts'
import { yieldIfDue } from '../../../../cooperative.ts'
import { ANALYZER_VERSION } from '../../../../text/analyzer.ts'
import type { ProjectReads } from '../../../project.ts'
import type { Audience, Visible } from '../../../record.ts'
import type { PostingsQuery, TermCount } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import { toVisibleList, type VisibleParams } from '../visible.ts'
import { type IndexScope, type MatchExpression, toMatch, toVisibilityMatch } from './match-expression.ts'
import type { Caching } from './posting-list-cache.ts'
import { toTermPrefix } from './visibility-term.ts'

/** Range of record numbers that one statement examines when it intersects lists: some milliseconds, whatever the length of the lists. */
const RANGE_SIZE = 1 << 17
/** Larger than any number of records. */
const UNLIMITED = 2 ** 36

type AudienceRow = { audience: Audience; workspaceId: number; records: number }

/**
 * Posting lists of the full-text index. Visibility is part of every match, so that hidden records never displace visible ones. Yields between statements.
 * With `caching`, lists and scopes are cached until the file changes.
 */
export function createPostings(client: Connection, caching?: Caching): Pick<ProjectReads, 'findPostings' | 'findVisibleSeqs'> {
  // As one string, because 10 000 rows would cost ten times as much.
  const concat = (from: string) => `select group_concat(rowid) from (select rowid from word_index ${from} order by rowid desc limit ?)`
  const newest = client.statement<unknown, [match: string, limit: number]>(concat('where word_index match ?'))
  const inRange = client.statement<unknown, [match: string, first: number, last: number, limit: number]>(
    concat('where word_index match ? and rowid >= ? and rowid <= ?'),
  )
  const columns = 'select audience, workspace_id as workspaceId, records from holdings'
  const inWorkspace = client.statement<AudienceRow, [...VisibleParams, workspaceId: number]>(
    `${columns} where workspace_id = ?4 and records > 0 and (?1 is null or audience in (?1, ?2, ?3))`,
  )
  const anywhere = client.statement<AudienceRow, VisibleParams>(
    `${columns} where records > 0 and (?1 is null or audience in (?1, ?2, ?3)) order by workspace_id`,
  )
  const rules = client.statement<{ rules: number }, []>('select rules from indexing')
  const usage = client.statement<{ records: number }, []>('select records from usage')
  const last = client.statement<{ seq: number | null }, []>('select max(seq) as seq from records')

  async function readScope(visible: Visible, workspaceId: number | undefined): Promise<IndexScope> {
    const isEverywhere = workspaceId === undefined
    const found = isEverywhere ? anywhere.all(...toVisibleList(visible)) : inWorkspace.all(...toVisibleList(visible), workspaceId)
    const records = found.reduce((sum, one) => sum + one.records, 0)
    const parts = [...Map.groupBy(found, ({ audience }) => audience)].map(([audience, rows]) => ({
      audience,
      workspaceIds: rows.map((row) => row.workspaceId),
    }))
    const isWholeAudiences = isEverywhere && rules.get()?.rules === ANALYZER_VERSION
    return { parts, isWholeProject: records === usage.get()?.records, isWholeAudiences }
  }
  const findScope = caching === undefined ? readScope : cacheRead(readScope, caching.version)

  /** Searches from the newest record down; range by range if lists are intersected. */
  async function find(
    { visible, workspaceId, most, beside }: PostingsQuery,
    terms: string[],
    first: MatchExpression,
  ): Promise<Uint32Array> {
    let match = first
    if (match.isUnion) return parseNumbers(newest.values(match.text, most))
    const parts: Uint32Array[] = []
    let missing = most
    for (let end = last.get()?.seq ?? 0; end > 0 && missing > 0; end -= RANGE_SIZE) {
      const due = yieldIfDue()
      if (due !== undefined) {
        await due
        // Audiences may have received their first record, or lost their last one, meanwhile.
        match = toMatch(await findScope(visible, workspaceId), terms, beside)
      }
      const part = parseNumbers(inRange.values(match.text, end - RANGE_SIZE + 1, end, missing))
      missing -= part.length
      parts.push(part)
    }
    return concatenate(parts)
  }

  async function findCached(query: PostingsQuery, terms: string[]): Promise<Uint32Array> {
    const match = toMatch(await findScope(query.visible, query.workspaceId), terms, query.beside)
    // Guesses, for which one record is requested, and intersections are rarely repeated.
    if (caching === undefined || query.most === 1 || query.beside !== undefined) return find(query, terms, match)
    const key = `${caching.version()} ${query.most} ${match.text}`
    const known = caching.postingLists.get(key)
    if (known !== undefined) return known
    const list = await find(query, terms, match)
    caching.postingLists.set(key, list)
    return list
  }

  return {
    findPostings: async (query) => {
      const lists: Uint32Array[] = []
      for (const terms of query.groups) {
        const due = yieldIfDue()
        if (due !== undefined) await due
        lists.push(await findCached(query, terms))
      }
      return lists
    },
    findVisibleSeqs: async (visible, workspaceId) =>
      parseNumbers(newest.values(toVisibilityMatch(await findScope(visible, workspaceId)), UNLIMITED)),
  }
}

/** Terms of audiences, with how many records have each. */
export function createVocabularyReads(client: Connection): Pick<ProjectReads, 'listTerms'> {
  const terms = client.statement<TermCount, [termStart: number, first: string, end: string, limit: number]>(
    'select substr(term, ?1) as term, doc as records from word_counts where term >= ?2 and term < ?3 limit ?4',
  )
  return {
    listTerms: async ({ audience, first, end, limit }) => {
      const prefix = toTermPrefix(audience)
      return terms.all(prefix.length + 1, prefix + first, prefix + end, limit)
    },
  }
}

function concatenate(parts: Uint32Array[]): Uint32Array {
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0) return first
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Scratch memory of `parseNumberList`, which never yields. */
let scratch = new Uint32Array()

const ZERO = 48

const parseNumbers = (rows: unknown[][]) => parseNumberList(rows[0]?.[0])

/** Parses the comma-separated numbers of `group_concat`; null means none. */
export function parseNumberList(answer: unknown): Uint32Array {
  if (typeof answer !== 'string') return new Uint32Array()
  const max = (answer.length + 1) >> 1
  if (scratch.length < max) scratch = new Uint32Array(max * 2)
  const numbers = scratch
  let count = 0
  let number = 0
  for (let at = 0; at < answer.length; at++) {
    const digit = answer.charCodeAt(at) - ZERO
    if (digit >= 0) number = number * 10 + digit
    else {
      numbers[count++] = number
      number = 0
    }
  }
  numbers[count++] = number
  return numbers.slice(0, count)
}
