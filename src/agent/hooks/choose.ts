/** Maximum number of records shown for one prompt. */
export const MAX_TOLD_RECORDS = 3

/** Thresholds for a good match: its score, and its lead over the fourth best, which a prompt without an answer has as well. */
export type PromptRule = { minScore: number; minLead: number }

/**
 * Tuned by `bench/prompt-threshold.ts` on nine sets, in which every other question has lost its answer while the other records remain: 4.4 % of these still
 * get a record (5 % was the limit), and 18.4 % of the others get one that answers them.
 */
export const PROMPT_RULE: PromptRule = { minScore: 0.8, minLead: 0.2 }

/** The good ones among the best matches, best first. */
export function chooseForPrompt<Match extends { score: number }>(found: Match[], { minScore, minLead } = PROMPT_RULE): Match[] {
  const best = found.toSorted((a, b) => b.score - a.score)
  const next = best[MAX_TOLD_RECORDS]?.score ?? 0
  return best.slice(0, MAX_TOLD_RECORDS).filter(({ score }) => score >= minScore && score - next >= minLead)
}
