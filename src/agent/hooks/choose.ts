/** Records that one prompt is answered with at most. */
export const MAX_TOLD_RECORDS = 3

/** When a match is good: its score, and by how much it stands above the fourth best, which a prompt without an answer has as well. */
export type PromptRule = { minScore: number; minLead: number }

/**
 * Tuned by `bench/prompt-threshold.ts` on nine sets, where every other question has lost its answer while the records beside it stay: of those, 4.4 % get a record (one
 * in twenty was allowed), and of the others 18.4 % get one that answers them.
 */
export const PROMPT_RULE: PromptRule = { minScore: 0.8, minLead: 0.2 }

/** Of the best matches, those that are good, best first. */
export function chooseForPrompt<Match extends { score: number }>(found: Match[], { minScore, minLead } = PROMPT_RULE): Match[] {
  const best = found.toSorted((a, b) => b.score - a.score)
  const next = best[MAX_TOLD_RECORDS]?.score ?? 0
  return best.slice(0, MAX_TOLD_RECORDS).filter(({ score }) => score >= minScore && score - next >= minLead)
}
