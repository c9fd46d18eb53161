import type { Html } from './markup/html.ts'
import { html } from './markup/html.ts'
import { type Column, toHead, toTable } from './markup/table.ts'
import type { PageRequest } from './page.ts'
import { paginate, toPageLink, toQueryPath } from './paging.ts'

/** A value that rows are sorted by; rows without one are last either way. */
type SortValue = string | number | null

/** A column of a list of rows: its heading, the cell of a row, and what it is sorted by, if it can be. */
export type SortedColumn<Row> = {
  head: Column
  cell: (row: Row) => Html | string | number
  by?: (row: Row) => SortValue
}

type SortedList<Row> = { caption: string; columns: SortedColumn<Row>[]; rows: Row[]; empty: string }

const COLLATOR = new Intl.Collator('en', { numeric: true })

/**
 * One page of a fully read list as a table, sorted by the column in the parameter `sort` of the URL, descending if a
 * hyphen precedes it; without one in the order given. Headings link to the other orders.
 */
export function toSortedTable<Row>(
  { url, at }: Pick<PageRequest, 'url' | 'at'>,
  { caption, columns, rows, empty }: SortedList<Row>,
): Html {
  const sort = url.searchParams.get('sort') ?? ''
  const chosen = columns.find((column) => [nameOf(column), `-${nameOf(column)}`].includes(sort))
  const sorted = chosen?.by === undefined ? rows : sortBy(rows, chosen.by, sort.startsWith('-'))
  const { rows: shown, more } = paginate({ url, at }, sorted)
  const heads = columns.map((column) => toSortHead(at, column, rows, sort))
  return html`${toTable(
    caption,
    heads,
    shown.map((row) => columns.map(({ cell }) => cell(row))),
    empty,
  )}
${toPageLink(more, 'More')}`
}

const nameOf = ({ head }: Pick<SortedColumn<never>, 'head'>) => toHead(head).label.toLowerCase().replaceAll(' ', '-')

/** The first click sorts texts from A to Z, and numbers and times from the largest and the latest. */
function toSortHead<Row>(at: string, column: SortedColumn<Row>, rows: Row[], sort: string): Column {
  const { head, by } = column
  if (by === undefined) return head
  const [up, down] = [nameOf(column), `-${nameOf(column)}`]
  const isText = rows.some((row) => typeof by(row) === 'string')
  const [first, other] = isText ? [up, down] : [down, up]
  const order = { [up]: 'ascending' as const, [down]: 'descending' as const }[sort]
  return { ...toHead(head), sort: { href: toQueryPath(at, { sort: sort === first ? other : first }), order } }
}

function sortBy<Row>(rows: Row[], by: (row: Row) => SortValue, isDown: boolean): Row[] {
  const keyed = rows.map((row) => ({ row, value: by(row) }))
  const present = keyed.filter(({ value }) => value !== null)
  present.sort((a, b) => (isDown ? -1 : 1) * compare(a.value, b.value))
  return [...present, ...keyed.filter(({ value }) => value === null)].map(({ row }) => row)
}

const compare = (a: SortValue, b: SortValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : COLLATOR.compare(String(a), String(b))
