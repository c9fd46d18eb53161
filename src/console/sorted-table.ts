import { type Html, html } from './markup/html.ts'
import { type Column, toHead, toTable } from './markup/table.ts'
import type { PageRequest } from './page.ts'
import { paginate, toPageLink, toQueryPath } from './paging.ts'

/** A value that rows are sorted by; rows without one are last either way. */
type SortValue = string | number | null

/**
 * A column of a list, which can be sorted by it if it has `by`: first up if it has texts, and down, the largest and the
 * latest first, if it has numbers or times.
 */
export type SortColumn<Row> = { head: Column; by?: (row: Row) => SortValue; isText?: boolean }

/** A column with the cell of a row. */
export type SortedColumn<Row> = SortColumn<Row> & { cell: (row: Row) => Html | string | number }

type Place = Pick<PageRequest, 'url' | 'at'>

/** Rows of a page; `more` is the address of the next one, and `query` has the filters of the list. */
type SortedPage<Row> = { rows: Row[]; more: string | undefined; query?: Record<string, string> | undefined }
type SortedList<Row> = SortedPage<Row> & { caption: string; columns: SortedColumn<Row>[]; empty: string }

const COLLATOR = new Intl.Collator('en')

const nameOf = ({ head }: Pick<SortColumn<never>, 'head'>) => toHead(head).label.toLowerCase().replaceAll(' ', '-')

/** The order of a list by the parameter `sort` of its address: the name of a column, descending after a hyphen. */
export const readSort = ({ searchParams }: URL): string => searchParams.get('sort')?.slice(0, MAX_SORT_LENGTH) ?? ''

const MAX_SORT_LENGTH = 40

/** What the address sorts a list by; undefined if it names no column. */
export function findSort<Row>({ url }: Pick<Place, 'url'>, columns: SortColumn<Row>[]): SortColumn<Row>['by'] {
  return columns.find((column) => nameOf(column) === readSort(url).replace(/^-/, ''))?.by
}

/** One page of a list that was read whole, sorted as the address says, or in the order given if it says nothing. */
export function sortPage<Row>(
  place: Place,
  columns: SortColumn<Row>[],
  rows: Row[],
  query?: Record<string, string>,
): SortedPage<Row> {
  const by = findSort(place, columns)
  const sorted = by === undefined ? rows : sortBy(rows, by, readSort(place.url).startsWith('-'))
  return { ...paginate(place, sorted, query), query }
}

/** A page of a list as a table whose headings link to its other orders. */
export function toSortedTable<Row>(
  { url, at }: Place,
  { caption, columns, rows, more, query, empty }: SortedList<Row>,
): Html {
  const heads = columns.map((column) => toSortHead(at, column, { ...query, sort: readSort(url) }))
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)))
  return html`${toTable(caption, heads, cells, empty)}
${toPageLink(more, 'More')}`
}

function toSortHead<Row>(at: string, column: SortColumn<Row>, query: { sort: string }): Column {
  const { head, by, isText } = column
  if (by === undefined) return head
  const [up, down] = [nameOf(column), `-${nameOf(column)}`]
  const [first, other] = isText ? [up, down] : [down, up]
  const order = query.sort === up ? 'ascending' : query.sort === down ? 'descending' : undefined
  const href = toQueryPath(at, { ...query, sort: query.sort === first ? other : first })
  return { ...toHead(head), sort: { href, order } }
}

function sortBy<Row>(rows: Row[], by: (row: Row) => SortValue, isDown: boolean): Row[] {
  const keyed = rows.map((row) => ({ row, value: by(row) }))
  const present = keyed.filter(({ value }) => value !== null)
  present.sort((a, b) => (isDown ? -1 : 1) * compare(a.value, b.value))
  return [...present, ...keyed.filter(({ value }) => value === null)].map(({ row }) => row)
}

const compare = (a: SortValue, b: SortValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : COLLATOR.compare(String(a), String(b))
