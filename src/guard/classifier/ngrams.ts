import { finish, type Steps } from '../../cooperative.ts'
import { PIECE_LENGTH } from '../pieces.ts'
import { isUnspaced, stemOf } from './stems.ts'
import { buildClasses, buildTopics, type ClassOf } from './word-classes.ts'

/** Buckets that features are hashed into, each with one weight. A power of two. */
export const FEATURE_BUCKETS = 1 << 19

/**
 * Features of each token. Six of n-grams that end with it: the word; its stem; two and three words; two stems; the word and the last but one before it. Four of
 * n-grams of word classes, and four of topics, over those tokens only that have a class or a topic.
 */
export const FEATURES_PER_TOKEN = 14
export const FIRST_CLASS_FEATURE = 6
const FIRST_TOPIC_FEATURE = 10

/** Tokens that are worked on in one piece, in each of the passes over them. */
export const PIECE_TOKENS = 1_024

/** Hashes of tokens that are not words. */
const SIGN_TOKEN = 1
const DIGITS_TOKEN = 2
const URL_TOKEN = 3
const START_TOKEN = 4
const MAIL_TOKEN = 5

/** The features of a canonical text as numbers of buckets, FEATURES_PER_TOKEN for each token in order. Bucket 0 stands for no feature. */
export function toFeatures(text: string): Int32Array {
  return finish(toFeaturesInSteps(text))
}

/** `toFeatures`, a piece at a time: the generator only goes from piece to piece, for loops inside of one run half as fast. */
export function* toFeaturesInSteps(text: string): Steps<Int32Array> {
  tables ??= buildTables()
  const tokens = new Int32Array(text.length * VALUES_PER_TOKEN)
  let count = 0
  for (let at = 0; at < text.length; ) {
    if (at > 0) yield
    const hashed = hashTokens(text, at, tokens, count, tables)
    at = hashed.at
    count = hashed.count
  }
  const features = new Int32Array(count * FEATURES_PER_TOKEN)
  const adders = [createWordFeatures(), createClassFeatures(), createTopicFeatures()]
  for (let from = 0; from < count; from += PIECE_TOKENS) {
    for (const add of adders) {
      yield
      add(tokens, features, from, Math.min(count, from + PIECE_TOKENS))
    }
  }
  return features
}

/** Adds the features of the tokens from one up to another. Called for the tokens of a text in order. */
type AddFeatures = (tokens: Int32Array, features: Int32Array, from: number, to: number) => void

/** Of each token: a hash of the word, one of its stem, its class, its topic. */
const VALUES_PER_TOKEN = 4

type Tables = { classOf: ClassOf; topicOf: ClassOf }

/** Built at the first text, because most commands of the executable never inspect one. */
let tables: Tables | undefined

function buildTables(): Tables {
  const classOf = buildClasses(hashToken)
  return { classOf, topicOf: buildTopics(hashToken, classOf) }
}

// The numbers below tell kinds of features apart. The weights were trained with them.

function createWordFeatures(): AddFeatures {
  let before = START_TOKEN
  let stemBefore = START_TOKEN
  let earlier = START_TOKEN
  return (tokens, features, from, to) => {
    for (let token = from; token < to; token++) {
      const word = tokens[VALUES_PER_TOKEN * token] ?? 0
      const stem = tokens[VALUES_PER_TOKEN * token + 1] ?? 0
      const at = token * FEATURES_PER_TOKEN
      features[at] = toBucket(mix(word, 11))
      features[at + 1] = toBucket(mix(stem, 13))
      features[at + 2] = toBucket(mix(mix(before, word), 17))
      features[at + 3] = toBucket(mix(mix(stemBefore, stem), 19))
      features[at + 4] = toBucket(mix(mix(mix(earlier, before), word), 23))
      features[at + 5] = toBucket(mix(mix(earlier, word), 29))
      earlier = before
      before = word
      stemBefore = stem
    }
  }
}

function createClassFeatures(): AddFeatures {
  let before = 0
  let earlier = 0
  let earliest = 0
  return (tokens, features, from, to) => {
    for (let token = from; token < to; token++) {
      const wordClass = tokens[VALUES_PER_TOKEN * token + 2] ?? 0
      if (wordClass === 0) continue
      const at = token * FEATURES_PER_TOKEN + FIRST_CLASS_FEATURE
      features[at] = toBucket(mix(mix(before, wordClass), 31))
      features[at + 1] = toBucket(mix(mix(mix(earlier, before), wordClass), 37))
      features[at + 2] = toBucket(mix(mix(earlier, wordClass), 41))
      features[at + 3] = toBucket(mix(mix(earliest, wordClass), 43))
      earliest = earlier
      earlier = before
      before = wordClass
    }
  }
}

function createTopicFeatures(): AddFeatures {
  let before = 0
  let earlier = 0
  return (tokens, features, from, to) => {
    for (let token = from; token < to; token++) {
      const topic = tokens[VALUES_PER_TOKEN * token + 3] ?? 0
      if (topic === 0) continue
      const at = token * FEATURES_PER_TOKEN + FIRST_TOPIC_FEATURE
      features[at] = toBucket(mix(topic, 47))
      features[at + 1] = toBucket(mix(mix(before, topic), 53))
      features[at + 2] = toBucket(mix(mix(mix(earlier, before), topic), 59))
      features[at + 3] = toBucket(mix(mix(earlier, topic), 61))
      earlier = before
      before = topic
    }
  }
}

/** Where the next piece begins, and how many tokens there are before it. */
type Hashed = { at: number; count: number }

/** Writes the values of each token of a piece, in turn. */
function hashTokens(text: string, from: number, tokens: Int32Array, before: number, known: Tables): Hashed {
  const pieceEnd = from + PIECE_LENGTH
  let count = before
  let at = from
  while (at < text.length && at <= pieceEnd) {
    if (isBlank(text.charCodeAt(at))) {
      at++
      continue
    }
    const end = endOfToken(text, at)
    const address = end > at + 1 ? toAddress(text, end) : undefined
    const word = address ?? hashToken(text, at, end)
    const isBare = address !== undefined || isDigit(text.charCodeAt(at))
    tokens[VALUES_PER_TOKEN * count] = word
    tokens[VALUES_PER_TOKEN * count + 1] = isBare ? word : hashStem(text, at, end)
    tokens[VALUES_PER_TOKEN * count + 2] = isBare ? 0 : known.classOf(word, text, at, end)
    tokens[VALUES_PER_TOKEN * count + 3] = isBare ? 0 : known.topicOf(word, text, at, end)
    count++
    at = address === undefined ? end : skip(text, end, isUrlCharacter)
  }
  return { at, count }
}

/** The token of a URL or an e-mail address whose first word ends at `end`: which one it is tells nothing about whose it is. */
function toAddress(text: string, end: number): number | undefined {
  if (text.startsWith('://', end)) return URL_TOKEN
  return text.charCodeAt(end) === 64 && isLower(text.charCodeAt(end + 1)) ? MAIL_TOKEN : undefined
}

/** A number, a word, or one sign or character of a script without spaces. */
function endOfToken(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (isDigit(code)) return skip(text, at, isDigit)
  return isUnspaced(code) || isSign(code) ? at + 1 : skip(text, at, isLetter)
}

function skip(text: string, from: number, belongs: (code: number) => boolean): number {
  let at = from
  while (at < text.length && belongs(text.charCodeAt(at))) at++
  return at
}

function hashStem(text: string, at: number, end: number): number {
  const { from, to } = stemOf(text, at, end)
  return hashToken(text, from, to)
}

function hashToken(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from)
  if (isDigit(first)) return DIGITS_TOKEN
  if (isSign(first) && first > 0x2000) return SIGN_TOKEN
  let hash = 7
  for (let at = from; at < to; at++) hash = mix(hash, text.charCodeAt(at))
  return hash
}

const mix = (a: number, b: number) => Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1) ^ (b >>> 15)
const toBucket = (hash: number) => (hash ^ (hash >>> 16)) & (FEATURE_BUCKETS - 1) || 1
// Classes of UTF-16 units in lower case.
const isLower = (code: number) => code >= 97 && code <= 122
const isDigit = (code: number) => code >= 48 && code <= 57
const isBlank = (code: number) => code === 32 || code === 10 || code === 9 || code === 13
/** ASCII but letters, digits and the apostrophe; symbols and punctuation of other blocks; halves of characters beyond U+FFFF. */
const isSign = (code: number) =>
  (code < 128 && !isLower(code) && !isDigit(code) && code !== 39) ||
  (code >= 0x2000 && code <= 0x2bff) ||
  (code >= 0x3000 && code <= 0x303f) ||
  (code >= 0xd800 && code <= 0xdfff)
const isLetter = (code: number) => !isBlank(code) && !isDigit(code) && !isSign(code) && !isUnspaced(code)
/** Ends at a blank or one of `)`, `]`, `"`, `<` and `>`. */
const isUrlCharacter = (code: number) => !isBlank(code) && code !== 41 && code !== 93 && code !== 34 && code !== 60 && code !== 62
