import { type Html, html } from './html.ts'

/** A range of a text in UTF-16 units, `end` exclusive. */
type Mark = { start: number; end: number }

/** A text with highlighted ranges, which must be sorted and must not overlap. */
export function toMarked(text: string, marks: Mark[]): Html {
  let from = 0
  const parts = marks.flatMap(({ start, end }) => {
    const before = text.slice(from, start)
    from = end
    return [html`${before}`, html`<mark>${text.slice(start, end)}</mark>`]
  })
  return html`${parts}${text.slice(from)}`
}
