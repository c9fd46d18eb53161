import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { StoredRecord, Visible } from '../../store/record.ts'

/** A posting list: numbers of the records that hold a term, largest first, and what holding it is worth. */
export type WeightedPostings = { seqs: Uint32Array; weight: number }

/** A record and the sum of the weights of the terms that it holds. */
export type Candidate = { seq: number; weight: number }

/**
 * Work that one call may still do beyond looking up its terms. It is counted down by everything the call does, so that no query costs
 * much more than another. Only what the caller may see is counted: hidden records use up nothing.
 */
export type SearchBudget = {
  /** Terms listed to expand unknown words: some 30 ms. */
  listedTerms: number
  /** Candidates whose status and freshness are read, for a query with such a filter: some 40 ms. */
  filteredCandidates: number
}

export const createBudget = (): SearchBudget => ({ listedTerms: 32_768, filteredCandidates: 20_000 })

/** Record numbers whose sums are in memory at once. */
const PAGE_SIZE = 1 << 14
/** How many candidates more than wanted are collected before the worse ones are dropped. */
const SLACK = 1_000

/**
 * Scratch of `collectTopK`: the sum of each record number of a page, and which of them are not 0. Shared by all searches, which is safe because
 * a page is added up, read and cleared without yielding.
 */
const sums = new Float64Array(PAGE_SIZE)
const touched = new Uint16Array(PAGE_SIZE)

/**
 * The `k` records with the largest sum of weights, best first, the newer first where sums are equal; of those only the ones behind `last` in
 * this order. Takes time in proportion to the lists' lengths, and memory by `k`. Yields between pages of record numbers.
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

/** The best candidates so far, with others not yet dropped; `worst` is the last of the `k` that were best when others were dropped. */
type TopK = { k: number; best: Candidate[]; worst: Candidate }

/** Adds a page's records to the best, and clears their sums. */
function collectPage(top: TopK, page: number, count: number, last: Candidate | undefined): void {
  for (let at = 0; at < count; at++) {
    const slot = touched[at] ?? 0
    const seq = page * PAGE_SIZE + slot
    const weight = sums[slot] ?? 0
    sums[slot] = 0
    if (last !== undefined && (weight > last.weight || (weight === last.weight && seq >= last.seq))) continue
    if (weight > top.worst.weight || (weight === top.worst.weight && seq > top.worst.seq)) top.best.push({ seq, weight })
    if (top.best.length < top.k + SLACK) continue
    top.best = top.best.sort(byWeight).slice(0, top.k)
    top.worst = top.best.at(-1) ?? top.worst
  }
}

function byWeight(a: Candidate, b: Candidate): number {
  return b.weight - a.weight || b.seq - a.seq
}

/** The page of the largest number that no cursor has passed; -1 at the end of all lists. */
function nextPage(lists: WeightedPostings[], cursors: number[]): number {
  let largest = -1
  lists.forEach(({ seqs }, at) => {
    largest = Math.max(largest, seqs[cursors[at] ?? 0] ?? -1)
  })
  return largest < 0 ? -1 : Math.floor(largest / PAGE_SIZE)
}

/** Adds the weights of a page's numbers to `sums` and moves the cursors behind them. Returns how many slots were touched. */
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

/** Which records may be in an answer. */
export type CandidateFilter = {
  project: ProjectStore
  /** By what the caller may see, staleness is judged. */
  visible: Visible
  excludeStale: boolean
  /** Only records of this status; undefined for any. */
  status: StoredRecord['status'] | undefined
  /** Milliseconds since 1970. */
  now: number
  budget: SearchBudget
}

/** Numbers of candidates, best first. `isComplete` where no other record passes the filter and holds a term. */
export type Candidates = { seqs: number[]; isComplete: boolean }

/** Candidates whose status and freshness are read at once: of the largest records some milliseconds. */
const FILTER_BATCH = 250
/** Candidates collected at once where the filter left too few of the first. */
const MIN_COLLECTED = 4_000

/**
 * The `k` best candidates that pass the filter; fewer once there are at least `enough` of them. Where the budget ends first, worse
 * ones are missed.
 */
export async function selectCandidates(filter: CandidateFilter, lists: WeightedPostings[], k: number, enough: number): Promise<Candidates> {
  const { excludeStale, status, budget } = filter
  let part = await collectTopK(lists, k)
  if (!excludeStale && status === undefined) return { seqs: part.map(({ seq }) => seq), isComplete: part.length < k }
  const seqs: number[] = []
  for (let size = k; ; size = Math.max(k, MIN_COLLECTED)) {
    seqs.push(...(await filterCandidates(filter, part)))
    const isLast = part.length < size
    if (isLast || seqs.length >= enough || budget.filteredCandidates <= 0) {
      return { seqs: seqs.slice(0, k), isComplete: isLast && seqs.length <= k }
    }
    part = await collectTopK(lists, Math.max(k, MIN_COLLECTED), part.at(-1))
  }
}

/** Numbers of those candidates that pass, in the same order, as far as the budget lasts. */
async function filterCandidates(filter: CandidateFilter, candidates: Candidate[]): Promise<number[]> {
  const { project, visible, excludeStale, status, now, budget } = filter
  const passed: number[] = []
  for (let at = 0; at < candidates.length && budget.filteredCandidates > 0; at += FILTER_BATCH) {
    const seqs = candidates.slice(at, at + FILTER_BATCH).map(({ seq }) => seq)
    budget.filteredCandidates -= seqs.length
    const passing = new Set(await project.filterRecords({ visible, status, freshAt: excludeStale ? now : undefined }, seqs))
    passed.push(...seqs.filter((seq) => passing.has(seq)))
    const due = yieldIfDue()
    if (due !== undefined) await due
  }
  return passed
}
