import type { Model } from '../model.ts'
import type { Evidence, Match } from '../rules/evidence.ts'
import { FEATURES_PER_TOKEN } from './features.ts'

/** Lengths of the windows that are scored. Each window begins half a length after the one before. */
const SHORT_WINDOW_TOKENS = 16
const LONG_WINDOW_TOKENS = 48
/** Added to the tokens of a window, so that one of few tokens is not scored by one of them. */
const NORM_TOKENS = 4

/** A window: from one token up to another. */
export type Window = [from: number, to: number]

/** Calls `visit` with every window of a text. One that is no longer than a short window is that window alone. */
export function visitWindows(tokens: number, visit: (from: number, to: number) => void): void {
  if (tokens > 0) visitWindowsOf(SHORT_WINDOW_TOKENS, tokens, visit)
  if (tokens > SHORT_WINDOW_TOKENS) visitWindowsOf(LONG_WINDOW_TOKENS, tokens, visit)
}

function visitWindowsOf(length: number, tokens: number, visit: (from: number, to: number) => void): void {
  const step = length / 2
  for (let from = 0; from === 0 || from + step < tokens; from += step) visit(from, Math.min(tokens, from + length))
}

/**
 * The divisor of the sum of weights of a window: the root of its features, so that long windows do not weigh more than
 * short ones.
 */
export function windowNorm(tokens: number): number {
  return Math.sqrt((tokens + NORM_TOKENS) * FEATURES_PER_TOKEN)
}

/** What a window of a text adds up to, in log-odds: of its wording, and of the rules that match in it. */
export type WindowScore = { window: Window; wording: number; rules: number }

/** Factor of the weight of a rule where the words around its match describe an attack instead of making one. */
export const DESCRIBED_FACTOR = 0.25

export const pointsOfMatch = ({ rule, described }: Match, { rules }: Model) =>
  (rules[rule] ?? 0) * (described ? DESCRIBED_FACTOR : 1)

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
