import { type Html, html } from './html.ts'

/** The link to the next page of a list sorted by time, newest first; undefined on the last page. */
export function toOlderLink(href: string | undefined): Html | undefined {
  return toPageLink(href, 'Older')
}

/** The link to the next page of a list in any other order; undefined on the last page. */
export function toMoreLink(href: string | undefined): Html | undefined {
  return toPageLink(href, 'More')
}

/** The links to the adjacent pages of a list sorted by time, newest first; undefined if there are none. */
export function toPageLinks(newer: string | undefined, older: string | undefined): Html | undefined {
  if (newer === undefined && older === undefined) return undefined
  return html`<nav class="pages" aria-label="Pages">${newer === undefined ? undefined : html`<a href="${newer}" rel="prev">Newer</a>`}${older === undefined ? undefined : html`<a href="${older}" rel="next">Older</a>`}</nav>`
}

function toPageLink(href: string | undefined, label: string): Html | undefined {
  return href === undefined ? undefined : html`<p class="older"><a href="${href}">${label}</a></p>`
}

/** A path with a query string; parameters that are undefined or empty are left out. */
export function toQueryPath(path: string, query: Record<string, string | undefined>): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present).toString()}`
}
