import type { Explained } from '../../memory/search/explain.ts'
import { type Html, html } from '../markup/html.ts'
import { toTable } from '../markup/table.ts'

const COLUMNS = [
  { label: 'Word' },
  { label: 'Found as' },
  { label: 'Use' },
  { label: 'Weight', look: 'number' as const },
  { label: 'Own', look: 'number' as const },
  { label: 'With neighbours', look: 'number' as const },
]

/** Why a record has its score: the words of the query that counted for it, and how the score is made of them. */
export function toContributions({
  fact_key: factKey,
  score,
  stale,
  terms,
}: Pick<Explained, 'fact_key' | 'score' | 'stale' | 'terms'>): Html {
  const counted = terms.filter(({ with_neighbours: worth }) => worth > 0)
  const rows = counted.map(({ word, forms, use, weight, own, with_neighbours: worth }) => [
    html`<bdi>${word}</bdi>`,
    html`<bdi>${forms.join(', ')}</bdi>`,
    html`${use}`,
    ...toNumbers(weight, own, worth),
  ])
  const missing = terms.filter((term) => !counted.includes(term))
  if (missing.length > 0) rows.push([toMissing(missing), html`–`, html`–`, ...toNumbers(sumOf(missing, 'weight'), 0, 0)])
  return html`<details><summary>Why this score</summary>
${toFormula(sumOf(terms, 'with_neighbours'), sumOf(terms, 'weight'), stale, score)}
${toTable(`What the words contributed to ${factKey}`, COLUMNS, rows, 'Nothing.')}
</details>`
}

/** How the score is made of the columns. */
function toFormula(worth: number, weight: number, stale: boolean, score: number): Html {
  return html`<p class="quiet">The score ${score.toFixed(4)} is ${stale ? 'half of ' : undefined}1 − 4<sup>−x</sup>, where x is the sum of the last column divided by the sum of the weights: ${worth.toFixed(3)} ÷ ${weight.toFixed(3)} = ${(worth / weight).toFixed(3)}. ${
    stale ? 'Half, because the record is stale. ' : undefined
  }The last column has what a neighbour of the same source lends, where that is more than the record's own.</p>`
}

/** Words shown of those that count for nothing here. */
const MAX_MISSING_SHOWN = 20

function toMissing(terms: Explained['terms']): Html {
  const words = terms.slice(0, MAX_MISSING_SHOWN).map(({ word }) => word)
  return html`<div><i>not here:</i> <bdi>${words.join(', ')}</bdi>${terms.length > MAX_MISSING_SHOWN ? ' …' : undefined}</div>`
}

function toNumbers(...values: number[]): Html[] {
  return values.map((value) => html`${value.toFixed(3)}`)
}

function sumOf(terms: Explained['terms'], name: 'weight' | 'with_neighbours'): number {
  return terms.reduce((sum, term) => sum + term[name], 0)
}
