import type { Explained } from '../../memory/search/explain.ts'
import { type Html, html } from '../markup/html.ts'
import { numeric, toTable } from '../markup/table.ts'

const COLUMNS = ['Word', 'Found as', 'Use', numeric('Weight'), numeric('Own'), numeric('With neighbours')]

/** Explains the score of a record: the contribution of each query word and of its source, and the formula. */
export function toContributions({
  fact_key: factKey,
  score,
  stale = false,
  terms,
  source_evidence: evidence,
  newness,
  wording,
}: Pick<Explained, 'fact_key' | 'score' | 'stale' | 'terms' | 'source_evidence' | 'newness' | 'wording'>): Html {
  const counted = terms.filter(({ with_neighbours: total }) => total > 0)
  const rows = counted.map(({ word, forms, use, weight, own, with_neighbours: total }) => [
    html`<bdi>${word}</bdi>`,
    html`<bdi>${forms.join(', ')}</bdi>`,
    use,
    ...toNumbers(weight, own, total),
  ])
  const missing = terms.filter((term) => !counted.includes(term))
  if (missing.length > 0) rows.push([toMissing(missing), '–', '–', ...toNumbers(sumOf(missing, 'weight'), 0, 0)])
  if (evidence > 0) rows.push([html`<i>its source</i>`, '–', '–', '–', '–', ...toNumbers(evidence)])
  return html`<details><summary>Why this score</summary>
${wording === undefined ? toFormula({ total: sumOf(terms, 'with_neighbours') + evidence, weight: sumOf(terms, 'weight'), newness, stale, score }) : toBestWording(wording)}
${toTable(`What the words contributed to ${factKey}`, COLUMNS, rows, 'Nothing.')}
</details>`
}

/** With other wordings the sum of the words is no share of one query. */
const toBestWording = (wording: string): Html =>
  html`<p class="quiet">Found best by the wording <bdi>${wording}</bdi>. The words are those of all wordings.</p>`

type Formula = { total: number; weight: number; newness: number; stale: boolean; score: number }

/** The formula of the score, with the values inserted. */
function toFormula({ total, weight, newness, stale, score }: Formula): Html {
  return html`<p class="quiet">The score ${score} is ${stale ? 'half of ' : undefined}1 − 4<sup>−x</sup>, where x is the sum of the last column divided by the sum of the weights, times a factor for when the record was last saved: ${total.toFixed(3)} ÷ ${weight.toFixed(3)} × ${newness.toFixed(3)} = ${((total / weight) * newness).toFixed(3)}. ${
    stale ? 'Half, because the record is stale. ' : undefined
  }The last column has what a neighbour of the same source lends, where that is more than the record's own, and what a record gets because many records of its source hold the words.</p>`
}

/** Maximum number of listed words without a contribution. */
const MAX_MISSING_SHOWN = 20

function toMissing(terms: Explained['terms']): Html {
  const words = terms.slice(0, MAX_MISSING_SHOWN).map(({ word }) => word)
  return html`<div><i>not here:</i> <bdi>${words.join(', ')}</bdi>${terms.length > MAX_MISSING_SHOWN ? ' …' : undefined}</div>`
}

function toNumbers(...values: number[]): string[] {
  return values.map((value) => value.toFixed(3))
}

function sumOf(terms: Explained['terms'], name: 'weight' | 'with_neighbours'): number {
  return terms.reduce((sum, term) => sum + term[name], 0)
}
