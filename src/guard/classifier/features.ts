import type { Findings } from '../scan/phrases.ts'
import { STEM, type Tokens, VALUES_PER_TOKEN } from '../scan/tokens.ts'

/** Buckets that features are hashed into, each with one weight. A power of two. */
export const FEATURE_BUCKETS = 1 << 20

/**
 * Features of each token. Five of n-grams that end with it: the word; its stem; two words; two stems; the word and the
 * last but one before it. Three of n-grams of word classes, and four of topics, over those tokens only that have a
 * class or a topic.
 */
export const FEATURES_PER_TOKEN = 12
export const FIRST_CLASS_FEATURE = 5
const FIRST_TOPIC_FEATURE = 8

const START_HASH = 4

/**
 * A pair of words that comes again within so many tokens adds nothing to the suspicion of a text: a word repeated
 * without end is no more of an attack than the word twice.
 */
const REPEAT_DISTANCE_TOKENS = 24
const REPEAT_SLOTS = 1_024

/** `grams`: of each bucket of features, a half byte that is 8 more than the weight in units of `scale`. */
export type Weights = { grams: Uint8Array; scale: number }

// The numbers below tell kinds of features apart. The weights were trained with them.
/**
 * The sums of the weights of features before each token. `record`, if given, is called with every feature: its token,
 * its place among the features of the token, and its bucket.
 */
export function sumWording(
  { count, values }: Tokens,
  { classes, topics }: Findings,
  { grams, scale }: Weights,
  record?: (token: number, place: number, bucket: number) => void,
): Float64Array {
  const weigh = (token: number, place: number, bucket: number) => {
    if (record !== undefined) record(token, place, bucket)
    return (((grams[bucket >> 1] ?? 0) >> (4 * (bucket & 1))) & 15) - 8
  }
  const sums = new Float64Array(count + 1)
  /** By pair of words the number of tokens up to it. */
  const seen = new Int32Array(REPEAT_SLOTS)
  let total = 0
  let word1 = START_HASH
  let word2 = START_HASH
  let stem1 = START_HASH
  let class1 = 0
  let class2 = 0
  let topic1 = 0
  let topic2 = 0
  for (let token = 0; token < count; token++) {
    const word = values[VALUES_PER_TOKEN * token] ?? 0
    const stem = values[VALUES_PER_TOKEN * token + STEM] ?? 0
    const pair = toBucket(mix(word1, word), 17)
    let sum = weigh(token, 0, toBucket(word, 11))
    if (stem !== word) sum += weigh(token, 1, toBucket(stem, 13))
    sum += weigh(token, 2, pair)
    sum += weigh(token, 3, toBucket(mix(stem1, stem), 19))
    sum += weigh(token, 4, toBucket(mix(word2, word), 29))
    word2 = word1
    word1 = word
    stem1 = stem
    const wordClass = classes[token] ?? 0
    if (wordClass !== 0) {
      const own = wordClass * 0x51ed
      sum += weigh(token, FIRST_CLASS_FEATURE, toBucket(mix(class1, own), 31))
      sum += weigh(token, FIRST_CLASS_FEATURE + 1, toBucket(mix(mix(class2, class1), own), 37))
      sum += weigh(token, FIRST_CLASS_FEATURE + 2, toBucket(mix(class2, own), 41))
      class2 = class1
      class1 = own
    }
    const topic = (topics[token] || wordClass) * 0x9e35
    if (topic !== 0) {
      sum += weigh(token, FIRST_TOPIC_FEATURE, toBucket(topic, 47))
      sum += weigh(token, FIRST_TOPIC_FEATURE + 1, toBucket(mix(topic1, topic), 53))
      sum += weigh(token, FIRST_TOPIC_FEATURE + 2, toBucket(mix(mix(topic2, topic1), topic), 59))
      sum += weigh(token, FIRST_TOPIC_FEATURE + 3, toBucket(mix(topic2, topic), 61))
      topic2 = topic1
      topic1 = topic
    }
    const slot = pair & (REPEAT_SLOTS - 1)
    const last = seen[slot] ?? 0
    const isRepeated = last > 0 && token + 1 - last <= REPEAT_DISTANCE_TOKENS
    if (!isRepeated || sum <= 0) total += sum * scale
    sums[token + 1] = total
    seen[slot] = token + 1
  }
  return sums
}

const mix = (a: number, b: number) => Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1) ^ (b >>> 15)
function toBucket(hash: number, kind: number): number {
  const mixed = Math.imul((hash ^ (hash >>> 16)) + kind, 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) & (FEATURE_BUCKETS - 1) || 1
}
