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
  covered,
  newness,
  wording,
}: Pick<
  Explained,
  'fact_key' | 'score' | 'stale' | 'terms' | 'source_evidence' | 'covered' | 'newness' | 'wording'
>): Html {
  const counted = terms.filter(({ with_neighbours: total }) => total > 0)
  const rows = counted.map(({ word, forms, use, weight, own, with_neighbours: total }) => [
    html`<bdi>${word}</bdi>`,
    html`<bdi>${forms.join(', ')}</bdi>`,
    use,
    ...toNumbers(weight, own, total),
  ])
  const missing = terms.filter((term) => !counted.includes(term))
  if (missing.length > 0) rows.push([toMissing(missing), '–', '–', ...toNumbers(sumOfWeights(missing), 0, 0)])
  if (evidence > 0) rows.push([html`<i>its source</i>`, '–', '–', '–', '–', ...toNumbers(evidence)])
  return html`<details><summary>Why this score</summary>
${wording === undefined ? toFormula({ covered, newness, stale, score }) : toBestWording(wording)}
${toTable(`What the words contributed to ${factKey}`, COLUMNS, rows, 'Nothing.')}
</details>`
}

/** With other wordings the sum of the words is no share of one query. */
const toBestWording = (wording: string): Html =>
  html`<p class="quiet">Found best by the wording <bdi>${wording}</bdi>. The words are those of all wordings.</p>`

type Formula = Pick<Explained, 'covered' | 'newness' | 'stale' | 'score'>

/** The formula of the score, with the values inserted. */
function toFormula({ covered, newness, stale, score }: Formula): Html {
  return html`<p class="quiet">The score ${score} is ${stale ? 'half of ' : undefined}x ÷ (1 + x), and at most that of the record before it. x is (2 × ${covered.toFixed(3)})<sup>4</sup> × ${newness.toFixed(3)}: the share of the weights that the words have here, each at most 1.3 times its own, and a factor for when the record was last saved. ${
    stale ? 'Half, because the record is stale. ' : undefined
  }The order follows the sum of the last column: it has what a neighbour of the same source lends, where that is more than the record's own, and what a record gets because many records of its source hold the words.</p>`
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

function sumOfWeights(terms: Explained['terms']): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}
