import { zstdCompressSync } from 'bun'
import type { StoredModel } from '../../src/guard/model.ts'
import { STEM_BITS, toStemBit } from '../../src/guard/model.ts'
import { RULES } from '../../src/guard/rules/rules.ts'
import type { Fitted } from './fit.ts'

/**
 * The largest weight as stored. Few steps suffice where each score sums up hundreds of weights, and they compress well.
 */
const MAX_STORED_WEIGHT = 6
/** The highest. */
const ZSTD_LEVEL = 22
/** Weights of less than so many steps are left out. */
const MIN_STORED_STEPS = 1.5

/** Log-odds above which a text is refused and marked. */
export type Limits = { refusedAbove: number; markedAbove: number }

const round = (value: number) => Math.round(value * 1000) / 1000
const compress = (bytes: Uint8Array<ArrayBuffer>) => zstdCompressSync(bytes, { level: ZSTD_LEVEL }).toString('base64')

/**
 * A model as it is stored: weights of features as integers from -6 to 6 and their scale. `stems`: the hashes of stems
 * that were learned.
 */
export function pack({ grams, rules, bias, reporting }: Fitted, stems: Iterable<number>, limits: Limits): StoredModel {
  const sizes = Array.from(grams, Math.abs)
    .filter((size) => size > 0)
    .sort((a, b) => a - b)
  const scale = (sizes[Math.floor(sizes.length * 0.9995)] ?? 1) / MAX_STORED_WEIGHT
  const toSteps = (steps: number) =>
    Math.abs(steps) < MIN_STORED_STEPS
      ? 0
      : Math.max(-MAX_STORED_WEIGHT, Math.min(MAX_STORED_WEIGHT, Math.round(steps)))
  const bits = new Uint8Array(STEM_BITS / 8)
  for (const stem of stems) {
    const bit = toStemBit(stem)
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return {
    bias: round(bias - limits.refusedAbove),
    markedAbove: round(limits.markedAbove - limits.refusedAbove),
    reporting: round(reporting),
    scale,
    rules: Object.fromEntries(RULES.map((rule, at) => [rule.name, round(rules[at] ?? 0)])),
    grams: compress(pairUp(Int8Array.from(grams, (weight) => toSteps(weight / scale)))),
    stems: compress(bits),
  }
}

/** Two weights in each byte, of which zstd stores the many zeros in less than a bit. */
const pairUp = (steps: Int8Array) =>
  Uint8Array.from(
    { length: steps.length / 2 },
    (_, at) => ((steps[2 * at] ?? 0) + 8) | (((steps[2 * at + 1] ?? 0) + 8) << 4),
  )
