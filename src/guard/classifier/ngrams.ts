import { finish, type Steps } from '../../cooperative.ts'
import { PIECE_LENGTH } from '../pieces.ts'
import { buildClasses, buildTopics, type ClassOf } from './word-classes.ts'

/** How many weights the classifier has; a power of two. */
export const FEATURE_BUCKETS = 1 << 17

/** Features a token ends: itself, its stem, with one and two before it, with the one before the last, what it means after one and two words that mean something, and what it is about after one and two words that are about something. */
export const FEATURES_PER_TOKEN = 14

const OTHER_TOKEN = 1
const DIGITS_TOKEN = 2
const URL_TOKEN = 3
const START_TOKEN = 4

const isLower = (code: number) => code >= 97 && code <= 122
const isDigit = (code: number) => code >= 48 && code <= 57
const isWide = (code: number) =>
  (code >= 0x0e00 && code <= 0x0e7f) || (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)
const isBlank = (code: number) => code === 32 || code === 10 || code === 9 || code === 13
const isSign = (code: number) =>
  (code < 128 && !isLower(code) && !isDigit(code) && code !== 39) ||
  (code >= 0x2000 && code <= 0x2bff) ||
  (code >= 0x3000 && code <= 0x303f) ||
  (code >= 0xd800 && code <= 0xdfff)
const mix = (a: number, b: number) => Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1) ^ (b >>> 15)

/** The hashed n-grams of a folded text: `perToken` buckets for each token, in order; bucket 0, which weighs nothing, where there is none. */
export function toFeatures(text: string): Int32Array {
  return finish(toFeaturesInSteps(text))
}

/** Tokens that are worked on in one piece, once for each of what is made of them. */
export const PIECE_TOKENS = 1_024

/** `toNgrams`, a piece at a time. */
export function* toFeaturesInSteps(text: string): Steps<Int32Array> {
  const tokens = new Int32Array(text.length * 2)
  const count = yield* readTokens(text, tokens)
  const grams = new Int32Array(count * FEATURES_PER_TOKEN)
  let before = START_TOKEN
  let stemBefore = START_TOKEN
  let earlier = START_TOKEN
  for (let i = 0; i < count; i++) {
    if (i % PIECE_TOKENS === PIECE_TOKENS - 1) yield
    const word = tokens[2 * i] ?? 0
    const stem = tokens[2 * i + 1] ?? 0
    const at = i * FEATURES_PER_TOKEN
    grams[at] = put(mix(word, 11))
    grams[at + 1] = put(mix(stem, 13))
    grams[at + 2] = put(mix(mix(before, word), 17))
    grams[at + 3] = put(mix(mix(stemBefore, stem), 19))
    grams[at + 4] = put(mix(mix(mix(earlier, before), word), 23))
    grams[at + 5] = put(mix(mix(earlier, word), 29))
    earlier = before
    before = word
    stemBefore = stem
  }
  tables ??= readTables()
  yield* putMeanings(tokens, grams, tables.classes)
  yield* putTopics(tokens, grams, tables.topics)
  return grams
}

function* putMeanings(tokens: Int32Array, grams: Int32Array, classes: ClassOf): Steps<void> {
  let meant = 0
  let meantEarlier = 0
  let meantFirst = 0
  for (let at = 0, i = 0; at < grams.length; at += FEATURES_PER_TOKEN, i += 2) {
    if (i % (2 * PIECE_TOKENS) === 0) yield
    const meaning = classes(tokens[i] ?? 0, tokens[i + 1] ?? 0)
    if (meaning === 0) continue
    grams[at + 6] = put(mix(mix(meant, meaning), 31))
    grams[at + 7] = put(mix(mix(mix(meantEarlier, meant), meaning), 37))
    grams[at + 8] = put(mix(mix(meantEarlier, meaning), 41))
    grams[at + 9] = put(mix(mix(meantFirst, meaning), 43))
    meantFirst = meantEarlier
    meantEarlier = meant
    meant = meaning
  }
}

function* putTopics(tokens: Int32Array, grams: Int32Array, topics: ClassOf): Steps<void> {
  let about = 0
  let aboutEarlier = 0
  for (let at = 0, i = 0; at < grams.length; at += FEATURES_PER_TOKEN, i += 2) {
    if (i % (2 * PIECE_TOKENS) === 0) yield
    const topic = topics(tokens[i] ?? 0, tokens[i + 1] ?? 0)
    if (topic === 0) continue
    grams[at + 10] = put(mix(topic, 47))
    grams[at + 11] = put(mix(mix(about, topic), 53))
    grams[at + 12] = put(mix(mix(mix(aboutEarlier, about), topic), 59))
    grams[at + 13] = put(mix(mix(aboutEarlier, topic), 61))
    aboutEarlier = about
    about = topic
  }
}

const put = (hash: number) => (hash ^ (hash >>> 16)) & (FEATURE_BUCKETS - 1) || 1

// Made at the first text, like the tables of the rules.
let tables: { classes: ClassOf; topics: ClassOf } | undefined

function readTables(): { classes: ClassOf; topics: ClassOf } {
  const hashed = (word: string) => hash(word, 0, word.length, word.charCodeAt(0))
  const classes = buildClasses(hashed)
  return { classes, topics: buildTopics(hashed, classes) }
}

/** Puts down the hash of each token and of its stem (its first five letters), and says how many tokens there were. */
function* readTokens(text: string, tokens: Int32Array): Steps<number> {
  let count = 0
  let at = 0
  let pieceEnd = PIECE_LENGTH
  while (at < text.length) {
    if (at > pieceEnd) {
      yield
      pieceEnd = at + PIECE_LENGTH
    }
    const code = text.charCodeAt(at)
    if (isBlank(code)) {
      at++
      continue
    }
    const end = toEnd(text, at, code)
    const isUrl = end > at + 1 && text.startsWith('://', end)
    const word = isUrl ? URL_TOKEN : hash(text, at, end, code)
    tokens[2 * count] = word
    tokens[2 * count + 1] = isUrl || end - at <= 5 ? word : hash(text, at, at + 5, code)
    count++
    at = isUrl ? skip(text, end, isLinked) : end
  }
  return count
}

const isLetter = (code: number) => !isBlank(code) && !isDigit(code) && !isSign(code) && !isWide(code)
const isLinked = (code: number) => !isBlank(code) && code !== 41 && code !== 93 && code !== 34 && code !== 60 && code !== 62

function toEnd(text: string, at: number, code: number): number {
  if (isDigit(code)) return skip(text, at, isDigit)
  return isWide(code) || isSign(code) ? at + 1 : skip(text, at, isLetter)
}

function skip(text: string, from: number, belongs: (code: number) => boolean): number {
  let at = from
  while (at < text.length && belongs(text.charCodeAt(at))) at++
  return at
}

function hash(text: string, from: number, to: number, code: number): number {
  if (isDigit(code)) return DIGITS_TOKEN
  if (isSign(code) && code > 0x2000) return OTHER_TOKEN
  let sum = 7
  for (let at = from; at < to; at++) sum = mix(sum, text.charCodeAt(at))
  return sum
}
