import type { Steps } from '../../cooperative.ts'
import type { Model } from '../model.ts'
import type { Evidence, Match } from '../rules/evidence.ts'
import type { Findings } from '../scan/phrases.ts'
import type { Tokens } from '../scan/tokens.ts'
import { createFeatures, FEATURES_PER_TOKEN } from './features.ts'
import { toWindows, type Window, windowNorm } from './windows.ts'

/** What a window of a text adds up to, in log-odds: of its wording, and of the rules that match in it. */
export type WindowScore = { window: Window; wording: number; rules: number }

/** Tokens that are worked on in one piece. */
const PIECE_TOKENS = 1_024
/** A pair of words that comes again within so many tokens adds nothing to the suspicion of a text: a word repeated without end is no more of an attack than the word twice. */
const REPEAT_DISTANCE_TOKENS = 24
const REPEAT_SLOTS = 1_024

/** Factor of the weight of a rule where the words around its match describe an attack instead of making one. */
export const DESCRIBED_FACTOR = 0.25

export const pointsOfMatch = ({ rule, described }: Match, { rules }: Model) => (rules[rule] ?? 0) * (described ? DESCRIBED_FACTOR : 1)

/** The sums of the weights of features before each token. */
export function* sumWording(tokens: Tokens, findings: Findings, { grams, scale }: Model): Steps<Float64Array> {
  const sums = new Float64Array(tokens.count + 1)
  const addFeatures = createFeatures(tokens, findings)
  const features = new Int32Array(Math.min(PIECE_TOKENS, tokens.count) * FEATURES_PER_TOKEN)
  const seen = new Int32Array(REPEAT_SLOTS).fill(-REPEAT_DISTANCE_TOKENS - 1)
  for (let from = 0; from < tokens.count; from += PIECE_TOKENS) {
    if (from > 0) yield
    const to = Math.min(tokens.count, from + PIECE_TOKENS)
    addFeatures(features, from, to)
    for (let token = from, at = 0; token < to; token++, at += FEATURES_PER_TOKEN) {
      let sum = 0
      for (let i = at; i < at + FEATURES_PER_TOKEN; i++) sum += grams[features[i] ?? 0] ?? 0
      const slot = (features[at + PAIR_FEATURE] ?? 0) & (REPEAT_SLOTS - 1)
      if (sum > 0 && token - (seen[slot] ?? 0) <= REPEAT_DISTANCE_TOKENS) sum = 0
      seen[slot] = token
      sums[token + 1] = (sums[token] ?? 0) + sum * scale
    }
  }
  return sums
}

/** The feature of a token and the one before it. */
const PAIR_FEATURE = 2

/** The window of a text with the most points; undefined for a text without tokens. */
export function worstWindow(sums: Float64Array, { matches }: Evidence, model: Model): WindowScore | undefined {
  const rules = new Float64Array(sums.length)
  for (const match of matches) rules[match.token + 1] = (rules[match.token + 1] ?? 0) + pointsOfMatch(match, model)
  for (let at = 1; at < rules.length; at++) rules[at] = (rules[at] ?? 0) + (rules[at - 1] ?? 0)
  let worst: WindowScore | undefined
  for (const window of toWindows(sums.length - 1)) {
    const [from, to] = window
    const score = {
      window,
      wording: ((sums[to] ?? 0) - (sums[from] ?? 0)) / windowNorm(to - from),
      rules: (rules[to] ?? 0) - (rules[from] ?? 0),
    }
    if (worst === undefined || score.wording + score.rules > worst.wording + worst.rules) worst = score
  }
  return worst
}
