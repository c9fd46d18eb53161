import { MAX_COUNTED_TO_REVIEW } from '../../memory/records/review-count.ts'
import type { ListedSource } from '../../memory/sources/list-sources.ts'
import { toShareBar } from '../markup/chart.ts'
import { toCount } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toQueryPath } from '../markup/paging.ts'

/** A number that is counted up to 100. */
export const toCountedTo = (count: number): string => (count >= MAX_COUNTED_TO_REVIEW ? `${MAX_COUNTED_TO_REVIEW - 1}+` : String(count))

/** The list of a source's records. */
export const toSourcePath = (path: string, { workspace, sourceId }: ListedSource): string =>
  toQueryPath(`${path}/records`, { workspace, source: sourceId })

/** How many records of a source are fresh, and how many stale, as numbers and as a bar. */
export function toSourceBar({ records, stale }: ListedSource): Html {
  const bar = toShareBar([
    { value: records - stale, look: 'accent' },
    { value: stale, look: 'stale' },
  ])
  return html`${bar}<small>${toCount(records - stale)} fresh, ${toCount(stale)} stale</small>`
}
