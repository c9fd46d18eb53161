import type { AuditPlace } from '../store/audit.ts'
import { type Html, html } from './markup/html.ts'
import type { PageRequest } from './page.ts'

/** Rows of a list on one page. */
export const PAGE_SIZE = 50

const MAX_PAGE_NUMBER = 1e9

/**
 * One page of a fully read list, by the parameter `page` of the URL, and the link to the next page, with the same
 * order and the filters `query`. `at` is the path of the page.
 */
export function paginate<Row>(
  { url, at }: Pick<PageRequest, 'url' | 'at'>,
  rows: Row[],
  query: Record<string, string> = {},
): { rows: Row[]; more: string | undefined } {
  const page = readPageNumber(url, rows.length)
  const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const sort = url.searchParams.get('sort') ?? undefined
  const next = toQueryPath(at, { ...query, sort, page: String(page + 1) })
  return { rows: shown, more: rows.length > page * PAGE_SIZE ? next : undefined }
}

/**
 * The parameter `page` of a URL, starting at 1; 1 if it is invalid. At most the last page of a list of `count` rows,
 * which may have become shorter since the link was made.
 */
export function readPageNumber(url: URL, count = MAX_PAGE_NUMBER * PAGE_SIZE): number {
  const page = Number(url.searchParams.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(count / PAGE_SIZE))
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, last) : 1
}

/**
 * A parameter that holds the time and the number of an audit event, joined by a hyphen; undefined for anything else.
 */
export function readPlace(text: string | null): AuditPlace | undefined {
  const [, at, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? []
  return at === undefined ? undefined : { at: Number(at), seq: Number(seq) }
}

/** A parameter that holds the sequence number of an audit event; undefined for anything else. */
export function readSeq(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/**
 * How many rows a list by time has that begins `before` something on its further pages: those of the first page if it
 * is the only one, or else what `count` says; undefined if filters narrow the list.
 */
export async function countListed(
  { url, query = {} }: { url: URL; query?: Record<string, string> },
  page: { rows: unknown[]; older: unknown } | undefined,
  count: () => Promise<number | undefined>,
): Promise<number | undefined> {
  if (page === undefined || Object.values(query).some((value) => value !== '')) return undefined
  return url.searchParams.has('before') || page.older !== undefined ? count() : page.rows.length
}

/** The links to the adjacent pages of a list sorted by time, newest first; undefined if there are none. */
export function toPageLinks(newer: string | undefined, older: string | undefined): Html | undefined {
  if (newer === undefined && older === undefined) return undefined
  return html`<nav class="pages" aria-label="Pages">${newer === undefined ? undefined : html`<a href="${newer}" rel="prev">Newer</a>`}${older === undefined ? undefined : html`<a href="${older}" rel="next">Older</a>`}</nav>`
}

/**
 * The link to the next page of a list: `Older` of one sorted by time, newest first, and `More` of any other; undefined
 * on the last page.
 */
export function toPageLink(href: string | undefined, label: 'Older' | 'More'): Html | undefined {
  return href === undefined ? undefined : html`<p class="older"><a href="${href}">${label}</a></p>`
}

/** Parameters of a page's address, empty for those that it has not. A `source` may begin or end with a space. */
export function readQuery<const Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Record<Name, string> {
  const read = (name: Name) => (name === 'source' ? query.get(name) : query.get(name)?.trim())
  return Object.fromEntries(names.map((name) => [name, read(name) ?? ''])) as Record<Name, string>
}

/** A path with a query string; parameters that are undefined or empty are left out. */
export function toQueryPath(path: string, query: Record<string, string | undefined>): string {
  const present = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present).toString()}`
}
