import { yieldIfDue } from '../../cooperative.ts'

/** A posting list: numbers of the records that hold a term, in descending order, and the weight of the term. */
export type WeightedPostings = { seqs: Uint32Array; weight: number }

/** Whether a number is in a list in descending order. */
export function contains(falling: Uint32Array, seq: number): boolean {
  let [low, high] = [0, falling.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((falling[middle] ?? 0) > seq) low = middle + 1
    else high = middle
  }
  return falling[low] === seq
}

/** A record and the sum of the weights of the terms that it holds. */
type Candidate = { seq: number; weight: number }

/**
 * Work that one call may still do beyond looking up its terms; every step of the call draws on it, so that no query
 * costs much more than another. Only what the caller may see is counted, so that an answer does not depend on hidden
 * records.
 */
export type SearchBudget = {
  /** Terms listed to expand unknown words: about 30 ms. */
  listedTerms: number
  /** Candidates whose status and freshness are read, for a query with such a filter: about 40 ms. */
  filteredCandidates: number
}

export const createBudget = (): SearchBudget => ({ listedTerms: 32_768, filteredCandidates: 20_000 })

/** Record numbers whose sums are in memory at once. */
const PAGE_SIZE = 1 << 14
/** As a multiple of `k`: how many candidates are collected before the worst are dropped. */
const MAX_COLLECTED_FACTOR = 2

/**
 * Scratch memory of `collectTopK`: the sum of each record number of a page, and the slots whose sum is not 0. Shared by
 * all searches, which is safe because a page is summed, read and cleared without yielding.
 */
const sums = new Float64Array(PAGE_SIZE)
const touched = new Uint16Array(PAGE_SIZE)

/**
 * The `k` records with the largest sum of weights, best first and the newer first among equals; with `last`, the `k`
 * records after it in this order. Time is linear in the lengths of the lists, memory in `k`. Yields between pages of
 * record numbers.
 */
export async function collectTopK(lists: WeightedPostings[], k: number, last?: Candidate): Promise<Candidate[]> {
  const cursors = lists.map(() => 0)
  const top: TopK = { k, best: [], worst: { seq: 0, weight: 0 } }
  for (let page = nextPage(lists, cursors); page >= 0; page = nextPage(lists, cursors)) {
    const due = yieldIfDue()
    if (due !== undefined) await due
    collectPage(top, page, addPage(lists, cursors, page), last)
  }
  return top.best.sort(byWeight).slice(0, k)
}

/**
 * The best candidates so far, and others not yet dropped. `worst` was the `k`-th best when candidates were last
 * dropped.
 */
type TopK = { k: number; best: Candidate[]; worst: Candidate }

/** Adds a page's records to the best, and clears their sums. */
function collectPage(top: TopK, page: number, count: number, last: Candidate | undefined): void {
  for (let at = 0; at < count; at++) {
    const slot = touched[at] ?? 0
    const seq = page * PAGE_SIZE + slot
    const weight = sums[slot] ?? 0
    sums[slot] = 0
    if (last !== undefined && (weight > last.weight || (weight === last.weight && seq >= last.seq))) continue
    if (weight > top.worst.weight || (weight === top.worst.weight && seq > top.worst.seq))
      top.best.push({ seq, weight })
    if (top.best.length < top.k * MAX_COLLECTED_FACTOR) continue
    top.best = top.best.sort(byWeight).slice(0, top.k)
    top.worst = top.best.at(-1) ?? top.worst
  }
}

function byWeight(a: Candidate, b: Candidate): number {
  return b.weight - a.weight || b.seq - a.seq
}

/** The page of the largest number that the cursors have not passed; -1 at the end of all lists. */
function nextPage(lists: WeightedPostings[], cursors: number[]): number {
  let largest = -1
  lists.forEach(({ seqs }, at) => {
    largest = Math.max(largest, seqs[cursors[at] ?? 0] ?? -1)
  })
  return largest < 0 ? -1 : Math.floor(largest / PAGE_SIZE)
}

/**
 * Adds the weights of a page's numbers to `sums` and moves the cursors behind them. Returns how many slots were
 * touched.
 */
function addPage(lists: WeightedPostings[], cursors: number[], page: number): number {
  let count = 0
  const first = page * PAGE_SIZE
  lists.forEach(({ seqs, weight }, at) => {
    let cursor = cursors[at] ?? 0
    for (let seq = seqs[cursor] ?? -1; seq >= first; seq = seqs[++cursor] ?? -1) {
      const slot = seq - first
      const sum = sums[slot] ?? 0
      if (sum === 0) touched[count++] = slot
      sums[slot] = sum + weight
    }
    cursors[at] = cursor
  })
  return count
}

/**
 * Candidates ranked together: 100 and their neighbours give the same quality as all. With a filter a block has enough
 * of them for a whole page.
 */
const BLOCK_SIZE = 100
const MIN_PASSING = 51
/** Candidates whose status and freshness are read at once; takes some milliseconds for the largest records. */
const BATCH_SIZE = 250
/** Candidates collected at once after the first block, and in total if there is no filter. */
const MAX_COLLECTED = 4_000
const MAX_CANDIDATES = 6_400

/** Selects the candidates that pass a filter, in no particular order. */
type PassCandidates = (seqs: number[]) => Promise<number[]>

/**
 * Yields the candidates that pass the filter (all, if there is none) in blocks, best first. Block boundaries depend
 * only on the lists and the filter. Once the budget is spent, the remaining, worse candidates are left out.
 */
export async function* eachCandidateBlock(
  lists: WeightedPostings[],
  pass: PassCandidates | undefined,
  budget: SearchBudget,
): AsyncGenerator<number[]> {
  let block: number[] = []
  let left = MAX_CANDIDATES
  for await (const batch of eachCandidateBatch(lists)) {
    block.push(...(pass === undefined ? batch : await filterCandidates(batch, pass, budget)))
    left -= batch.length
    if (block.length >= MIN_PASSING) {
      yield block
      block = []
    }
    if (pass === undefined ? left <= 0 : budget.filteredCandidates <= 0) break
  }
  if (block.length > 0) yield block
}

/** Numbers of all candidates, best first. */
async function* eachCandidateBatch(lists: WeightedPostings[]): AsyncGenerator<number[]> {
  let last: Candidate | undefined
  for (let size = BLOCK_SIZE; ; size = MAX_COLLECTED) {
    const part = await collectTopK(lists, size, last)
    for (let at = 0; at < part.length; at += BATCH_SIZE) yield part.slice(at, at + BATCH_SIZE).map(({ seq }) => seq)
    if (part.length < size) return
    last = part.at(-1)
  }
}

/** Numbers of those candidates that pass, in the same order. */
async function filterCandidates(seqs: number[], pass: PassCandidates, budget: SearchBudget): Promise<number[]> {
  budget.filteredCandidates -= seqs.length
  const passing = new Set(await pass(seqs))
  return seqs.filter((seq) => passing.has(seq))
}
