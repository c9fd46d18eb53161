import { analyzeInSlices } from '../../text/analyzer.ts'
import type { WeightedTerm } from './query-term.ts'
import type { TermScores } from './scorer.ts'

/** Whether a text holds any of the rare words that its codes match: two words can have one code. Analyses it only where its letters do not tell. */
export async function confirms(content: string, own: TermScores, terms: WeightedTerm[]): Promise<boolean> {
  const matched = terms.filter(({ use }, at) => use === 'rare' && own[at] !== 0)
  if (matched.length === 0) return true
  const plain = content.toLowerCase()
  if (matched.some(({ word, forms }) => plain.includes(word) || forms.some((form) => plain.includes(form)))) return true
  const held = new Set((await analyzeInSlices(content)).terms.split(' '))
  return matched.some(({ forms }) => forms.some((form) => held.has(form)))
}
