import { type Html, html } from './html.ts'

/** A part of a text, in UTF-16 units: from `start` to before `end`. */
type Mark = { start: number; end: number }

/** A text with some of its parts marked. The marks are in the order of the text and apart from each other. */
export function toMarked(text: string, marks: Mark[]): Html {
  let from = 0
  const parts = marks.flatMap(({ start, end }) => {
    const before = text.slice(from, start)
    from = end
    return [html`${before}`, html`<mark>${text.slice(start, end)}</mark>`]
  })
  return html`${parts}${text.slice(from)}`
}
