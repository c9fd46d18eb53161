import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { StoredRecord, Visible } from '../../store/record.ts'
import type { Budget } from './budget.ts'
import { type Candidate, collectTopK, type WeightedPostings } from './top-k.ts'

/** Matches whose status and freshness are asked for at once: of the largest records some milliseconds. */
const FILTER_SIZE = 250
/** Matches gathered together when filters left too few of the first. */
const GATHER_SIZE = 4_000

/** What decides which matches are ranked at all. */
type Wanted = {
  project: ProjectStore
  visible: Visible
  limit: number
  excludeStale: boolean
  status: StoredRecord['status'] | undefined
  now: number
  budget: Budget
}

/** Matches worth ranking, best first; complete when no other record that passes the filters holds a word of the question. */
type Chosen = { seqs: number[]; isComplete: boolean }

/**
 * The `width` likeliest matches. Where a filter is asked for, as many of those that pass it, from the best down, until there are enough
 * for the answer or the budget is used up: then older or less likely ones may be missed.
 */
export async function choose(wanted: Wanted, lists: WeightedPostings[], width: number): Promise<Chosen> {
  const { limit, excludeStale, status, budget } = wanted
  let part = await collectTopK(lists, width)
  if (!excludeStale && status === undefined) return { seqs: part.map(({ seq }) => seq), isComplete: part.length < width }
  const seqs: number[] = []
  for (let size = width; ; size = Math.max(width, GATHER_SIZE)) {
    seqs.push(...(await filter(wanted, part)))
    const isComplete = part.length < size
    if (isComplete || seqs.length >= limit || budget.matches <= 0) {
      return { seqs: seqs.slice(0, width), isComplete: isComplete && seqs.length <= width }
    }
    part = await collectTopK(lists, Math.max(width, GATHER_SIZE), part.at(-1))
  }
}

/** Those of the matches that pass, in the same order, as long as the budget lasts. */
async function filter({ project, visible, excludeStale, status, now, budget }: Wanted, matches: Candidate[]): Promise<number[]> {
  const passed: number[] = []
  for (let at = 0; at < matches.length && budget.matches > 0; at += FILTER_SIZE) {
    const seqs = matches.slice(at, at + FILTER_SIZE).map(({ seq }) => seq)
    budget.matches -= seqs.length
    const passing = new Set(await project.filterRecords({ visible, seqs, status, freshAt: excludeStale ? now : undefined }))
    passed.push(...seqs.filter((seq) => passing.has(seq)))
    const due = yieldIfDue()
    if (due !== undefined) await due
  }
  return passed
}
