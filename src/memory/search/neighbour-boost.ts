import type { TermScores } from './scorer.ts'

/** What a record's neighbours of the same source match, nearest first; undefined where there is none. */
export type Neighbourhood = { before: (TermScores | undefined)[]; after: (TermScores | undefined)[] }

/**
 * Shares of a neighbour's match that count for a record which lacks it: the one before, the one before that; the one after, the next.
 * A question's words often stand in two notes written one after the other; what comes before is more often what is spoken of.
 */
const BEFORE = [0.5, 0.3]
const AFTER = [0.4, 0.3]

/** A record's match with what its neighbours lend it: for each term the largest. */
export function neighbourBoost(own: TermScores, { before, after }: Neighbourhood): TermScores {
  if (before[0] === undefined && after[0] === undefined && before[1] === undefined && after[1] === undefined) return own
  const lent = own.slice()
  for (let at = 0; at < BEFORE.length; at++) borrow(lent, before[at], BEFORE[at] ?? 0)
  for (let at = 0; at < AFTER.length; at++) borrow(lent, after[at], AFTER[at] ?? 0)
  return lent
}

function borrow(lent: TermScores, lender: TermScores | undefined, share: number): void {
  if (lender === undefined) return
  for (let term = 0; term < lent.length; term++) lent[term] = Math.max(lent[term] ?? 0, share * (lender[term] ?? 0))
}
