import type { Steps } from '../../cooperative.ts'
import type { Model } from '../model.ts'
import { FEATURES_PER_TOKEN, PIECE_TOKENS, toFeaturesInSteps } from './ngrams.ts'
import { toWindows, windowNorm } from './windows.ts'

const MAX_LOG_ODDS = 6
/** Repeats of a gram that count for an attack, and how many tokens apart they may be. */
const MAX_REPEATS = 2
const REPEAT_DISTANCE_TOKENS = 64

/** The most suspicious window of a folded text, as log-odds between -6 and 6; -6 where there are no words. */
export function* classify(text: string, { grams, scale, bias }: Model): Steps<number> {
  const sums = yield* toSums(yield* toFeaturesInSteps(text), grams)
  let worst = -MAX_LOG_ODDS
  for (const [from, to] of toWindows(sums.length - 1)) {
    worst = Math.max(worst, bias + (((sums[to] ?? 0) - (sums[from] ?? 0)) * scale) / windowNorm(to - from))
  }
  return Math.min(MAX_LOG_ODDS, worst)
}

/** Sums of the weights up to each token, so that a window costs one subtraction. A word repeated without end is no more of an attack than the word. */
function* toSums(found: Int32Array, weights: Int8Array): Steps<Float64Array> {
  const tokens = found.length / FEATURES_PER_TOKEN
  const sums = new Float64Array(tokens + 1)
  const repeats = createRepeats()
  for (let token = 0; token < tokens; token++) {
    if (token % PIECE_TOKENS === PIECE_TOKENS - 1) yield
    let sum = sums[token] ?? 0
    for (let i = token * FEATURES_PER_TOKEN; i < (token + 1) * FEATURES_PER_TOKEN; i++) {
      const gram = found[i] ?? 0
      const weight = weights[gram] ?? 0
      if (weight <= 0 || repeats(gram, token) <= MAX_REPEATS) sum += weight
    }
    sums[token + 1] = sum
  }
  return sums
}

/** The how manyth time a gram stands there, each within `near` tokens of the time before. */
function createRepeats(): (gram: number, token: number) => number {
  const seen = new Map<number, { at: number; times: number }>()
  return (gram, token) => {
    const before = seen.get(gram) ?? { at: token, times: 1 }
    if (before.at !== token) before.times = token - before.at <= REPEAT_DISTANCE_TOKENS ? before.times + 1 : 1
    before.at = token
    seen.set(gram, before)
    return before.times
  }
}
