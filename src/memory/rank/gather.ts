/** Numbers of records that hold a term, largest first, and what holding it is worth. */
export type List = { seqs: Uint32Array; weight: number }
export type Gathered = { seq: number; weight: number }

/** Records are added up a page of numbers at a time, in memory of fixed size. */
const PAGE = 1 << 14
/** The sums of one page; all zero again when a question is done. */
const sums = new Float64Array(PAGE)
/** How many may wait before the worse ones are thrown out, as a multiple of what is wanted. */
const SLACK = 8

/** The `most` records that hold the most weight of terms, best first, newer first where equal. */
export function gather(lists: List[], most: number): Gathered[] {
  const cursors = lists.map(() => 0)
  let best: Gathered[] = []
  let worst: Gathered = { seq: 0, weight: 0 }
  for (let page = nextPage(lists, cursors); page >= 0; page = nextPage(lists, cursors)) {
    for (const seq of addPage(lists, cursors, page)) {
      const found = { seq, weight: sums[seq % PAGE] ?? 0 }
      sums[seq % PAGE] = 0
      if (byWeight(found, worst) < 0) best.push(found)
      if (best.length < most * SLACK) continue
      best = best.sort(byWeight).slice(0, most)
      worst = best.at(-1) ?? worst
    }
  }
  return best.sort(byWeight).slice(0, most)
}

function byWeight(a: Gathered, b: Gathered): number {
  return b.weight - a.weight || b.seq - a.seq
}

/** The page of the largest number not yet taken; -1 when none is left. */
function nextPage(lists: List[], cursors: number[]): number {
  let largest = -1
  lists.forEach(({ seqs }, at) => {
    largest = Math.max(largest, seqs[cursors[at] ?? 0] ?? -1)
  })
  return largest < 0 ? -1 : Math.floor(largest / PAGE)
}

/** Adds up what the lists hold on one page. Returns the records touched, each once. */
function addPage(lists: List[], cursors: number[], page: number): number[] {
  const touched: number[] = []
  const first = page * PAGE
  lists.forEach(({ seqs, weight }, at) => {
    let cursor = cursors[at] ?? 0
    for (let seq = seqs[cursor] ?? -1; seq >= first; seq = seqs[++cursor] ?? -1) {
      const slot = seq - first
      const sum = sums[slot] ?? 0
      if (sum === 0) touched.push(seq)
      sums[slot] = sum + weight
    }
    cursors[at] = cursor
  })
  return touched
}
