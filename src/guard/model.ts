import { FEATURE_BUCKETS } from './classifier/ngrams.ts'
import { RULES } from './rules/rules.ts'

/** What training found: a weight for each hashed n-gram, for each rule, for the classifier as a whole, what reporting takes away, and where the scale begins. */
export type Model = {
  grams: Int8Array
  scale: number
  bias: number
  classifier: number
  base: number
  reporting: number
  rules: number[]
}

/** The model as it lies in `weights.json`: n-gram weights deflated and in base64, rules by name. */
export type StoredModel = Omit<Model, 'grams' | 'rules'> & { grams: string; rules: Record<string, number> }

/** Unpacks a stored model. A rule it does not know weighs nothing. */
export function readModel(from: StoredModel): Model {
  const grams = new Int8Array(Bun.inflateSync(Buffer.from(from.grams, 'base64')).buffer)
  if (grams.length !== FEATURE_BUCKETS) throw new Error(`guard weights: ${grams.length} n-gram weights, expected ${FEATURE_BUCKETS}`)
  return { ...from, grams, rules: RULES.map((rule) => from.rules[rule.name] ?? 0) }
}
