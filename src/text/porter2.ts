import { type Endings, findEnding, readEndings, toEndings } from './ending.ts'
import { endsShort, hasVowel, isVowel, r1Of, r2Of } from './syllable.ts'

const EXCEPTIONS = new Map(
  `skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl sky:sky
  news:news atlas:atlas cosmos:cosmos bias:bias andes:andes`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.replace(/:.*/, ''), pair.replace(/.*:/, '')]),
)
const LONGEST_EXCEPTION = 6
/** What only looks like a form of a verb. */
const WHOLE = new Set('inning outing canning herring proceed exceed succeed earring'.split(' '))

const PAST = toEndings(readEndings('eedly:ee eed:ee ingly: edly: ing: ed:', r1Of))
const BARE = toEndings(readEndings('at: bl: iz:', r1Of))
const STEP_2 = toEndings(
  readEndings(
    `ational:ate ization:ize fulness:ful ousness:ous iveness:ive tional:tion biliti:ble lessli:less iviti:ive ousli:ous ation:ate
    entli:ent alism:al aliti:al fulli:ful alli:al ator:ate izer:ize enci:ence anci:ance abli:able bli:ble ogi:og:l li::cdeghkmnrt`,
    r1Of,
  ),
)
const STEP_3 = toEndings([
  ...readEndings('ational:ate tional:tion alize:al icate:ic iciti:ic ical:ic ness: ful:', r1Of),
  ...readEndings('ative:', r2Of),
])
const STEP_4 = toEndings(
  readEndings('ement: ance: ence: able: ible: ment: ant: ent: ism: ate: iti: ous: ive: ize: ion::st al: er: ic:', r2Of),
)

const DOUBLED = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/
const [D, E, S, Y] = [100, 101, 115, 121]
/** The digit 3 stands for a y that is a consonant. */
const CONSONANT_Y = 51

/**
 * Stem of a lower-case word of letters by Porter2, the English stemmer of Snowball (https://snowballstem.org/algorithms/english/stemmer.html),
 * but that of the y behind vowels only the first is a consonant: so indexes were made.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word
  const exception = word.length > LONGEST_EXCEPTION ? undefined : EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  const marked = markConsonants(word)
  const present = turnY(dropPast(dropPlural(marked)))
  const stem = dropLast(replace(STEP_4, replace(STEP_3, replace(STEP_2, present))))
  return marked === word ? stem : stem.replaceAll('3', 'y')
}

/** A y is a consonant at the beginning and behind a vowel. */
function markConsonants(word: string): string {
  const marked = word.charCodeAt(0) === Y ? `3${word.slice(1)}` : word
  for (let at = marked.indexOf('y', 1); at > 0; at = marked.indexOf('y', at + 1)) {
    if (isVowel(marked, at - 1) && marked.charCodeAt(at - 1) !== Y) return `${marked.slice(0, at)}3${marked.slice(at + 1)}`
  }
  return marked
}

/** Step 1a. */
function dropPlural(word: string): string {
  const last = word.charCodeAt(word.length - 1)
  if (last !== S && last !== D) return word
  const { length } = word
  if (length > 4 && word.endsWith('sses')) return word.slice(0, -2)
  if (length > 3 && (word.endsWith('ies') || word.endsWith('ied'))) return word.slice(0, length > 4 ? -2 : -1)
  if (last === D || word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word, length - 2) ? word.slice(0, -1) : word
}

/** Step 1b. */
function dropPast(word: string): string {
  const ending = findEnding(PAST, word)
  if (ending === undefined || WHOLE.has(word)) return word
  const rest = word.length - ending.letters.length
  if (ending.by !== '') return r1Of(word) <= rest ? word.slice(0, rest) + ending.by : word
  return hasVowel(word, rest) ? mend(word.slice(0, rest)) : word
}

/** Gives a verb its e back, or takes a doubled consonant off. */
function mend(verb: string): string {
  if (findEnding(BARE, verb) !== undefined) return `${verb}e`
  if (DOUBLED.test(verb)) return verb.slice(0, -1)
  return r1Of(verb) >= verb.length && endsShort(verb, verb.length) ? `${verb}e` : verb
}

/** Step 1c. */
function turnY(word: string): string {
  const { length } = word
  const last = word.charCodeAt(length - 1)
  return (last === Y || last === CONSONANT_Y) && length > 2 && !isVowel(word, length - 2) ? `${word.slice(0, -1)}i` : word
}

/** Steps 2 to 4: the longest ending of the step gives way where its rule lets it. */
function replace(endings: Endings, word: string): string {
  const ending = findEnding(endings, word)
  if (ending === undefined) return word
  const rest = word.length - ending.letters.length
  if (ending.region(word) > rest || (ending.behind !== '' && !ending.behind.includes(word.charAt(rest - 1)))) return word
  return word.slice(0, rest) + ending.by
}

/** Step 5. */
function dropLast(word: string): string {
  const { length } = word
  const last = length - 1
  if (word.endsWith('ll')) return r2Of(word) < length ? word.slice(0, last) : word
  if (word.charCodeAt(last) !== E) return word
  return r2Of(word) < length || (r1Of(word) < length && !endsShort(word, last)) ? word.slice(0, last) : word
}
