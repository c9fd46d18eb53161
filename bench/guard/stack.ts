/** One text as the second stage sees it: the values of its features by their position, and whether it is an attack. */
export type Case = { features: [place: number, value: number][]; attack: boolean; weight: number }

/** The features of all cases in flat arrays, for speed. */
type Table = { ends: Int32Array; places: Int32Array; values: Float64Array; attacks: Uint8Array; weights: Float64Array }

function toTable(cases: Case[]): Table {
  const found = cases.flatMap(({ features }) => features)
  let end = 0
  return {
    ends: Int32Array.from(cases, ({ features }) => (end += features.length)),
    places: Int32Array.from(found, ([place]) => place),
    values: Float64Array.from(found, ([, value]) => value),
    attacks: Uint8Array.from(cases, ({ attack }) => (attack ? 1 : 0)),
    weights: Float64Array.from(cases, ({ weight }) => weight),
  }
}

/** Logistic regression with weights of at least 0, by gradient descent with momentum. Repeatable, since nothing is shuffled. */
export function fitStack(cases: Case[], size: number, decay = 3e-3): { weights: Float64Array; bias: number } {
  const table = toTable(cases)
  const total = table.weights.reduce((sum, one) => sum + one, 0)
  const weights = new Float64Array(size)
  const speed = new Float64Array(size + 1)
  let bias = -3
  for (let step = 0; step < 1500; step++) {
    const slope = toSlope(table, weights, bias, total)
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

/** The gradient of the loss by each weight and, last, by the bias. */
function toSlope(
  { ends, places, values, attacks, weights: shares }: Table,
  weights: Float64Array,
  bias: number,
  total: number,
): Float64Array {
  const slope = new Float64Array(weights.length + 1)
  for (let at = 0, from = 0; at < ends.length; at++) {
    const end = ends[at] ?? 0
    let score = bias
    for (let i = from; i < end; i++) score += (weights[places[i] ?? 0] ?? 0) * (values[i] ?? 0)
    const error = ((1 / (1 + Math.exp(-score)) - (attacks[at] ?? 0)) * (shares[at] ?? 0)) / total
    for (let i = from; i < end; i++) slope[places[i] ?? 0] = (slope[places[i] ?? 0] ?? 0) + error * (values[i] ?? 0)
    slope[weights.length] = (slope[weights.length] ?? 0) + error
    from = end
  }
  return slope
}
