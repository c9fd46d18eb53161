import { FEATURES_PER_TOKEN } from './ngrams.ts'

/** Lengths of the windows that are judged, in tokens; each moves on by half. */
export const WINDOW_TOKENS = [16, 48] as const

/** The windows of a text of `tokens` tokens, from and to; a shorter text is one window of each length. */
export function toWindows(tokens: number): [number, number][] {
  if (tokens === 0) return []
  return WINDOW_TOKENS.flatMap((length) => {
    if (tokens <= length) return [[0, tokens]] as [number, number][]
    const spans: [number, number][] = []
    for (let from = 0; from + length / 2 < tokens; from += length / 2) spans.push([from, Math.min(tokens, from + length)])
    return spans
  })
}

/** What a sum over a window is divided by, so that long windows do not weigh more than short ones. */
export const windowNorm = (tokens: number) => Math.sqrt((tokens + 4) * FEATURES_PER_TOKEN)
