import { inspect as judge } from '../src/guard/inspect.ts'
import type { Verdict } from '../src/guard/verdict.ts'

/**
 * The module that an outside evaluation drives: the verdict of the guard that ships, and whether the text is refused.
 */
export function inspect(text: string): Verdict & { rejected: boolean; reason: string } {
  const verdict = judge(text)
  return {
    ...verdict,
    rejected: verdict.verdict === 'refused',
    reason: verdict.reasons.map(({ says, words }) => `${says}: ${words}`).join('; '),
  }
}
