import { type Html, html } from './html.ts'

/** The way to what came before; nothing where there is none. */
export function toOlderLink(href: string | undefined): Html | undefined {
  return toWay(href, 'Older')
}

/** The way to the next part of what is not in an order of time, newest first. */
export function toMoreLink(href: string | undefined): Html | undefined {
  return toWay(href, 'More')
}

function toWay(href: string | undefined, word: string): Html | undefined {
  return href === undefined ? undefined : html`<p class="older"><a href="${href}">${word}</a></p>`
}
