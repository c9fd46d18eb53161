import { FEATURES_PER_TOKEN } from './features.ts'

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
