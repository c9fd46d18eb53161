/** By ASCII code. */
const IS_VOWEL = toSet('aeiouy')
const NOT_AFTER_SHORT = toSet('aeiouywx3')
/** Prefixes after which R1 begins, in place of the rule. */
const R1_PREFIXES = ['gener', 'commun', 'arsen']

function toSet(letters: string): Uint8Array {
  const set = new Uint8Array(128)
  for (const letter of letters) set[letter.charCodeAt(0)] = 1
  return set
}

const EXCEPTIONS = new Map(
  `skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl sky:sky
  news:news atlas:atlas cosmos:cosmos bias:bias andes:andes`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.replace(/:.*/, ''), pair.replace(/.*:/, '')]),
)
const MAX_EXCEPTION_LENGTH = 6
/** Words that step 1b leaves as they are. */
const INVARIANT = new Set('inning outing canning herring proceed exceed succeed earring'.split(' '))

const STEP_1B = toSuffixTable(parseSuffixes('eedly:ee eed:ee ingly: edly: ing: ed:', r1Of))
const STEP_1B_VERBS = toSuffixTable(parseSuffixes('at: bl: iz:', r1Of))
const STEP_2 = toSuffixTable(
  parseSuffixes(
    `ational:ate ization:ize fulness:ful ousness:ous iveness:ive tional:tion biliti:ble lessli:less iviti:ive ousli:ous ation:ate
    entli:ent alism:al aliti:al fulli:ful alli:al ator:ate izer:ize enci:ence anci:ance abli:able bli:ble ogi:og:l li::cdeghkmnrt`,
    r1Of,
  ),
)
const STEP_3 = toSuffixTable([
  ...parseSuffixes('ational:ate tional:tion alize:al icate:ic iciti:ic ical:ic ness: ful:', r1Of),
  ...parseSuffixes('ative:', r2Of),
])
const STEP_4 = toSuffixTable(
  parseSuffixes(
    'ement: ance: ence: able: ible: ment: ant: ent: ism: ate: iti: ous: ive: ize: ion::st al: er: ic:',
    r2Of,
  ),
)

const DOUBLE_CONSONANT = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/
/**
 * UTF-16 units of the letters. A y that is a consonant is written as the digit 3, where the algorithm has a capital Y.
 */
const [D, E, S, Y, CONSONANT_Y] = [100, 101, 115, 121, 51]

/**
 * The stem of a lower-case word of letters by Porter2, the English stemmer of Snowball
 * (https://snowballstem.org/algorithms/english/stemmer.html). One deviation: of the y that follow vowels only the first
 * is taken for a consonant. Existing indexes were made so.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word
  const exception = word.length > MAX_EXCEPTION_LENGTH ? undefined : EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  const marked = markConsonants(word)
  const inflected = step1c(step1b(step1a(marked)))
  const stem = step5(replaceSuffix(STEP_4, replaceSuffix(STEP_3, replaceSuffix(STEP_2, inflected))))
  return marked === word ? stem : stem.replaceAll('3', 'y')
}

/** Marks the consonants among the y: at the beginning of a word and after a vowel. */
function markConsonants(word: string): string {
  const marked = word.charCodeAt(0) === Y ? `3${word.slice(1)}` : word
  for (let at = marked.indexOf('y', 1); at > 0; at = marked.indexOf('y', at + 1)) {
    if (isVowel(marked, at - 1) && marked.charCodeAt(at - 1) !== Y)
      return `${marked.slice(0, at)}3${marked.slice(at + 1)}`
  }
  return marked
}

/** Removes the endings of plurals and of the third person. */
function step1a(word: string): string {
  const last = word.charCodeAt(word.length - 1)
  if (last !== S && last !== D) return word
  const { length } = word
  if (length > 4 && word.endsWith('sses')) return word.slice(0, -2)
  if (length > 3 && (word.endsWith('ies') || word.endsWith('ied'))) return word.slice(0, length > 4 ? -2 : -1)
  if (last === D || word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word, length - 2) ? word.slice(0, -1) : word
}

/** Removes the endings of the past and of the continuous form. */
function step1b(word: string): string {
  const suffix = findSuffix(STEP_1B, word)
  if (suffix === undefined || INVARIANT.has(word)) return word
  const rest = word.length - suffix.text.length
  if (suffix.replacement !== '') return r1Of(word) <= rest ? word.slice(0, rest) + suffix.replacement : word
  return hasVowel(word, rest) ? restoreVerb(word.slice(0, rest)) : word
}

/** Restores the e that a verb loses before an ending, or removes the consonant that is doubled before it. */
function restoreVerb(verb: string): string {
  if (findSuffix(STEP_1B_VERBS, verb) !== undefined) return `${verb}e`
  if (DOUBLE_CONSONANT.test(verb)) return verb.slice(0, -1)
  return r1Of(verb) >= verb.length && endsShort(verb, verb.length) ? `${verb}e` : verb
}

/** Replaces a y after a consonant by i. */
function step1c(word: string): string {
  const { length } = word
  const last = word.charCodeAt(length - 1)
  return (last === Y || last === CONSONANT_Y) && length > 2 && !isVowel(word, length - 2)
    ? `${word.slice(0, -1)}i`
    : word
}

/** Steps 2 to 4: replaces the longest suffix of the step if its conditions hold. */
function replaceSuffix(suffixes: SuffixTable, word: string): string {
  const suffix = findSuffix(suffixes, word)
  if (suffix === undefined) return word
  const rest = word.length - suffix.text.length
  if (suffix.region(word) > rest || (suffix.after !== '' && !suffix.after.includes(word.charAt(rest - 1)))) return word
  return word.slice(0, rest) + suffix.replacement
}

/** Removes a final e or l. */
function step5(word: string): string {
  const { length } = word
  const last = length - 1
  if (word.endsWith('ll')) return r2Of(word) < length ? word.slice(0, last) : word
  if (word.charCodeAt(last) !== E) return word
  return r2Of(word) < length || (r1Of(word) < length && !endsShort(word, last)) ? word.slice(0, last) : word
}

/**
 * A suffix and what replaces it. It must begin in `region` of the word, R1 or R2, or later; and follow one of the
 * letters `after`, or any letter if that is empty.
 */
type Suffix = { text: string; replacement: string; after: string; region: (word: string) => number }
/** Suffixes by `suffixKey`, the longest first. */
type SuffixTable = (readonly Suffix[] | undefined)[]

/** Parses suffixes of the form `text:replacement:after`, separated by blanks. */
function parseSuffixes(list: string, region: Suffix['region']): Suffix[] {
  const fields = list.split(/\s+/).map((suffix) => suffix.split(':'))
  return fields.map(([text = '', replacement = '', after = '']) => ({ text, replacement, after, region }))
}

function toSuffixTable(list: Suffix[]): SuffixTable {
  const table: Suffix[][] = []
  for (const suffix of list.toSorted((one, other) => other.text.length - one.text.length)) {
    const key = suffixKey(suffix.text)
    table[key] = [...(table[key] ?? []), suffix]
  }
  return table
}

/** The longest suffix of the table that the word ends with. */
function findSuffix(table: SuffixTable, word: string): Suffix | undefined {
  return table[suffixKey(word)]?.find(({ text }) => word.endsWith(text))
}

/** A number below 1024 for the last two letters. */
function suffixKey(word: string): number {
  return ((word.charCodeAt(word.length - 2) & 31) << 5) | (word.charCodeAt(word.length - 1) & 31)
}

/** Where R1 begins: after the first consonant that follows a vowel. */
function r1Of(word: string): number {
  for (const prefix of R1_PREFIXES) if (word.startsWith(prefix)) return prefix.length
  return afterSyllable(word, 0)
}

/** Where R2 begins: after the first consonant that follows a vowel inside R1. */
function r2Of(word: string): number {
  return afterSyllable(word, r1Of(word))
}

function afterSyllable(word: string, start: number): number {
  let at = start
  while (at < word.length && !isVowel(word, at)) at++
  while (at < word.length && isVowel(word, at)) at++
  return at + 1
}

/** Whether the first `end` letters end in a short syllable. */
function endsShort(word: string, end: number): boolean {
  if (end === 1) return isVowel(word, 0)
  if (end === 2) return isVowel(word, 0) && !isVowel(word, 1)
  return !isVowel(word, end - 3) && isVowel(word, end - 2) && NOT_AFTER_SHORT[word.charCodeAt(end - 1)] !== 1
}

/** Whether there is a vowel among the first `end` letters. */
function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word, at)) return true
  return false
}

function isVowel(word: string, at: number): boolean {
  return IS_VOWEL[word.charCodeAt(at)] === 1
}
