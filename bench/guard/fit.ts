import { type Window, windowNorm } from '../../src/guard/classifier/classifier.ts'
import { FEATURE_BUCKETS, FEATURES_PER_TOKEN, FIRST_CLASS_FEATURE } from '../../src/guard/classifier/features.ts'
import { RULES } from '../../src/guard/rules/rules.ts'

export type Fitted = { grams: Float32Array; rules: Float32Array; bias: number; reporting: number }

/**
 * One text. `rules`: the matched rules in the order of their last tokens. `source`: the number of the row or template
 * that it comes from.
 */
export type Example = {
  features: Int32Array
  windows: Window[]
  rules: RuleMatch[]
  reporting: boolean
  attack: boolean
  weight: number
  source: number
}
/** `part`: how much of the weight of the rule counts. */
export type RuleMatch = { rule: number; token: number; part: number }

/**
 * `dropped`: part of the tokens of a window that one step leaves out, so that no single one decides. `wordless` and
 * `bare`: parts of the steps that see word classes, topics and rules only, and rules alone. `minSources`: sources that
 * a feature must occur in.
 */
export type Settings = {
  epochs: number
  rate: number
  dropped: number
  wordless: number
  bare: number
  minSources: number
}
export const SETTINGS: Settings = { epochs: 5, rate: 0.35, dropped: 0.5, wordless: 0.1, bare: 0.05, minSources: 4 }
/** Epochs of the first round, which only tells which windows of an attack are suspicious. */
const FIRST_EPOCHS = 2
/** The model is the mean of those after so many last epochs, which varies less than any of them. */
const AVERAGED_EPOCHS = 3
const START_BIAS = -3

export function scoreWindow(model: Fitted, { features, rules, reporting }: Example, [from, to]: Window): number {
  let sum = 0
  for (let i = from * FEATURES_PER_TOKEN; i < to * FEATURES_PER_TOKEN; i++) sum += model.grams[features[i] ?? 0] ?? 0
  let ruled = 0
  for (const { rule, token, part } of rules) if (token >= from && token < to) ruled += part * (model.rules[rule] ?? 0)
  return model.bias + sum / windowNorm(to - from) + ruled - (reporting ? model.reporting : 0)
}

export const scoreMax = (model: Fitted, example: Example) =>
  Math.max(-20, ...example.windows.map((window) => scoreWindow(model, example, window)))

type Task = { example: Example; window: Window; weight: number }

/**
 * Logistic regression of windows by AdaGrad. Of an attack only the windows that a first round scored as suspicious are
 * learned from, at least the worst (multiple-instance learning).
 */
export function fit(all: Example[], random: () => number, set = SETTINGS): Fitted {
  const examples = withoutRareFeatures(all, set.minSources)
  const first = descend(
    examples.flatMap((example) => toTasks(example, undefined)),
    random,
    { ...set, epochs: FIRST_EPOCHS },
  )
  return descend(
    examples.flatMap((example) => toTasks(example, first)),
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
    for (let i = 0; i < features.length; i++) {
      const feature = features[i] ?? 0
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

function toTasks(example: Example, model: Fitted | undefined): Task[] {
  if (!example.attack) return example.windows.map((window) => ({ example, window, weight: example.weight }))
  const scored = example.windows.map((window) => ({ window, score: model ? scoreWindow(model, example, window) : 1 }))
  const best = Math.max(...scored.map((one) => one.score))
  const chosen = scored.filter((one) => one.score >= Math.min(best, Math.max(0, best - 2)))
  const weight = example.weight / Math.sqrt(chosen.length)
  return chosen.map(({ window }) => ({ example, window, weight }))
}

/** A model under training, and the sums of squared gradients by which AdaGrad shortens its steps. */
type State = {
  model: Fitted
  squares: Float32Array
  ruleSquares: Float32Array
  biasSquares: number
  reportingSquares: number
}

function descend(tasks: Task[], random: () => number, set: Settings): Fitted {
  const model: Fitted = {
    grams: new Float32Array(FEATURE_BUCKETS),
    rules: new Float32Array(RULES.length),
    bias: START_BIAS,
    reporting: 0,
  }
  const state: State = {
    model,
    squares: new Float32Array(FEATURE_BUCKETS).fill(1e-3),
    ruleSquares: new Float32Array(RULES.length).fill(1),
    biasSquares: 1,
    reportingSquares: 1,
  }
  const mean: Fitted = {
    grams: new Float32Array(FEATURE_BUCKETS),
    rules: new Float32Array(RULES.length),
    bias: 0,
    reporting: 0,
  }
  const averaged = Math.min(AVERAGED_EPOCHS, set.epochs)
  for (let epoch = 0; epoch < set.epochs; epoch++) {
    shuffle(tasks, random)
    for (const task of tasks) step(state, task, random, set)
    if (epoch >= set.epochs - averaged) addTo(mean, model, 1 / averaged)
  }
  return mean
}

function addTo(mean: Fitted, model: Fitted, part: number): void {
  for (let at = 0; at < FEATURE_BUCKETS; at++) mean.grams[at] = (mean.grams[at] ?? 0) + (model.grams[at] ?? 0) * part
  for (let at = 0; at < RULES.length; at++) mean.rules[at] = (mean.rules[at] ?? 0) + (model.rules[at] ?? 0) * part
  mean.bias += model.bias * part
  mean.reporting += model.reporting * part
}

/** Smaller errors teach nothing. */
const MIN_ERROR = 1e-4
const RULE_RATE = 0.05

function step(state: State, { example, window, weight }: Task, random: () => number, set: Settings): void {
  const { model, squares, ruleSquares } = state
  const [from, to] = window
  const kept = keepSome(example.features, window, random, set)
  const norm = windowNorm(to - from) * (1 - set.dropped)
  let score = model.bias - (example.reporting ? model.reporting : 0)
  let sum = 0
  for (let i = 0; i < kept.length; i++) sum += model.grams[kept[i] ?? 0] ?? 0
  score += sum / norm
  for (const { rule, token, part } of example.rules)
    if (token >= from && token < to) score += part * (model.rules[rule] ?? 0)
  const error = (1 / (1 + Math.exp(-score)) - (example.attack ? 1 : 0)) * weight
  if (Math.abs(error) < MIN_ERROR) return
  const slope = error / norm
  for (let i = 0; i < kept.length; i++) {
    const at = kept[i] ?? 0
    squares[at] = (squares[at] ?? 0) + slope * slope
    model.grams[at] = (model.grams[at] ?? 0) - (set.rate * slope) / Math.sqrt(squares[at] ?? 1)
  }
  for (const { rule, token, part } of example.rules) {
    if (token < from || token >= to) continue
    const own = error * part
    ruleSquares[rule] = (ruleSquares[rule] ?? 0) + own * own
    // A rule is evidence for an attack or none, never against one.
    model.rules[rule] = Math.max(0, (model.rules[rule] ?? 0) - (RULE_RATE * own) / Math.sqrt(ruleSquares[rule] ?? 1))
  }
  state.biasSquares += error * error
  model.bias -= (0.1 * error) / Math.sqrt(state.biasSquares)
  if (!example.reporting) return
  state.reportingSquares += error * error
  model.reporting = Math.max(0, model.reporting + (RULE_RATE * error) / Math.sqrt(state.reportingSquares))
}

const scratch: number[] = []

/** The features of a window that one step learns from (dropout), without bucket 0, which stands for none. */
function keepSome(
  features: Int32Array,
  [from, to]: Window,
  random: () => number,
  { dropped, wordless, bare }: Settings,
): number[] {
  scratch.length = 0
  const chance = random()
  if (chance < bare) return scratch
  const first = chance < bare + wordless ? FIRST_CLASS_FEATURE : 0
  for (let token = from; token < to; token++) {
    if (random() < dropped) continue
    for (let i = token * FEATURES_PER_TOKEN + first; i < (token + 1) * FEATURES_PER_TOKEN; i++) {
      const feature = features[i] ?? 0
      if (feature !== 0) scratch.push(feature)
    }
  }
  return scratch
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
