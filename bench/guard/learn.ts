import type { StoredModel } from '../../src/guard/model.ts'
import { fit, SETTINGS, seeded } from './fit.ts'
import type { Lesson } from './lessons.ts'
import { type Limits, pack } from './pack.ts'

const SEED = 20_262
/** Harmless texts that a stem must occur in for its language to count as learned. */
const MIN_STEM_TEXTS = 3

/**
 * Log-odds above which a text is refused and marked: the lowest at which texts that no model learned from are refused
 * and marked as rarely as docs/security-guard.md says.
 */
export const LIMITS: Limits = { refusedAbove: 1, markedAbove: -2.4 }

/** The model that learned the lessons. The same lessons give the same model. */
export const learn = (lessons: Lesson[]): StoredModel =>
  pack(
    fit(
      lessons.map(({ example }) => example),
      seeded(SEED),
      SETTINGS,
    ),
    listStems(lessons),
    LIMITS,
  )

/** The stems that occur in enough harmless texts. */
function listStems(lessons: Lesson[]): number[] {
  const texts = new Map<number, number>()
  for (const { attack, stems } of lessons) {
    if (!attack) for (const stem of stems) texts.set(stem, (texts.get(stem) ?? 0) + 1)
  }
  return [...texts].filter(([, count]) => count >= MIN_STEM_TEXTS).map(([stem]) => stem)
}
