import type { Steps } from '../../cooperative.ts'
import type { Model } from '../model.ts'
import { FEATURES_PER_TOKEN, PIECE_TOKENS, toFeaturesInSteps } from './ngrams.ts'

/** Bound of the log-odds in either direction, so that no wording outweighs every rule. */
const MAX_LOG_ODDS = 6
/** Occurrences of a feature with a positive weight that count; a further one counts if it is more than so many tokens after the one before. */
const MAX_REPEATS = 2
const REPEAT_DISTANCE_TOKENS = 64

/** Lengths of the windows that are scored. Each window begins half a length after the one before. */
const SHORT_WINDOW_TOKENS = 16
const LONG_WINDOW_TOKENS = 48
/** Added to the tokens of a window, so that one of few tokens is not scored by one of them. */
const NORM_TOKENS = 4

/** A window: from one token up to another. */
export type Window = [from: number, to: number]

/** The windows of a text. One that is no longer than a short window is that window alone. */
export function toWindows(tokens: number): Window[] {
  if (tokens === 0) return []
  return tokens <= SHORT_WINDOW_TOKENS
    ? [[0, tokens]]
    : [...toWindowsOf(SHORT_WINDOW_TOKENS, tokens), ...toWindowsOf(LONG_WINDOW_TOKENS, tokens)]
}

function toWindowsOf(length: number, tokens: number): Window[] {
  if (tokens <= length) return [[0, tokens]]
  const windows: Window[] = []
  for (let from = 0; from + length / 2 < tokens; from += length / 2) windows.push([from, Math.min(tokens, from + length)])
  return windows
}

/** The divisor of the sum of weights of a window: the root of its features, so that long windows do not weigh more than short ones. */
export function windowNorm(tokens: number): number {
  return Math.sqrt((tokens + NORM_TOKENS) * FEATURES_PER_TOKEN)
}

/**
 * The log-odds, between -6 and 6, that a canonical text is an attack, by its most suspicious window; -6 for a text without tokens. Logistic regression over
 * hashed n-grams.
 */
export function* classify(text: string, { grams, scale, bias }: Model): Steps<number> {
  const sums = yield* toPrefixSums(yield* toFeaturesInSteps(text), grams)
  let worst = -MAX_LOG_ODDS
  for (const [from, to] of toWindows(sums.length - 1)) {
    worst = Math.max(worst, bias + (((sums[to] ?? 0) - (sums[from] ?? 0)) * scale) / windowNorm(to - from))
  }
  return Math.min(MAX_LOG_ODDS, worst)
}

/**
 * The sums of the weights before each token, so that a window costs one subtraction. A word repeated without end is no more of an attack than the word twice.
 */
function* toPrefixSums(features: Int32Array, weights: Int8Array): Steps<Float64Array> {
  const tokens = features.length / FEATURES_PER_TOKEN
  const sums = new Float64Array(tokens + 1)
  const countRepeats = createRepeatCounter()
  for (let from = 0; from < tokens; from += PIECE_TOKENS) {
    if (from > 0) yield
    addPrefixSums(features, weights, sums, from, Math.min(tokens, from + PIECE_TOKENS), countRepeats)
  }
  return sums
}

/** Adds the sums of the tokens from one up to another to `sums`, which has those of all tokens before. */
function addPrefixSums(features: Int32Array, weights: Int8Array, sums: Float64Array, from: number, to: number, countRepeats: CountRepeats) {
  for (let token = from; token < to; token++) {
    let sum = sums[token] ?? 0
    for (let i = token * FEATURES_PER_TOKEN; i < (token + 1) * FEATURES_PER_TOKEN; i++) {
      const feature = features[i] ?? 0
      const weight = weights[feature] ?? 0
      if (weight <= 0 || countRepeats(feature, token) <= MAX_REPEATS) sum += weight
    }
    sums[token + 1] = sum
  }
}

type CountRepeats = (feature: number, token: number) => number

/** Counts the occurrences of a feature up to a token, from the last gap of more than REPEAT_DISTANCE_TOKENS on. */
function createRepeatCounter(): CountRepeats {
  const latest = new Map<number, { token: number; times: number }>()
  return (feature, token) => {
    const before = latest.get(feature) ?? { token, times: 1 }
    if (before.token !== token) before.times = token - before.token <= REPEAT_DISTANCE_TOKENS ? before.times + 1 : 1
    before.token = token
    latest.set(feature, before)
    return before.times
  }
}
