import { Refusal } from '../../errors.ts'
import { split } from '../../text/analyzer.ts'
import { LANGUAGES } from '../../text/language.ts'
import { languagesOfStopWord } from '../../text/stop-words.ts'
import { tokenize } from '../../text/tokens.ts'
import { toWord } from '../index/words.ts'

/** Maximum length of the words to find, in characters. */
export const MAX_WORDS_CHARACTERS = 200
/** Words of a query that are looked for. */
const MAX_GROUPS = 12

/**
 * The words that a text asks for: of each, what it is in the index, whatever the language of the text that has it. Stop
 * words only if there is nothing else.
 *
 * @throws Refusal for a longer text.
 */
export function parseWords(ownerId: string, text: string): number[][] {
  if ([...text].length > MAX_WORDS_CHARACTERS)
    throw new Refusal(`the words to find have at most ${MAX_WORDS_CHARACTERS} characters`)
  const { runs } = split(text)
  const telling = runs.filter((run) => languagesOfStopWord(run.toLowerCase()) === 0)
  const asked = new Set(telling.length > 0 ? telling : runs)
  const groups = [...asked].slice(0, MAX_GROUPS).flatMap(toTerms)
  const distinct = new Map(groups.map((terms) => [terms.join(' '), terms]))
  return [...distinct.values()].slice(0, MAX_GROUPS).map((terms) => terms.map((term) => toWord(ownerId, term)))
}

/** Of each part of a run, the terms that it is in all languages. */
function toTerms(run: string): string[][] {
  const parts: string[][] = []
  for (const language of LANGUAGES)
    for (const [at, { term }] of tokenize(run, language).filter(isIndexed).entries()) {
      const part = parts[at]
      if (part === undefined) parts.push([term])
      else if (!part.includes(term)) part.push(term)
    }
  return parts
}

const isIndexed = ({ kind }: ReturnType<typeof tokenize>[number]) => kind !== 'single' && kind !== 'tail'
