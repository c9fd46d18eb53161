import type { Database } from 'bun:sqlite'
import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectReads } from '../../project.ts'
import type { Audience } from '../../record.ts'
import type { PostingsQuery } from '../../search.ts'
import { keepList, recallPostings } from './posting-list-cache.ts'
import { toTermPrefix, toVisibilityTerm } from './visibility-term.ts'
import { toVisibleParams } from './visible.ts'

type Held = { audience: Audience; records: number }

/** What a question may be answered with: audiences of a workspace, which may be all that the project has. */
type Place = { workspaceId: number; audiences: Audience[]; isAll: boolean }

/**
 * Record numbers looked through by one statement where two lists must be walked to find what is in both: some milliseconds, however many
 * records hold what is asked for.
 */
const WINDOW = 1 << 17

/**
 * Who holds a term. The marks are part of the match, so that what may not be seen never takes a place; where all may be seen they are spared.
 * What was found is kept where `version` tells when it is out of date. Other work has its turn between two statements.
 */
export function createPostings(client: Database, version?: () => number): Pick<ProjectReads, 'findPostings' | 'findVisibleSeqs'> {
  const statement = client.prepare<unknown, [match: string, least: number, most: number, limit: number]>(
    `select group_concat(rowid) from (select rowid from word_index where word_index match ? and rowid >= ? and rowid <= ?
      order by rowid desc limit ?)`,
  )
  const held = client.prepare<Held, [workspaceId: number, ...visible: (string | null)[]]>(
    'select audience, records from holdings where workspace_id = ?1 and records > 0 and (?2 is null or audience in (?2, ?3, ?4))',
  )
  const usage = client.prepare<{ records: number }, []>('select records from usage')
  const last = client.prepare<{ seq: number | null }, []>('select max(seq) as seq from records')
  const read = (match: string, least: number, most: number, limit: number) =>
    toNumbers(String(statement.values(match, least, most, limit)[0]?.[0] ?? ''))

  function toPlace({ visible, workspaceId }: Pick<PostingsQuery, 'visible' | 'workspaceId'>): Place {
    const { v1, v2, v3 } = toVisibleParams(visible)
    const seen = held.all(workspaceId, v1, v2, v3)
    const isAll = seen.reduce((sum, { records }) => sum + records, 0) === usage.get()?.records
    return { workspaceId, audiences: seen.map(({ audience }) => audience), isAll }
  }

  /** Looks from the newest record down, a window at a time where one list must be compared with another. */
  async function find(query: PostingsQuery, terms: string[], place: Place): Promise<Uint32Array> {
    const { match, isPlain } = toMatch(query, place, terms)
    if (isPlain) return read(match, 0, ALL, query.most)
    const found: Uint32Array[] = []
    let missing = query.most
    let asked = match
    for (let end = last.get()?.seq ?? 0; end > 0 && missing > 0; end -= WINDOW) {
      const due = yieldIfDue()
      // What may be seen can have changed meanwhile.
      if (due !== undefined) asked = await due.then(() => toMatch(query, toPlace(query), terms).match)
      const part = read(asked, end - WINDOW + 1, end, missing)
      missing -= part.length
      found.push(part)
    }
    return concat(found)
  }

  async function recall(query: PostingsQuery, terms: string[], place: Place): Promise<Uint32Array> {
    // Guesses, of which one holder is asked for, and words beside others are rarely asked for again.
    if (version === undefined || query.most === 1 || query.beside !== undefined) return find(query, terms, place)
    const name = `${version()} ${query.most} ${toMatch(query, place, terms).match}`
    const known = recallPostings(name)
    const list = known ?? (await find(query, terms, place))
    if (known === undefined) keepList(name, list)
    return list
  }

  return {
    findPostings: async (query) => {
      const lists: Uint32Array[] = []
      let place = toPlace(query)
      for (const terms of query.groups) {
        const due = yieldIfDue()
        if (due !== undefined) place = await due.then(() => toPlace(query))
        lists.push(await recall(query, terms, place))
      }
      return lists
    },
    findVisibleSeqs: async (visible, workspaceId) => {
      return read(toMarks(toPlace({ visible, workspaceId })), 0, ALL, ALL)
    },
  }
}

/** More records than any project has. */
const ALL = 2 ** 36

/** The question in the engine's language; plain where it walks through one kind of list only. */
function toMatch({ beside }: PostingsQuery, place: Place, terms: string[]): { match: string; isPlain: boolean } {
  const { audiences, isAll } = place
  if (beside !== undefined) {
    const both = `${anyOf(terms, audiences)} AND ${anyOf(beside, audiences)}`
    return { match: isAll ? both : `${both} AND (${toMarks(place)})`, isPlain: false }
  }
  return isAll ? { match: anyOf(terms, audiences), isPlain: true } : { match: toMarkedMatch(place, terms), isPlain: false }
}

/** Each audience's terms under its own mark: comparing with one mark is a tenth of the time of comparing with any of two. */
function toMarkedMatch(place: Place, terms: string[]): string {
  const { workspaceId, audiences } = place
  if (audiences.length === 0) return quote(NOBODY)
  return audiences.map((audience) => `(${anyOf(terms, [audience])} AND ${quote(toVisibilityTerm(workspaceId, audience))})`).join(' OR ')
}

/** Any of the terms, as each audience has them and as older rules had them. */
function anyOf(terms: string[], audiences: Audience[]): string {
  const prefixes = new Set(['', ...audiences.map(toTermPrefix)])
  return `(${terms.flatMap((term) => [...prefixes].map((prefix) => quote(prefix + term))).join(' OR ')})`
}

/** The marks to look under. */
function toMarks({ workspaceId, audiences }: Place): string {
  const marks = audiences.map((audience) => quote(toVisibilityTerm(workspaceId, audience)))
  return marks.length > 0 ? marks.join(' OR ') : quote(NOBODY)
}

/** A mark that no record has. */
const NOBODY = toVisibilityTerm(0, 'nobody')

function concat(parts: Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Room to read numbers into; nothing stays in it. */
let scratch = new Uint32Array()

/** Whole numbers with commas between them, as SQLite strings them together: many at once cost a tenth of as many rows. */
function toNumbers(text: string): Uint32Array {
  const most = (text.length + 1) >> 1
  if (scratch.length < most) scratch = new Uint32Array(most * 2)
  const numbers = scratch
  let count = 0
  let number = 0
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO
    if (digit >= 0) number = number * 10 + digit
    else {
      numbers[count++] = number
      number = 0
    }
  }
  if (text !== '') numbers[count++] = number
  return numbers.slice(0, count)
}

const ZERO = 48

const quote = (term: string) => `"${term}"`
