import type { DiffPart } from '../../text/word-diff.ts'
import { type Html, html } from '../markup/html.ts'

/** Longer texts scroll in a frame of their own. */
const MAX_WHOLE_CHARACTERS = 3_000

/** The whole content of a record. */
export function toContent(content: string): Html {
  if (content.length <= MAX_WHOLE_CHARACTERS) return html`<p class="content" dir="auto">${content}</p>`
  return html`<div class="content tall" role="region" aria-label="Text" tabindex="0" dir="auto">${content}</div>`
}

/** The words that differ. */
export function toDiff(parts: DiffPart[]): Html {
  const words = parts.map(({ kind, text }) => {
    if (kind === 'same') return html`${text}`
    return kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`
  })
  return html`<p class="content diff" dir="auto">${words}</p>`
}
