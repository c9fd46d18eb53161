import { FEATURE_BUCKETS, type Weights } from './classifier/features.ts'
import { RULES } from './rules/rules.ts'
import { CHARACTER, END, START, STEM, type Tokens, VALUES_PER_TOKEN, WORD } from './scan/tokens.ts'

/**
 * The weights of the guard, in log-odds. `bias`: of every window; `reporting`: subtracted in reports about attacks;
 * `rules`: of each rule, in the order of RULES. `stems`: a bit for each hash of a stem that occurs in the harmless texts
 * of the training. A window with more than 0 points is refused, and marked with more than `markedAbove`.
 */
export type Model = Weights & {
  bias: number
  reporting: number
  rules: number[]
  stems: Uint8Array
  markedAbove: number
}

/**
 * The model as `weights.json` holds it: weights of features and stems compressed by zstd, in base64, rules by name.
 */
export type StoredModel = Omit<Model, 'grams' | 'rules' | 'stems'> & {
  grams: string
  stems: string
  rules: Record<string, number>
}

/** Bits of `stems`. A power of two. */
export const STEM_BITS = 1 << 18

/**
 * Reads a stored model. A rule that it does not name has no weight. Throws an Error if it has another number of
 * features.
 */
export function readModel(from: StoredModel): Model {
  const grams = decompress(from.grams)
  if (grams.length * 2 !== FEATURE_BUCKETS)
    throw new Error(`guard weights: ${grams.length * 2} n-gram weights, expected ${FEATURE_BUCKETS}`)
  return { ...from, grams, stems: decompress(from.stems), rules: RULES.map((rule) => from.rules[rule.name] ?? 0) }
}

const decompress = (packed: string) => new Uint8Array(Bun.zstdDecompressSync(Buffer.from(packed, 'base64')))

/** The bit of a stem. */
export const toStemBit = (stem: number) => (Math.imul(stem ^ (stem >>> 15), 0x2c1b3c6d) >>> 12) & (STEM_BITS - 1)

/** Part of the words of a passage that have to be known for its language to be one that was learned. */
const MIN_KNOWN_PART = 0.6

/** Whether most words from one token up to another occur in the harmless texts of the training. */
export function isLearnedLanguage({ values, kinds }: Tokens, from: number, to: number, { stems }: Model): boolean {
  let known = 0
  let all = 0
  for (let token = from; token < to; token++) {
    const isWord =
      kinds[token] === WORD &&
      (values[token * VALUES_PER_TOKEN + END] ?? 0) - (values[token * VALUES_PER_TOKEN + START] ?? 0) > 1
    if (!isWord && kinds[token] !== CHARACTER) continue
    all++
    const bit = toStemBit(values[token * VALUES_PER_TOKEN + STEM] ?? 0)
    known += ((stems[bit >> 3] ?? 0) >> (bit & 7)) & 1
  }
  return known >= all * MIN_KNOWN_PART
}
