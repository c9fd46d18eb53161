import { endsOfEnglish, isEnglish, MAX_ENGLISH_LENGTH } from './english.ts'

/** Words that a mark splits which is no hyphen: `ru·les`. */
const SPLIT_MARK = /(?<=\p{L})[·•‧∙⋅*~^|](?=\p{L})/gu

/** Takes out marks that split words. */
export const joinSplitWords = (text: string): string => text.replace(SPLIT_MARK, '')

const MAX_WORD_LENGTH = 14
/** Costs of a word, of a short word, and of a letter that belongs to none. */
const WORD_COST = 1
const SHORT_WORD_COST = 1.5
const LETTER_COST = 2
/** Part of the letters that have to belong to everyday words. */
const MIN_KNOWN_SHARE = 0.5

/**
 * Splits lower-case letters into everyday words, at the least cost for what is between them (Viterbi); undefined if too
 * few letters belong to one. Time linear in the letters.
 */
export function segment(text: string): string | undefined {
  const costs = new Float64Array(text.length + 1).fill(Number.POSITIVE_INFINITY, 1)
  const starts = new Int32Array(text.length + 1)
  const reach = (end: number, start: number, cost: number) => {
    costs[end] = cost
    starts[end] = start
  }
  for (let start = 0; start < text.length; start++) {
    const cost = costs[start] ?? 0
    for (const end of endsOfEnglish(text, start, start + MAX_WORD_LENGTH)) {
      const withWord = cost + (end - start < 3 ? SHORT_WORD_COST : WORD_COST)
      if (withWord < (costs[end] ?? 0)) reach(end, start, withWord)
    }
    if (cost + LETTER_COST <= (costs[start + 1] ?? 0)) reach(start + 1, start, cost + LETTER_COST)
  }
  return joinPieces(text, starts)
}

/** The words that `starts` tells for each end, with the letters between them joined. */
function joinPieces(text: string, starts: Int32Array): string | undefined {
  const pieces: string[] = []
  let known = 0
  for (let end = text.length; end > 0; end = starts[end] ?? 0) {
    const start = starts[end] ?? 0
    if (end - start > 1) known += end - start
    pieces.unshift(end - start > 1 ? ` ${text.slice(start, end)} ` : text.slice(start, end))
  }
  return known < text.length * MIN_KNOWN_SHARE ? undefined : pieces.join('').replace(/ {2,}/g, ' ').trim()
}

/** A text with one way of spelling undone, and how many different everyday words appeared. */
type Unmasked = { text: string; words: number }

/**
 * Joins letters of a lower-case text that are separated by a blank or by one repeated sign: `i g n o r e`,
 * `p.r.o.m.p.t`.
 */
export function joinSpacedLetters(text: string): Unmasked {
  const words = new Set<string>()
  const join = (run: string) => {
    const letters = Array.from(run).filter((_, at) => at % 2 === 0)
    const joined = splitIntoWords(letters.join(''))
    for (const word of joined.split(' '))
      if (word.length > 2 && isEnglish(word.replace(/[.,!?;:]$/, ''))) words.add(word)
    return joined
  }
  // The whole of a record at most: a row of more letters than that is slow to match.
  const unspaced = text.replace(/(?<!\S)\S(?:[ \t\n]\S){1,32768}(?!\S)/gu, join)
  const joined = unspaced.replace(/[^\s]([.\-_*|·/~+])[^\s](?:\1[^\s]){1,32768}/gu, join)
  return { text: joined, words: words.size }
}

const MIN_SPLIT_LENGTH = 6
const MAX_SPLIT_LENGTH = 400

/** Splits letters into everyday words and signs; unknown words are left among them if the letters are more than a word. */
function splitIntoWords(letters: string): string {
  if (letters.length < MIN_SPLIT_LENGTH || letters.length > MAX_SPLIT_LENGTH || isEnglish(letters)) return letters
  const words = segment(letters) ?? letters
  const mayBeUnknown = letters.length > MAX_ENGLISH_LENGTH && /^\p{L}+$/u.test(letters)
  return mayBeUnknown || words.split(' ').every((word) => word.length === 1 || isEnglish(word)) ? words : letters
}

/** Letters that digits and signs stand for in leetspeak. */
const LETTER_BY_SIGN: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
}
const MIN_LEET_WORDS = 2

/**
 * Replaces digits and signs by letters in a lower-case text: `1gn0re`, `4ll`. Unchanged unless two everyday words
 * appear.
 */
export function undoLeet(text: string): Unmasked {
  const words = new Set<string>()
  const mixed = text.replace(/[a-z0-9@$!|']+/g, (token) => {
    if (!/[a-z]/.test(token) || !/[0-9@$!|]/.test(token.slice(0, -1) + token.slice(-1).replace(/[!|]/, '')))
      return token
    const word = spellOut(token)
    if (word.length > 3 && isEnglish(word) && !isNumbered(token)) words.add(word)
    return word
  })
  if (words.size < MIN_LEET_WORDS) return { text, words: 0 }
  const spelled = mixed.replace(/(?<![\w.])[0134578]{2,6}(?![\w.])/g, (token) => {
    const word = spellOut(token)
    return isEnglish(word) ? word : token
  })
  return { text: spelled, words: words.size }
}

/**
 * Whether the token is an everyday word or a letter with a number after it, such as `step5` or `w33`: numbering is not
 * leetspeak.
 */
export function isNumbered(token: string): boolean {
  const word = /^([a-z]+)[0-9]+$/.exec(token)?.[1]
  return word !== undefined && (word.length === 1 || isEnglish(word))
}

/**
 * The token in letters. A 1 is an i, an l, or first an i and then an l: the first of these that is everyday English,
 * else the first.
 */
export function spellOut(token: string): string {
  const body = withoutFinalSigns(token)
  const withI = replaceSigns(body)
  if (body.length > MAX_ENGLISH_LENGTH || isEnglish(withI) || !body.includes('1')) return withI
  const withL = replaceSigns(body.replaceAll('1', 'l'))
  if (isEnglish(withL)) return withL
  const withBoth = replaceSigns(body.replace('1', 'i').replaceAll('1', 'l'))
  return isEnglish(withBoth) ? withBoth : withI
}

function replaceSigns(token: string): string {
  return token.replace(/[0134578@$!|]/g, (sign) => LETTER_BY_SIGN[sign] ?? sign)
}

/**
 * Exclamation marks at the end are punctuation. A regular expression would take quadratic time for a long row of them.
 */
function withoutFinalSigns(token: string): string {
  let end = token.length
  while (end > 0 && (token[end - 1] === '!' || token[end - 1] === '|')) end--
  return token.slice(0, end)
}

/**
 * Joins string literals that are concatenated or listed: `"ig" + "nore"`. Those of a list that is joined by a blank are
 * words.
 */
export function joinStringLiterals(text: string): string {
  const between = /join\((["'`]) \1\)/.test(text) ? ' ' : ''
  return text.replace(/(["'`])[ \t]{0,4}[+,][ \t]{0,4}["'`]/g, () => between)
}
