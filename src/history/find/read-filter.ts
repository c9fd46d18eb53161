import { DAY_MS, toIsoTime } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { SourceFilter } from '../../store/history.ts'
import { MAX_WORDS_CHARACTERS } from './parse-words.ts'

/** The names by which a list of sessions is narrowed, in addresses and on the command line. */
export const FILTER_NAMES = ['assistant', 'folder', 'branch', 'since', 'until'] as const
type FilterName = (typeof FILTER_NAMES)[number]

/**
 * The filter that these values ask for; empty ones are ignored. Days are those of UTC, and `until` is the last one.
 *
 * @throws Refusal for a day that is none, and for a value of more than 200 characters.
 */
export function readFilter(read: (name: FilterName) => string | null | undefined): Omit<SourceFilter, 'ownerId'> {
  const [assistant, folder, gitBranch, since, until] = FILTER_NAMES.map((name) => {
    const value = read(name)?.trim() || undefined
    if (value !== undefined && [...value].length > MAX_WORDS_CHARACTERS)
      throw new Refusal(`${name} has at most ${MAX_WORDS_CHARACTERS} characters`)
    return value
  })
  const path = folder
    ?.replaceAll('\\', '/')
    .split('/')
    .filter((name) => name !== '')
    .join('/')
  return {
    assistant,
    folder: path === '' ? undefined : path,
    gitBranch,
    since: since === undefined ? undefined : readDay('since', since),
    until: until === undefined ? undefined : readDay('until', until) + DAY_MS - 1,
  }
}

function readDay(name: string, text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  // A day that its month does not have is parsed as one of the next month.
  if (!Number.isNaN(day) && toIsoTime(day).startsWith(text)) return day
  throw new Refusal(`${name} must be a day such as 2026-11-01`, name)
}
