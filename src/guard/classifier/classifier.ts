import type { Model } from '../model.ts'
import type { Evidence, Match } from '../rules/evidence.ts'
import type { Findings } from '../scan/phrases.ts'
import type { Tokens } from '../scan/tokens.ts'
import { FEATURES_PER_TOKEN, PAIR_FEATURE, visitFeatures } from './features.ts'
import { visitWindows, type Window, windowNorm } from './windows.ts'

/** What a window of a text adds up to, in log-odds: of its wording, and of the rules that match in it. */
export type WindowScore = { window: Window; wording: number; rules: number }

/**
 * A pair of words that comes again within so many tokens adds nothing to the suspicion of a text: a word repeated
 * without end is no more of an attack than the word twice.
 */
const REPEAT_DISTANCE_TOKENS = 24
const REPEAT_SLOTS = 1_024
/** By pair of words the number of tokens up to it, in the text that is summed up. */
const seen = new Int32Array(REPEAT_SLOTS)

/** Factor of the weight of a rule where the words around its match describe an attack instead of making one. */
export const DESCRIBED_FACTOR = 0.25

export const pointsOfMatch = ({ rule, described }: Match, { rules }: Model) =>
  (rules[rule] ?? 0) * (described ? DESCRIBED_FACTOR : 1)

/** The sums of the weights of features before each token. */
export function sumWording(tokens: Tokens, findings: Findings, { grams, scale }: Model): Float64Array {
  const sums = new Float64Array(tokens.count + 1)
  seen.fill(0)
  visitFeatures(tokens, findings, (token, buckets) => {
    let sum = 0
    for (let place = 0; place < FEATURES_PER_TOKEN; place++) sum += grams[buckets[place] ?? 0] ?? 0
    const slot = (buckets[PAIR_FEATURE] ?? 0) & (REPEAT_SLOTS - 1)
    const last = seen[slot] ?? 0
    const isRepeated = last > 0 && token + 1 - last <= REPEAT_DISTANCE_TOKENS
    sums[token + 1] = (sums[token] ?? 0) + (isRepeated && sum > 0 ? 0 : sum * scale)
    seen[slot] = token + 1
  })
  return sums
}

/** The window of a text with the most points; undefined for a text without tokens. */
export function worstWindow(sums: Float64Array, { matches }: Evidence, model: Model): WindowScore | undefined {
  const rules = new Float64Array(sums.length)
  for (const match of matches) rules[match.token + 1] = (rules[match.token + 1] ?? 0) + pointsOfMatch(match, model)
  for (let at = 1; at < rules.length; at++) rules[at] = (rules[at] ?? 0) + (rules[at - 1] ?? 0)
  let worst: WindowScore | undefined
  let most = Number.NEGATIVE_INFINITY
  visitWindows(sums.length - 1, (from, to) => {
    const wording = ((sums[to] ?? 0) - (sums[from] ?? 0)) / windowNorm(to - from)
    const ruled = (rules[to] ?? 0) - (rules[from] ?? 0)
    if (wording + ruled <= most) return
    most = wording + ruled
    worst = { window: [from, to], wording, rules: ruled }
  })
  return worst
}
