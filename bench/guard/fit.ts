import { toWindows, type Window, windowNorm } from '../../src/guard/classifier/classifier.ts'
import { FEATURE_BUCKETS, FEATURES_PER_TOKEN, FIRST_CLASS_FEATURE, toFeatures } from '../../src/guard/classifier/ngrams.ts'

export type Fitted = { weights: Float32Array; bias: number }
/** One text. `source`: the number of the row or template that it comes from. */
export type Example = { features: Int32Array; spans: Window[]; attack: boolean; weight: number; source: number }

export function toExample(text: string, attack: boolean, weight: number, source: number): Example {
  const features = toFeatures(text)
  return { features, spans: toWindows(features.length / FEATURES_PER_TOKEN), attack, weight, source }
}

/**
 * `dropped`: part of the tokens of a window that one step leaves out, so that no single one decides. `wordless`: part of the steps that see word classes and topics
 * only, so that what is learned of one language serves the others. `positive`: factor of the weight of attacks. `minSources`: sources that a feature must occur in;
 * rarer ones have no weight, so that a harmless text of new words meets none by chance.
 */
export type Settings = { epochs: number; rate: number; dropped: number; wordless: number; positive: number; minSources: number }
const SETTINGS: Settings = { epochs: 6, rate: 0.35, dropped: 0.3, wordless: 0.1, positive: 2, minSources: 4 }
/** Epochs of the first round, which only tells which windows of an attack are suspicious. */
const FIRST_EPOCHS = 2
/** The model is the mean of those after so many last epochs, which varies less than any of them. */
const AVERAGED_EPOCHS = 3

/** Score of one window. */
export function scoreSpan(model: Fitted, features: Int32Array, [from, to]: Window): number {
  let sum = 0
  for (let i = from * FEATURES_PER_TOKEN; i < to * FEATURES_PER_TOKEN; i++) sum += model.weights[features[i] ?? 0] ?? 0
  return model.bias + sum / windowNorm(to - from)
}

export const scoreMax = (model: Fitted, example: Example) =>
  Math.max(-20, ...example.spans.map((span) => scoreSpan(model, example.features, span)))

type Task = { example: Example; span: Window; weight: number }

/** Logistic regression of windows by AdaGrad. Of an attack only the windows that a first round scored as suspicious are learned from, at least the worst (multiple-instance learning). */
export function fit(all: Example[], random: () => number, set = SETTINGS): Fitted {
  const examples = withoutRareFeatures(all, set.minSources)
  const first = descend(
    examples.flatMap((example) => toTasks(example, undefined, set)),
    random,
    { ...set, epochs: FIRST_EPOCHS },
  )
  return descend(
    examples.flatMap((example) => toTasks(example, first, set)),
    random,
    set,
  )
}

/** Less than any number of a source. */
const NO_SOURCE = -(2 ** 31)

/** The examples with bucket 0 in place of each feature that occurs in fewer than `min` sources. */
function withoutRareFeatures(examples: Example[], min: number): Example[] {
  const sources = new Int32Array(FEATURE_BUCKETS)
  const last = new Int32Array(FEATURE_BUCKETS).fill(NO_SOURCE)
  for (const { features, source } of examples.toSorted((a, b) => a.source - b.source)) {
    for (const feature of features) {
      if (last[feature] === source) continue
      last[feature] = source
      sources[feature] = (sources[feature] ?? 0) + 1
    }
  }
  return examples.map((example) => ({
    ...example,
    features: example.features.map((feature) => ((sources[feature] ?? 0) < min ? 0 : feature)),
  }))
}

function toTasks(example: Example, model: Fitted | undefined, set: Settings): Task[] {
  if (!example.attack) return example.spans.map((span) => ({ example, span, weight: example.weight }))
  const scored = example.spans.map((span) => ({ span, score: model ? scoreSpan(model, example.features, span) : 1 }))
  const best = Math.max(...scored.map((one) => one.score))
  const chosen = scored.filter((one) => one.score >= Math.min(best, Math.max(0, best - 2)))
  const weight = (set.positive * example.weight) / Math.sqrt(chosen.length)
  return chosen.map(({ span }) => ({ example, span, weight }))
}

function descend(tasks: Task[], random: () => number, set: Settings): Fitted {
  const model: Fitted = { weights: new Float32Array(FEATURE_BUCKETS), bias: -2 }
  const squares = new Float32Array(FEATURE_BUCKETS).fill(1e-3)
  const state = { model, squares, biasSquares: 1e-3 }
  const mean: Fitted = { weights: new Float32Array(FEATURE_BUCKETS), bias: 0 }
  const averaged = Math.min(AVERAGED_EPOCHS, set.epochs)
  for (let epoch = 0; epoch < set.epochs; epoch++) {
    shuffle(tasks, random)
    for (const task of tasks) step(state, task, random, set)
    if (epoch < set.epochs - averaged) continue
    for (let at = 0; at < FEATURE_BUCKETS; at++) mean.weights[at] = (mean.weights[at] ?? 0) + (model.weights[at] ?? 0) / averaged
    mean.bias += model.bias / averaged
  }
  return mean
}

/** A model under training, and the sums of squared gradients by which AdaGrad shortens its steps. */
type State = { model: Fitted; squares: Float32Array; biasSquares: number }

function step(state: State, { example, span, weight }: Task, random: () => number, set: Settings): void {
  const { model, squares } = state
  const kept = keepSome(example.features, span, random, set)
  const norm = windowNorm(span[1] - span[0]) * (1 - set.dropped)
  let sum = 0
  for (const at of kept) sum += model.weights[at] ?? 0
  const error = (1 / (1 + Math.exp(-model.bias - sum / norm)) - (example.attack ? 1 : 0)) * weight
  if (Math.abs(error) < MIN_ERROR) return
  const slope = error / norm
  for (const at of kept) {
    squares[at] = (squares[at] ?? 0) + slope * slope
    model.weights[at] = (model.weights[at] ?? 0) - (set.rate * slope) / Math.sqrt(squares[at] ?? 1)
  }
  state.biasSquares += error * error
  model.bias -= (0.1 * error) / Math.sqrt(state.biasSquares)
}

/** Smaller errors teach nothing. */
const MIN_ERROR = 1e-4

/** The features of a window that one step learns from (dropout), without bucket 0, which stands for none. */
function keepSome(features: Int32Array, [from, to]: Window, random: () => number, { dropped, wordless }: Settings): number[] {
  const kept: number[] = []
  const first = random() < wordless ? FIRST_CLASS_FEATURE : 0
  for (let token = from; token < to; token++) {
    if (random() < dropped) continue
    for (let i = token * FEATURES_PER_TOKEN + first; i < (token + 1) * FEATURES_PER_TOKEN; i++) {
      const feature = features[i] ?? 0
      if (feature !== 0) kept.push(feature)
    }
  }
  return kept
}

export function shuffle<T>(list: T[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const held = list[i] as T
    list[i] = list[j] as T
    list[j] = held
  }
}

/** A seeded pseudo-random generator (mulberry32), so that training is repeatable. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
