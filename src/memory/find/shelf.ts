import type { Neighbours, StoredRecord } from '../../store/project.ts'
import type { Doc } from '../rank/match.ts'
import type { Term } from '../rank/term.ts'

/** What a caller may see of one workspace, as search looks at it. Nothing outside it takes part in any number. */
export type Shelf = {
  /** Records, and their words together; both 0 where there is nothing. */
  records: number
  length: number
  /** For each group of terms the records that hold any of them, newest first; the newest `MOST_HOLDERS` of a common one. */
  holders: (groups: string[][]) => Promise<Uint32Array[]>
  /** Of each term whether any record holds it. */
  isHeld: (terms: string[]) => Promise<boolean[]>
  docs: (seqs: number[]) => Promise<Map<number, Doc>>
  neighbours: (seqs: number[]) => Promise<Neighbours[]>
  /** Stand-ins found for unknown words, where nothing can come between that would change them. */
  known: Map<string, Term[]> | undefined
  rows: (seqs: number[]) => Promise<StoredRecord[]>
}

/**
 * Holders of one term that are looked at. 20 000 numbers take a millisecond, so that a question of ten common words stays below
 * the 10 ms allowed at a million records; below 20 000 records nothing is left out.
 */
export const MOST_HOLDERS = 20_000
