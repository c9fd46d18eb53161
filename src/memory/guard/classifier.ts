import type { Model } from './model.ts'
import { perToken, toNgrams } from './ngrams.ts'
import { norm, toWindows } from './windows.ts'

const limit = 6

/** The most suspicious window of a folded text, as log-odds between -6 and 6; -6 where there are no words. */
export function classify(text: string, { grams, scale, bias }: Model): number {
  const sums = toSums(toNgrams(text), grams)
  let worst = -limit
  for (const [from, to] of toWindows(sums.length - 1)) {
    worst = Math.max(worst, bias + (((sums[to] ?? 0) - (sums[from] ?? 0)) * scale) / norm(to - from))
  }
  return Math.min(limit, worst)
}

/** Sums of the weights up to each token, so that a window costs one subtraction. */
function toSums(found: Int32Array, weights: Int8Array): Float64Array {
  const tokens = found.length / perToken
  const sums = new Float64Array(tokens + 1)
  for (let token = 0; token < tokens; token++) {
    let sum = sums[token] ?? 0
    for (let i = token * perToken; i < (token + 1) * perToken; i++) sum += weights[found[i] ?? 0] ?? 0
    sums[token + 1] = sum
  }
  return sums
}
