import { yieldIfDue } from '../../cooperative.ts'
import { findCredentials } from '../../secrets/credentials.ts'
import { isAlike, toTerms } from './alike.ts'
import { MIN_POINTS, toPoints } from './lasting.ts'
import { type TypedSentence, toTypedSentences } from './typed-text.ts'
import { findWordList, toComparable } from './word-lists.ts'

/** Maximum number of quotes that are compared, with each other and with those before; nobody types more in a session. */
const MAX_QUOTES = 100

/** A prompt of a person, and the line of the session that it stands in. */
export type Prompt = { line: number; text: string }

/** A sentence of a prompt that lasts beyond its session, by `points` of at least `MIN_POINTS`. */
type Quote = { line: number; text: string; terms: string; points: number }

/**
 * The sentences in the prompts of one session that last beyond it, in their order, without what is taken back in a later
 * one. None in a language without a list. `isBegun` says that other prompts of the session came before.
 */
export async function findQuotes(prompts: Prompt[], isBegun = false): Promise<Quote[]> {
  const sentences: (TypedSentence & { line: number })[] = []
  for (const { line, text } of prompts) {
    await yieldIfDue()
    sentences.push(...toTypedSentences(text).map((one) => ({ line, ...one })))
  }
  const words = findWordList(sentences.map(({ own }) => own).join('\n'))
  if (words === undefined) return []
  let quotes: Quote[] = []
  for (const { line, text, own } of sentences) {
    await yieldIfDue()
    if (words.withdraw.test(toComparable(own))) {
      quotes = withoutWithdrawn(quotes, line, toTerms(own))
      continue
    }
    const points = toPoints({ text, own }, words, !isBegun && line === prompts[0]?.line)
    const isQuote = points >= MIN_POINTS && !text.includes('[REDACTED:')
    if (isQuote && quotes.length < MAX_QUOTES) quotes.push({ line, text, terms: toTerms(own), points })
  }
  return quotes
}

/** Without what shares a word with the withdrawal; if nothing does, without the last that was said before it. */
function withoutWithdrawn(quotes: Quote[], line: number, terms: string): Quote[] {
  const words = new Set(terms.split(' '))
  const isNamed = (quote: Quote) => quote.terms.split(' ').some((term) => words.has(term))
  const last = quotes.findLast((quote) => quote.line < line)
  const isNone = !quotes.some(isNamed)
  return quotes.filter((quote) => (isNone ? quote !== last : !isNamed(quote)))
}

/** Maximum number of quotes of a session that are suggested. */
export const MAX_SUGGESTED = 3

/**
 * The `limit` quotes with the most points, none like another or like one that was suggested before (`known`), nor with a
 * credential: the line may have been stored by older rules, or masked since it was read.
 */
export async function selectQuotes(
  quotes: Quote[],
  { known, limit }: { known: string[]; limit: number },
): Promise<Quote[]> {
  const selected: Quote[] = []
  const taken = [...known]
  for (const quote of quotes.toSorted((one, other) => other.points - one.points)) {
    if (selected.length >= limit) break
    if ((await isAnyAlike(taken, quote.terms)) || (await findCredentials(quote.text)).length > 0) continue
    selected.push(quote)
    taken.push(quote.terms)
  }
  return selected
}

async function isAnyAlike(taken: string[], terms: string): Promise<boolean> {
  for (const other of taken) {
    await yieldIfDue()
    if (isAlike(other, terms)) return true
  }
  return false
}
