import { split } from '../../text/analyzer.ts'
import { toLanguageSet } from '../../text/language.ts'
import { isStopGram, languagesOfStopWord } from '../../text/stop-words.ts'
import { type Token, tokenize } from '../../text/tokens.ts'

/** The analyzed words of a sentence that carry meaning, each once, in order, separated by blanks. */
export function toTerms(sentence: string): string {
  const { runs, language } = split(sentence)
  const isContent = ({ kind, surface }: Token) =>
    kind === 'gram'
      ? !isStopGram(surface)
      : kind === 'word' && (languagesOfStopWord(surface) & toLanguageSet(language)) === 0
  const terms = runs.flatMap((run) => tokenize(run, language).filter(isContent))
  return [...new Set(terms.map(({ term }) => term))].sort().join(' ')
}

const toSet = (terms: string) => new Set(terms.split(' ').filter((term) => term !== ''))

/** Share of the words of both from which on two sentences say the same. */
const MIN_ALIKE = 0.6

/** Whether two sentences, as `toTerms` gives them, say nearly the same. */
export function isAlike(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [toSet(one), toSet(other)]
  return a.intersection(b).size >= MIN_ALIKE * a.union(b).size
}
