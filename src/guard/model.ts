import { FEATURE_BUCKETS } from './classifier/ngrams.ts'
import { RULES } from './rules/rules.ts'

/**
 * The weights of the guard, in log-odds. `grams`: of each bucket of features, in units of `scale`; `bias`: of every window; `classifier`: factor of the
 * log-odds of the classifier; `base`: of every text; `reporting`: subtracted from reports about attacks; `rules`: of each rule, in the order of RULES.
 */
export type Model = {
  grams: Int8Array
  scale: number
  bias: number
  classifier: number
  base: number
  reporting: number
  rules: number[]
}

/** The model as `weights.json` holds it: feature weights compressed by zstd, in base64, rules by name. */
export type StoredModel = Omit<Model, 'grams' | 'rules'> & { grams: string; rules: Record<string, number> }

/** Reads a stored model. A rule that it does not name has no weight. Throws an Error if it has another number of features. */
export function readModel(from: StoredModel): Model {
  const grams = new Int8Array(Bun.zstdDecompressSync(Buffer.from(from.grams, 'base64')))
  if (grams.length !== FEATURE_BUCKETS) throw new Error(`guard weights: ${grams.length} n-gram weights, expected ${FEATURE_BUCKETS}`)
  return { ...from, grams, rules: RULES.map((rule) => from.rules[rule.name] ?? 0) }
}
