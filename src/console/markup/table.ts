import { type Html, html } from './html.ts'

/**
 * A column: its heading and the CSS class of its cells. A `short` cell is not wrapped in the table layout; a `long` one contains user text, which may be
 * broken anywhere.
 */
export type Column = { label: string; look?: 'number' | 'short' | 'long' | 'actions' }

export const ACTIONS_COLUMN: Column = { label: '', look: 'actions' }

/** A table with a caption for screen readers; the sentence `empty` if there are no rows. */
export function toTable(caption: string, columns: Column[], rows: Html[][], empty: string): Html {
  if (rows.length === 0) return html`<p class="nothing">${empty}</p>`
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${columns.map(({ label, look }) => html`<th scope="col"${toClass(look)}>${look === 'actions' ? html`<span class="hidden">Actions</span>` : label}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell, at) => html`<td data-label="${columns[at]?.label ?? ''}"${toClass(columns[at]?.look)}>${cell}</td>`)}</tr>\n`)}
</tbody>
</table>
</div>`
}

function toClass(look: Column['look']): Html | undefined {
  return look && html` class="${look}"`
}

/** A list of names and values; undefined values are left out. */
export function toFacts(facts: [string, Html | string | undefined][]): Html {
  const present = facts.filter((fact): fact is [string, Html | string] => fact[1] !== undefined)
  return html`<dl class="facts">${present.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

/** A coloured label of a state. */
export function toBadge(text: string, look: 'plain' | 'good' | 'warn' | 'bad' = 'plain'): Html {
  return html`<span class="badge ${look}">${text}</span>`
}
