import { type Html, html } from './html.ts'

/** A column: its heading, and how its cells are set; what is `short` stays on one line where there is room for columns. */
export type Column = { label: string; look?: 'number' | 'short' | 'actions' }

/** Rows under headings, with a caption for readers of a screen; a sentence where there are none. */
export function toTable(caption: string, columns: Column[], rows: Html[][], nothing: string): Html {
  if (rows.length === 0) return html`<p class="nothing">${nothing}</p>`
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${columns.map(({ label, look }) => html`<th scope="col"${toLook(look)}>${label}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell, at) => html`<td data-label="${columns[at]?.label ?? ''}"${toLook(columns[at]?.look)}>${cell}</td>`)}</tr>\n`)}
</tbody>
</table>
</div>`
}

function toLook(look: Column['look']): Html | undefined {
  return look && html` class="${look}"`
}

/** Names with their values. */
export function toFacts(facts: [string, Html | string | undefined][]): Html {
  const known = facts.filter((fact): fact is [string, Html | string] => fact[1] !== undefined)
  return html`<dl class="facts">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

/** A word about a thing's state. */
export function toBadge(word: string, look: 'plain' | 'good' | 'warn' | 'bad' = 'plain'): Html {
  return html`<span class="badge ${look}">${word}</span>`
}
