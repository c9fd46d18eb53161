import type { Model } from '../../src/guard/model.ts'
import type { Lesson } from './learn.ts'

type Counts = { attacks: number; caught: number; twins: number; refused: number }

/**
 * Prints, for each effect, how many of its texts are caught and how many of their harmless twins are refused by a classifier that learned neither (`apart`: its scores, by lesson).
 * The weights of the rules have seen them, so this flatters a little.
 */
export function printEffects(lessons: Lesson[], apart: number[], model: Model): void {
  const byEffect = new Map<string, Counts>()
  lessons.forEach((lesson, at) => {
    if (lesson.effect === undefined) return
    const counts = byEffect.get(lesson.effect) ?? { attacks: 0, caught: 0, twins: 0, refused: 0 }
    byEffect.set(lesson.effect, counts)
    const isRejected = pointsOf(lesson, apart[at] ?? 0, model) > 0
    if (lesson.attack) {
      counts.attacks++
      if (isRejected) counts.caught++
    } else {
      counts.twins++
      if (isRejected) counts.refused++
    }
  })
  for (const [effect, { attacks, caught, twins, refused }] of byEffect) {
    console.log(
      effect.padEnd(20),
      `caught ${caught} of ${attacks} (${((100 * caught) / attacks).toFixed(0)} %), twins refused ${refused} of ${twins}`,
    )
  }
}

function pointsOf({ passages, reporting }: Lesson, score: number, model: Model): number {
  const sums = passages.map((evidence) => evidence.reduce((sum, [rule, factor]) => sum + factor * (model.rules[rule] ?? 0), 0))
  return model.base + model.classifier * Math.max(-6, Math.min(6, score)) + Math.max(0, ...sums) - (reporting ? model.reporting : 0)
}
