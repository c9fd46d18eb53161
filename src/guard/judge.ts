import type { Steps } from '../cooperative.ts'
import { classify } from './classifier/classifier.ts'
import type { Model } from './model.ts'
import { findEvidenceInSteps, type Match } from './rules/evidence.ts'
import { FAMILIES, type Family, RULES } from './rules/rules.ts'
import type { Sign, Verdict } from './verdict.ts'
import { toViews, type View } from './views/views.ts'

/** What a rule counts where the words around it describe an attack instead of making one. */
export const DESCRIBED_WEIGHT_SHARE = 0.25

/** Judges a text with a given model, by its most suspicious reading, the first of those that are so. */
export function* judge(text: string, model: Model): Steps<Verdict> {
  const [first, ...more] = yield* toViews(text)
  let worst = yield* judgeView(first, model)
  for (const view of more) {
    const verdict = yield* judgeView(view, model)
    if (verdict.points > worst.points) worst = verdict
  }
  return worst
}

function* judgeView(view: View, model: Model): Steps<Verdict> {
  const classifier = model.classifier * (yield* classify(view.text, model))
  const evidence = yield* findEvidenceInSteps(view.text)
  yield
  const signs = toSigns(view.text, heaviest(evidence.passages, model), model)
  const reporting = evidence.reporting ? -model.reporting : 0
  const points = model.base + classifier + reporting + view.concealment + signs.reduce((sum, sign) => sum + sign.points, 0)
  const rejected = points > 0
  const family = rejected ? toFamily(signs, view) : undefined
  return {
    rejected,
    score: 1 / (1 + Math.exp(-points)),
    points,
    family,
    reason: toReason(family, view, signs),
    view: view.name,
    base: model.base,
    classifier,
    reporting,
    concealment: view.concealment,
    signs,
  }
}

/** The passage whose rules weigh most. */
function heaviest(passages: Match[][], model: Model): Match[] {
  const weigh = (matches: Match[]) =>
    matches.reduce((sum, { rule, described }) => sum + (model.rules[rule] ?? 0) * (described ? DESCRIBED_WEIGHT_SHARE : 1), 0)
  let best: Match[] = []
  let most = 0
  for (const matches of passages) {
    const weight = weigh(matches)
    if (weight > most) {
      most = weight
      best = matches
    }
  }
  return best
}

function toSigns(text: string, matches: Match[], model: Model): Sign[] {
  const signs = matches.map(({ rule, start, end, described }) => ({
    family: RULES[rule]?.family ?? 'resemblance',
    rule: RULES[rule]?.name ?? '',
    words: text.slice(start, Math.min(end, start + 160)) + restOfWord(text, end),
    described,
    points: (model.rules[rule] ?? 0) * (described ? DESCRIBED_WEIGHT_SHARE : 1),
  }))
  return signs.filter((sign) => sign.points > 0).sort((a, b) => b.points - a.points)
}

// A phrase may stand for any ending of its word.
const restOfWord = (text: string, end: number) => text.slice(end, end + 20).match(/^\p{L}+/u)?.[0] ?? ''

/** The family with most points, `hidden text` where the hiding weighs more, `resemblance` where only the classifier spoke. */
function toFamily(signs: Sign[], view: View): Family {
  const total = (family: Family) => signs.reduce((sum, sign) => sum + (sign.family === family ? sign.points : 0), 0)
  const best = FAMILIES.reduce((a, b) => (total(b) > total(a) ? b : a))
  if (view.concealment > total(best)) return 'hidden text'
  return total(best) > 0 ? best : 'resemblance'
}

function toReason(family: Family | undefined, view: View, signs: Sign[]): string {
  if (family === undefined) return 'nothing that resembles instructions for agents'
  const quoted = signs.slice(0, 3).map((sign) => `"${sign.words}" (${sign.rule})`)
  const ground = quoted.length > 0 ? quoted.join(', ') : 'the wording as a whole'
  return view.name === 'as written' ? `${family}: ${ground}` : `${family}, read as ${view.name}: ${ground}`
}
