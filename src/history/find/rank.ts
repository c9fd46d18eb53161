import { yieldIfDue } from '../../cooperative.ts'
import { toSourceNumber } from '../../store/history.ts'

/** Most passages that are read of a word: the newest. */
export const MAX_PASSAGES_OF_WORD = 32_768
/** A session is found if its best passage has words of at least this share of the weight that the best one has. */
const MIN_SHARE = 1 / 2
/** Passages of a session whose lines are looked at. */
const BEST_PASSAGES = 3

/** What a word counts: more, the fewer passages have it. */
export const weightOf = ({ length }: number[]): number => Math.log2(1 + MAX_PASSAGES_OF_WORD / (1 + length))

/** A session by the number of its source, with the weight of its best passage, and its best passages. */
export type Ranked = { source: number; weight: number; passages: number[] }

/**
 * Sessions by the passages that have each word, best first: a passage counts the sum of the weights of its words, a
 * session its best passage. With `within`, only of these sources.
 */
export async function rankSessions(lists: number[][], within?: Set<number>): Promise<Ranked[]> {
  const weights = new Map<number, number>()
  for (const list of lists) {
    await yieldIfDue()
    const weight = weightOf(list)
    for (const passage of list) weights.set(passage, (weights.get(passage) ?? 0) + weight)
  }
  await yieldIfDue()
  const sessions = new Map<number, Ranked>()
  let best = 0
  for (const [passage, weight] of weights) {
    const source = toSourceNumber(passage)
    if (within?.has(source) === false) continue
    best = Math.max(best, weight)
    const known = sessions.get(source)
    if (known === undefined) sessions.set(source, { source, weight, passages: [passage] })
    else addPassage(known, passage, weight, weights)
  }
  return [...sessions.values()].filter(({ weight }) => weight >= best * MIN_SHARE).sort((a, b) => b.weight - a.weight)
}

function addPassage(session: Ranked, passage: number, weight: number, weights: Map<number, number>): void {
  session.weight = Math.max(session.weight, weight)
  const weightIn = (one: number) => weights.get(one) ?? 0
  const { passages } = session
  if (passages.length === BEST_PASSAGES && weight <= weightIn(passages[BEST_PASSAGES - 1] ?? 0)) return
  passages.push(passage)
  passages.sort((a, b) => weightIn(b) - weightIn(a) || b - a)
  passages.length = Math.min(passages.length, BEST_PASSAGES)
}
