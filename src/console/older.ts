import { type Html, html } from './html.ts'

/** The way to what came before; nothing where there is none. */
export function toOlder(href: string | undefined): Html | undefined {
  return href === undefined ? undefined : html`<p class="older"><a href="${href}">Older</a></p>`
}
