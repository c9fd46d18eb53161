import { toWindows, windowNorm } from '../../src/guard/classifier/classifier.ts'
import { FEATURE_BUCKETS, FEATURES_PER_TOKEN, toFeatures } from '../../src/guard/classifier/ngrams.ts'

export type Fitted = { weights: Float32Array; bias: number }
export type Example = { features: Int32Array; spans: [number, number][]; attack: boolean; weight: number }

export function toExample(text: string, attack: boolean, weight: number): Example {
  const features = toFeatures(text)
  return { features, spans: toWindows(features.length / FEATURES_PER_TOKEN), attack, weight }
}

export type Settings = { epochs: number; rate: number; decay: number; positive: number; rounds: number }
const SETTINGS: Settings = { epochs: 4, rate: 0.35, decay: 2e-6, positive: 2, rounds: 2 }

/** Score of one window. */
export function scoreSpan(model: Fitted, features: Int32Array, [from, to]: [number, number]): number {
  let sum = 0
  for (let i = from * FEATURES_PER_TOKEN; i < to * FEATURES_PER_TOKEN; i++) sum += model.weights[features[i] ?? 0] ?? 0
  return model.bias + sum / windowNorm(to - from)
}

export const scoreMax = (model: Fitted, example: Example) =>
  Math.max(-20, ...example.spans.map((span) => scoreSpan(model, example.features, span)))

type Task = { example: Example; span: [number, number]; weight: number }

/** Logistic regression of windows by AdaGrad. Of an attack only the windows that the last round scored as suspicious are learned from, at least the worst (multiple-instance learning). */
export function fit(examples: Example[], random: () => number, set = SETTINGS): Fitted {
  let model: Fitted = { weights: new Float32Array(FEATURE_BUCKETS), bias: -2 }
  for (let round = 0; round < set.rounds; round++) {
    const tasks = examples.flatMap((example) => toTasks(example, round === 0 ? undefined : model, set))
    model = descend(tasks, random, set)
  }
  return model
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
  let biasSquares = 1e-3
  for (let epoch = 0; epoch < set.epochs; epoch++) {
    shuffle(tasks, random)
    for (const { example, span, weight } of tasks) {
      const score = scoreSpan(model, example.features, span)
      const error = (1 / (1 + Math.exp(-score)) - (example.attack ? 1 : 0)) * weight
      if (Math.abs(error) < 1e-4) continue
      const slope = error / windowNorm(span[1] - span[0])
      for (let i = span[0] * FEATURES_PER_TOKEN; i < span[1] * FEATURES_PER_TOKEN; i++) {
        const at = example.features[i] ?? 0
        if (at === 0) continue
        const gradient = slope + set.decay * (model.weights[at] ?? 0) * 1e2
        squares[at] = (squares[at] ?? 0) + gradient * gradient
        model.weights[at] = (model.weights[at] ?? 0) - (set.rate * gradient) / Math.sqrt(squares[at] ?? 1)
      }
      biasSquares += error * error
      model.bias -= (0.1 * error) / Math.sqrt(biasSquares)
    }
  }
  return model
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
