/** One text as the second stage sees it: dense features of known places, and whether it is an attack. */
export type Case = { features: Float64Array; attack: boolean; weight: number }

/** Logistic regression whose weights may not fall below zero, by plain gradient descent with momentum; repeatable as it shuffles nothing. */
export function fitStack(cases: Case[], size: number, decay = 3e-3): { weights: Float64Array; bias: number } {
  const weights = new Float64Array(size)
  const speed = new Float64Array(size + 1)
  let bias = -3
  const total = cases.reduce((sum, one) => sum + one.weight, 0)
  const present = cases.map(({ features }) => Array.from(features.keys()).filter((i) => features[i] !== 0))
  for (let step = 0; step < 1500; step++) {
    const slope = new Float64Array(size + 1)
    for (const [at, { features, attack, weight }] of cases.entries()) {
      let score = bias
      const some = present[at] ?? []
      for (const i of some) score += (weights[i] ?? 0) * (features[i] ?? 0)
      const error = ((1 / (1 + Math.exp(-score)) - (attack ? 1 : 0)) * weight) / total
      for (const i of some) slope[i] = (slope[i] ?? 0) + error * (features[i] ?? 0)
      slope[size] = (slope[size] ?? 0) + error
    }
    const rate = 1.5
    for (let i = 0; i < size; i++) {
      speed[i] = 0.9 * (speed[i] ?? 0) - rate * ((slope[i] ?? 0) + (decay * (weights[i] ?? 0)) / 10)
      weights[i] = Math.max(0, (weights[i] ?? 0) + (speed[i] ?? 0))
    }
    speed[size] = 0.9 * (speed[size] ?? 0) - rate * (slope[size] ?? 0)
    bias += speed[size] ?? 0
  }
  return { weights, bias }
}
