import { yieldIfDue } from '../../src/cooperative.ts'
import { isAlike, isRepeated, toTerms } from './alike.ts'
import { isLasting, isOrder, isQuestion } from './lasting.ts'
import { toTypedSentences } from './typed-text.ts'
import { findWordList, toComparable, type WordList } from './word-lists.ts'

/** A prompt of a person, and the line of the session that it stands in. */
export type Prompt = { line: number; text: string }

/** A sentence of a prompt. An order may be repeated in a later session. */
export type Quote = { line: number; text: string; terms: string; isLasting: boolean; isOrder: boolean }

/**
 * The statements in the prompts of one session that a person typed, in their order, without what they take back in a
 * later one. None in a language without a list.
 */
export async function findQuotes(prompts: Prompt[]): Promise<Quote[]> {
  const sentences = prompts.flatMap(({ line, text }) => toTypedSentences(text).map((one) => ({ line, ...one })))
  const words = findWordList(sentences.map(({ own }) => own).join('\n'))
  if (words === undefined) return []
  let quotes: Quote[] = []
  for (const { line, text, own } of sentences) {
    await yieldIfDue()
    const terms = toTerms(own)
    if (words.withdraw.test(toComparable(own))) quotes = withoutWithdrawn(quotes, line, terms)
    else if (!isQuestion(own) && !text.includes('[REDACTED:')) quotes.push({ line, text, terms, ...judge(own, words) })
  }
  return quotes
}

const judge = (own: string, words: WordList) => ({ isLasting: isLasting(own, words), isOrder: isOrder(own, words) })

/** Without what shares a word with the withdrawal; if nothing does, without the last that was said before it. */
function withoutWithdrawn(quotes: Quote[], line: number, terms: string): Quote[] {
  const words = new Set(terms.split(' '))
  const isNamed = (quote: Quote) => quote.isLasting && quote.terms.split(' ').some((term) => words.has(term))
  const last = quotes.findLast((quote) => quote.isLasting && quote.line < line)
  const isNone = !quotes.some(isNamed)
  return quotes.filter((quote) => (isNone ? quote !== last : !isNamed(quote)))
}

/** A quote with the reason why it is suggested. */
export type Found = Quote & { signal: 'lasting' | 'repeated' }

/** Maximum number of quotes of a session that are suggested, and that later sessions are compared with. */
export const MAX_SUGGESTED = 3
const MAX_SEEN = 20

/**
 * What is suggested of a session: at most `limit`, none like one that was suggested before (`known`), first those that
 * last, then those that repeat an order of an earlier session (`seen`); and the orders that later sessions may repeat.
 */
export async function selectQuotes(
  quotes: Quote[],
  { known, seen, limit }: { known: string[]; seen: string[]; limit: number },
): Promise<{ suggested: Found[]; orders: Quote[] }> {
  const suggested: Found[] = []
  const taken = [...known]
  const suggest = async (signal: Found['signal'], isMeant: (quote: Quote) => boolean) => {
    for (const quote of quotes) {
      await yieldIfDue()
      if (suggested.length >= limit) return
      if (!isMeant(quote) || taken.some((terms) => isAlike(terms, quote.terms))) continue
      suggested.push({ ...quote, signal })
      taken.push(quote.terms)
    }
  }
  await suggest('lasting', (quote) => quote.isLasting)
  await suggest('repeated', ({ terms }) => seen.some((other) => isRepeated(terms, other)))
  const orders = quotes.filter((quote) => quote.isOrder && quote.terms.includes(' ')).slice(0, MAX_SEEN)
  return { suggested, orders }
}
