import { JOKE, toComparable, type WordList } from './word-lists.ts'

const CLAUSE_END = /[,;:–—()、，；：]| - /
const LEADING = /^\s*(?:(?:and|but|so|also|ok|okay|und|aber|et|mais|pero|ma|mas|en|maar|ale|но|och|men)[ ,]+)*/

/** A question, or an announcement of what follows. */
const isQuestion = (own: string) => /[?？]["”»)\s]*$|[:：]\s*$/.test(own)

/**
 * Whether a typed sentence says something that lasts: from here on, decided, a rule, an order to remember, "always" or
 * "never" with an order, or how it is at the speaker's place. Not a question, what is told of the past or of others, nor
 * what is for now only. `own` is the sentence without what it quotes.
 */
export function isLasting(own: string, words: WordList): boolean {
  const text = toComparable(own)
  if (isQuestion(own) || words.brief.test(text) || JOKE.test(text)) return false
  if ([words.onward, words.decided, words.rule].some((found) => isSaid(text, found, words))) return true
  if (words.idiom.test(text)) return false
  if (words.remember.test(text)) return true
  if (words.again.test(text) && (words.order.test(text) || words.must.test(text))) return true
  if (words.house.test(text) && isGeneral(text, words)) return true
  return text.split(CLAUSE_END).some((clause) => isStandingOrder(clause.replace(LEADING, ''), words))
}

/** Whether a phrase stands in a text, with no doubt in front of it. */
function isSaid(text: string, phrase: RegExp, { maybe }: WordList): boolean {
  const found = phrase.exec(text)
  return found !== null && !maybe.test(text.slice(0, found.index + found[0].length))
}

const isGeneral = (text: string, { all, always, must, maybe }: WordList) =>
  !maybe.test(text) && (all.test(text) || always.test(text) || must.test(text))

function isStandingOrder(clause: string, { all, always, must, order, we, other, maybe }: WordList): boolean {
  if (maybe.test(clause)) return false
  const startsWith = (found: RegExp) => found.exec(clause)?.index === 0
  if (startsWith(all) && must.test(clause)) return true
  if (!always.test(clause)) return false
  return startsWith(we) || must.test(clause) || (order.test(clause) && !startsWith(other))
}
