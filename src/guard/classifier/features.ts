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
/** The feature of a token and the one before it. */
export const PAIR_FEATURE = 2
export const FIRST_CLASS_FEATURE = 5
const FIRST_TOPIC_FEATURE = 8

const START_HASH = 4

// The numbers below tell kinds of features apart. The weights were trained with them.
/** Calls `add` with the bucket of every feature: its token, and its place among the features of a token. */
export function addFeatures(
  { count, values }: Tokens,
  { classes, topics }: Findings,
  add: (token: number, place: number, bucket: number) => void,
): void {
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
    add(token, 0, toBucket(word, 11))
    if (stem !== word) add(token, 1, toBucket(stem, 13))
    add(token, PAIR_FEATURE, toBucket(mix(word1, word), 17))
    add(token, 3, toBucket(mix(stem1, stem), 19))
    add(token, 4, toBucket(mix(word2, word), 29))
    word2 = word1
    word1 = word
    stem1 = stem
    const wordClass = classes[token] ?? 0
    if (wordClass !== 0) {
      const own = wordClass * 0x51ed
      add(token, FIRST_CLASS_FEATURE, toBucket(mix(class1, own), 31))
      add(token, FIRST_CLASS_FEATURE + 1, toBucket(mix(mix(class2, class1), own), 37))
      add(token, FIRST_CLASS_FEATURE + 2, toBucket(mix(class2, own), 41))
      class2 = class1
      class1 = own
    }
    const topic = (topics[token] || wordClass) * 0x9e35
    if (topic === 0) continue
    add(token, FIRST_TOPIC_FEATURE, toBucket(topic, 47))
    add(token, FIRST_TOPIC_FEATURE + 1, toBucket(mix(topic1, topic), 53))
    add(token, FIRST_TOPIC_FEATURE + 2, toBucket(mix(mix(topic2, topic1), topic), 59))
    add(token, FIRST_TOPIC_FEATURE + 3, toBucket(mix(topic2, topic), 61))
    topic2 = topic1
    topic1 = topic
  }
}

const mix = (a: number, b: number) => Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1) ^ (b >>> 15)
function toBucket(hash: number, kind: number): number {
  const mixed = Math.imul((hash ^ (hash >>> 16)) + kind, 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) & (FEATURE_BUCKETS - 1) || 1
}
