/** Rows on a page. */
export const PAGE_SIZE = 50

/** The rows that a page shows, where the address says which (`page=2`), and where those after them are. `path` is the page's own. */
export function paginate<Row>(url: URL, path: string, rows: Row[]): { rows: Row[]; more: string | undefined } {
  const page = readPageNumber(url)
  const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return { rows: shown, more: rows.length > page * PAGE_SIZE ? `${path}?page=${page + 1}` : undefined }
}

/** The number of the page that an address asks for, from 1 on. */
export function readPageNumber(url: URL): number {
  const asked = Number(url.searchParams.get('page') ?? 1)
  return Number.isSafeInteger(asked) && asked > 0 && asked < 1e9 ? asked : 1
}

/** The line of the audit log after which a page begins, as an address names it. */
export function readSeq(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
