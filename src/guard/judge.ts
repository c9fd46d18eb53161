import type { Steps } from '../cooperative.ts'
import { classify } from './classifier/classifier.ts'
import type { Model } from './model.ts'
import { findEvidenceInSteps, type Match } from './rules/evidence.ts'
import { FAMILIES, type Family, RULES } from './rules/rules.ts'
import type { Reason, Sign, Verdict } from './verdict.ts'
import { toViews, type View } from './views/views.ts'

/** Factor of the weight of a rule where the words around its match describe an attack instead of making one. */
export const DESCRIBED_FACTOR = 0.25

/** Points above which a text is marked. At this value a fiftieth of the harmless rows of public collections is. */
const MARKED_ABOVE = -1.5
/** Reasons of a verdict. */
const MAX_REASONS = 3

/** What a text of each family does, in words for its author. */
const SAYS: Record<Family, string> = {
  override: 'it tells its reader to leave earlier instructions or rules aside, or claims a higher rank',
  secrecy: 'it wants something kept from the user',
  'unbidden act': 'it orders an act that nobody asked for in the conversation',
  unchecked: 'it takes away a confirmation or a check',
  identity: 'it gives an assistant another identity or loyalty, or one fixed answer',
  disclosure: 'it asks for instructions or secrets to be shown or handed over',
  'forged turn': 'it imitates a message of the system, a tool or a chat',
  'hidden text': 'it carries text that a person would not see',
  resemblance: 'its wording as a whole is that of an instruction to an assistant',
}

/** Prose, or the name of something, such as a fact key: it is judged by rules alone, for a few words have no wording. */
export type TextKind = 'prose' | 'name'

/** Judges a text with a given model by its view with the most points, the first of several. */
export function* judge(text: string, model: Model, kind: TextKind = 'prose'): Steps<Verdict> {
  const [first, ...more] = yield* toViews(text)
  let worst = yield* judgeView(first, model, kind)
  for (const view of more) {
    const verdict = yield* judgeView(view, model, kind)
    if (verdict.points > worst.points) worst = verdict
  }
  return worst
}

function* judgeView(view: View, model: Model, kind: TextKind): Steps<Verdict> {
  const classifier = kind === 'name' ? 0 : model.classifier * (yield* classify(view.text, model))
  const evidence = yield* findEvidenceInSteps(view.text)
  yield
  const signs = toSigns(view.text, heaviestPassage(evidence.passages, model), model)
  const reporting = evidence.reporting ? -model.reporting : 0
  const points = model.base + classifier + reporting + view.concealment + signs.reduce((sum, sign) => sum + sign.points, 0)
  const verdict = points > 0 ? 'refused' : points > MARKED_ABOVE && kind === 'prose' ? 'marked' : 'clean'
  const family = verdict === 'clean' ? undefined : toFamily(signs, view)
  return {
    verdict,
    reasons: family === undefined ? [] : toReasons(family, signs),
    rejected: verdict === 'refused',
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

/** The matches of the passage whose rules have the largest sum of weights. */
function heaviestPassage(passages: Match[][], model: Model): Match[] {
  let heaviest: Match[] = []
  let mostPoints = 0
  for (const matches of passages) {
    const points = matches.reduce((sum, match) => sum + pointsOf(match, model), 0)
    if (points > mostPoints) {
      mostPoints = points
      heaviest = matches
    }
  }
  return heaviest
}

function pointsOf({ rule, described }: Match, model: Model): number {
  return (model.rules[rule] ?? 0) * (described ? DESCRIBED_FACTOR : 1)
}

/** UTF-16 units of the words of a sign. */
const MAX_QUOTED_LENGTH = 160

function toSigns(text: string, matches: Match[], model: Model): Sign[] {
  const signs = matches.map((match) => {
    const { rule, start, end, described } = match
    const words = text.slice(start, Math.min(end, start + MAX_QUOTED_LENGTH)) + restOfWord(text, end)
    return { family: RULES[rule]?.family ?? 'resemblance', rule: RULES[rule]?.name ?? '', words, described, points: pointsOf(match, model) }
  })
  return signs.filter(({ points }) => points > 0).sort((a, b) => b.points - a.points)
}

/** The heaviest signs, a family once; the family alone if it has no sign. */
function toReasons(family: Family, signs: Sign[]): Reason[] {
  const heaviest = signs.filter((sign, at) => signs.findIndex((other) => other.family === sign.family) === at).slice(0, MAX_REASONS)
  const reasons = heaviest.map((sign) => ({ family: sign.family, rule: sign.rule, says: SAYS[sign.family], words: sign.words }))
  const isNamed = heaviest.some((sign) => sign.family === family)
  return isNamed ? reasons : [{ family, rule: '', says: SAYS[family], words: '' }, ...reasons].slice(0, MAX_REASONS)
}

/** The letters after a match: a phrase may stand for any ending of its word. */
function restOfWord(text: string, end: number): string {
  return text.slice(end, end + 20).match(/^\p{L}+/u)?.[0] ?? ''
}

/** The family with the most points; `hidden text` if the concealment has more than that; `resemblance` if no rule matched. */
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
