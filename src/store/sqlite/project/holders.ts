import type { Database } from 'bun:sqlite'
import type { Audience, Holders, ProjectReads } from '../../project.ts'
import { recallList } from './holder-memory.ts'
import { toMark } from './mark.ts'

type Held = { audience: Audience; records: number }

/**
 * Who holds a term. The marks are part of the match, so that what may not be seen never takes a place; where all may be seen they are spared.
 * What was found is kept where `version` tells when it is out of date.
 */
export function createHolders(client: Database, version?: () => number): Pick<ProjectReads, 'findHolders' | 'findSeen'> {
  const statement = client.prepare<unknown, [string, number]>(
    'select group_concat(rowid) from (select rowid from word_index where word_index match ? order by rowid desc limit ?)',
  )
  const held = client.prepare<Held, [number]>('select audience, records from holdings where workspace_id = ? and records > 0')
  const usage = client.prepare<{ records: number }, []>('select records from usage')
  const read = (match: string, most: number) => toNumbers(String(statement.values(match, most)[0]?.[0] ?? ''))
  const recall = (match: string, most: number) =>
    version === undefined ? read(match, most) : recallList(`${version()} ${most} ${match}`, () => read(match, most))
  return {
    findHolders: async (query) => {
      const seen = toSeen(query, held.all(query.workspaceId))
      const isAll = countOf(seen) === usage.get()?.records
      const marks = isAll ? undefined : toMarks(query.workspaceId, seen)
      const beside = query.beside?.map(quote).join(' OR ')
      const narrowed = [beside, marks].filter((part) => part !== undefined).map((part) => ` AND (${part})`)
      // Guesses, of which one holder is asked for, and words beside others are rarely asked for again.
      const find = query.most > 1 && beside === undefined ? recall : read
      return query.groups.map((terms) => find(`(${terms.map(quote).join(' OR ')})${narrowed.join('')}`, query.most))
    },
    findSeen: async (visible, workspaceId) => read(toMarks(workspaceId, toSeen({ visible }, held.all(workspaceId))), ALL),
  }
}

/** More records than any project has. */
const ALL = 2 ** 36

/** What of all that a workspace holds may be seen. */
function toSeen({ visible }: Pick<Holders, 'visible'>, held: Held[]): Held[] {
  return held.filter(({ audience }) => visible?.includes(audience) ?? true)
}

const countOf = (held: Held[]) => held.reduce((sum, { records }) => sum + records, 0)

/** The marks to look under. */
function toMarks(workspaceId: number, seen: Held[]): string {
  const marks = seen.map(({ audience }) => quote(toMark(workspaceId, audience)))
  return marks.length > 0 ? marks.join(' OR ') : quote(NOBODY)
}

/** A mark that no record has. */
const NOBODY = toMark(0, 'nobody')

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
