import { cacheRead } from '../../../../cache/cached-read.ts'
import type { ProjectReads } from '../../../project.ts'
import type { Audience, Visible } from '../../../record.ts'
import type { PostingsQuery, TermCount } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import { inTurn } from '../../long-reads.ts'
import { toVisibleList, type VisibleParams } from '../visible.ts'
import type { Caching } from './posting-list-cache.ts'
import { type IndexScope, type MatchExpression, toMatch, toScopePart, toTermPrefix } from './word-index.ts'

/**
 * Range of record numbers that one statement examines when it intersects lists: at most about 10 ms, whatever the
 * length of the lists. Four times as many at once took 20 to 30 ms, and no less in all.
 */
const RANGE_SIZE = 1 << 15

/**
 * Lists that one statement reads: FTS5 opens its tables once for a statement, so that five lists take half the time of
 * five statements.
 */
const LISTS_PER_STATEMENT = 5

type Match = MatchExpression & { terms: string[] }
type AudienceRow = { audience: Audience; records: number }

/**
 * Posting lists of the full-text index. Visibility is part of every match, so that hidden records never displace
 * visible ones. Yields between statements. With `caching`, lists and scopes are cached until the file changes.
 */
export function createPostings(client: Connection, caching?: Caching): Pick<ProjectReads, 'findPostings'> {
  // As one string, because 10 000 rows would cost ten times as much.
  const concat = (from: string, order = 'order by rowid desc') =>
    `select group_concat(rowid) from (select rowid from word_index ${from} ${order} limit ?)`
  const toStatements = (order?: string) =>
    Array.from({ length: LISTS_PER_STATEMENT }, (_, at) =>
      client.statement<unknown, (string | number)[]>(
        `select ${Array(at + 1).fill(`(${concat('where word_index match ?', order)})`)}`,
      ),
    )
  const newest = toStatements()
  // In the order of the index, three lists take 31 µs instead of 45: backwards, FTS5 goes through each page twice.
  const oldest = toStatements('')
  const inRange = client.statement<unknown, [match: string, first: number, last: number, limit: number]>(
    concat('where word_index match ? and rowid >= ? and rowid <= ?'),
  )
  const inWorkspace = client.statement<AudienceRow, [...VisibleParams, workspaceId: number]>(
    'select audience, records from audience_stats where workspace_id = ?4 and records > 0 and (?1 is null or audience in (?1, ?2, ?3))',
  )
  // Of 50 000 workspaces, only the audiences are read: their names would make a match of a megabyte.
  const everyAudience = client.statement<Pick<AudienceRow, 'audience'>, []>(
    'select distinct audience from audience_stats where records > 0',
  )
  // A step of an index for each audience: every save reads this, and a scan of 50 000 workspaces takes 6 ms.
  const anywhere = client.statement<Pick<AudienceRow, 'audience'>, VisibleParams>(
    `select audience from (select ?1 as audience union select ?2 union select ?3) as visible
      where exists (select 1 from workspace_audiences indexed by workspace_audiences_by_name
        where audience = visible.audience and name is not null)`,
  )
  const usage = client.statement<{ records: number }, []>('select records from usage')
  const last = client.statement<{ seq: number | null }, []>('select max(seq) as seq from records')

  async function readScope(visible: Visible, workspaceId: number | undefined): Promise<IndexScope> {
    if (workspaceId === undefined) {
      const audiences = visible === undefined ? everyAudience.all() : anywhere.all(...toVisibleList(visible))
      return { parts: audiences.map(({ audience }) => toScopePart(audience, workspaceId)), isWhole: true }
    }
    const found = inWorkspace.all(...toVisibleList(visible), workspaceId)
    const records = found.reduce((sum, one) => sum + one.records, 0)
    return {
      parts: found.map(({ audience }) => toScopePart(audience, workspaceId)),
      isWhole: records === usage.get()?.records,
    }
  }
  const findScope = caching === undefined ? readScope : cacheRead(readScope, caching.version)

  /** Intersects lists range by range, from the newest record down. */
  async function intersect(
    { visible, workspaceId, most, beside }: PostingsQuery,
    terms: string[],
  ): Promise<Uint32Array> {
    const readRange = inTurn(async (end: number, limit: number) => {
      // Audiences may have received their first record, or lost their last one, since the range before.
      const match = toMatch(await findScope(visible, workspaceId), terms, beside).text
      return parseNumbers(inRange.values(match, end - RANGE_SIZE + 1, end, limit))
    })
    const parts: Uint32Array[] = []
    let missing = most
    for (let end = last.get()?.seq ?? 0; end > 0 && missing > 0; end -= RANGE_SIZE) {
      const part = await readRange(end, missing)
      missing -= part.length
      parts.push(part)
    }
    return concatenate(parts)
  }

  /** Reads the lists of matches that only join posting lists, at most `LISTS_PER_STATEMENT`. */
  function readUnions(matches: Match[], { most, isForSave }: PostingsQuery): Uint32Array[] {
    const statements = isForSave ? oldest : newest
    const [lists = []] = statements[matches.length - 1]?.values(...matches.flatMap(({ text }) => [text, most])) ?? []
    return lists.map(parseNumberList)
  }

  async function readMissing(query: PostingsQuery, missing: Match[]): Promise<Uint32Array[]> {
    if (missing.every(({ isUnion }) => isUnion)) return readUnions(missing, query)
    const lists: Uint32Array[] = []
    for (const { terms } of missing) lists.push(await intersect(query, terms))
    return lists
  }

  const readLists = inTurn(async (query: PostingsQuery, groups: string[][]): Promise<Uint32Array[]> => {
    // Of before the reading: what is committed meanwhile may not be in the lists.
    const version = caching?.version()
    const scope = await findScope(query.visible, query.workspaceId)
    const matches = groups.map((terms) => ({ terms, ...toMatch(scope, terms, query.beside) }))
    // Guesses, for which one record is requested, and intersections are rarely repeated.
    const cache = query.most === 1 || query.beside !== undefined ? undefined : caching
    const keyOf = ({ text }: Match) => `${version} ${query.most} ${text}`
    const known = new Map(matches.map((match) => [match, cache?.postingLists.get(keyOf(match))]))
    const missing = matches.filter((match) => known.get(match) === undefined)
    const found = await readMissing(query, missing)
    for (const [at, match] of missing.entries()) {
      const list = found[at] ?? new Uint32Array()
      known.set(match, list)
      cache?.postingLists.set(keyOf(match), list)
    }
    return matches.map((match) => known.get(match) ?? new Uint32Array())
  })

  return {
    findPostings: async (query) => {
      const lists: Uint32Array[] = []
      for (let at = 0; at < query.groups.length; at += LISTS_PER_STATEMENT) {
        lists.push(...(await readLists(query, query.groups.slice(at, at + LISTS_PER_STATEMENT))))
      }
      return lists
    },
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
function parseNumberList(answer: unknown): Uint32Array {
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
