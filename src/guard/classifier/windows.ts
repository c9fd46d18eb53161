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
