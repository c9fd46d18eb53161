import { yieldIfDue } from '../../cooperative.ts'

/** Numbers of records that hold a term, largest first, and what holding it is worth. */
export type WeightedPostings = { seqs: Uint32Array; weight: number }
export type Candidate = { seq: number; weight: number }

/** Records are added up a page of numbers at a time, in memory of fixed size; other work has its turn between two pages. */
const PAGE_SIZE = 1 << 14
/** The sums of one page; all zero again before the next. */
const sums = new Float64Array(PAGE_SIZE)
/** The slots of a page that hold a sum; nothing stays in it. */
const touched = new Uint16Array(PAGE_SIZE)
/** How many more than are wanted may wait before the worse ones are thrown out. */
const SLACK = 1_000

/** The `most` records that hold the most weight of terms, best first, newer first where equal; only such as come after `last` in that order. */
export async function collectTopK(lists: WeightedPostings[], most: number, last?: Candidate): Promise<Candidate[]> {
  const cursors = lists.map(() => 0)
  let best: Candidate[] = []
  let worst: Candidate = { seq: 0, weight: 0 }
  for (let page = nextPage(lists, cursors); page >= 0; page = nextPage(lists, cursors)) {
    const due = yieldIfDue()
    if (due !== undefined) await due
    const count = addPage(lists, cursors, page)
    for (let at = 0; at < count; at++) {
      const slot = touched[at] ?? 0
      const seq = page * PAGE_SIZE + slot
      const weight = sums[slot] ?? 0
      sums[slot] = 0
      if (last !== undefined && (weight > last.weight || (weight === last.weight && seq >= last.seq))) continue
      if (weight > worst.weight || (weight === worst.weight && seq > worst.seq)) best.push({ seq, weight })
      if (best.length < most + SLACK) continue
      best = best.sort(byWeight).slice(0, most)
      worst = best.at(-1) ?? worst
    }
  }
  return best.sort(byWeight).slice(0, most)
}

function byWeight(a: Candidate, b: Candidate): number {
  return b.weight - a.weight || b.seq - a.seq
}

/** The page of the largest number not yet taken; -1 when none is left. */
function nextPage(lists: WeightedPostings[], cursors: number[]): number {
  let largest = -1
  lists.forEach(({ seqs }, at) => {
    largest = Math.max(largest, seqs[cursors[at] ?? 0] ?? -1)
  })
  return largest < 0 ? -1 : Math.floor(largest / PAGE_SIZE)
}

/** Adds up what the lists hold on one page. Returns how many slots were touched. */
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
