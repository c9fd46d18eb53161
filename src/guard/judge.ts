import type { Steps } from '../cooperative.ts'
import { pointsOfMatch, sumWording, type WindowScore, worstWindow } from './classifier/classifier.ts'
import { isLearnedLanguage, type Model } from './model.ts'
import { findEvidence, type Match } from './rules/evidence.ts'
import { FAMILIES, type Family, RULES, SAYS } from './rules/rules.ts'
import { buildPhrases } from './scan/lists.ts'
import type { Findings, Phrases } from './scan/phrases.ts'
import { END, START, type Tokens, VALUES_PER_TOKEN } from './scan/tokens.ts'
import type { Reason, Verdict } from './verdict.ts'
import { toViews, type View } from './views/views.ts'

/** Prose, or the name of something, such as a fact key: it is judged by rules alone, for a few words have no wording. */
export type TextKind = 'prose' | 'name'

/** Reasons of a verdict. */
const MAX_REASONS = 3
/** UTF-16 units of the words of a reason. */
const MAX_QUOTED_LENGTH = 160

/** Built at the first text, because most commands of the executable never inspect one. */
let phrases: Phrases | undefined

/** Judges a text with a given model by its view with the most points, the first of several. */
export function* judge(text: string, model: Model, kind: TextKind = 'prose'): Steps<Verdict> {
  const [first, ...more] = yield* toViews(text, (tokens) => isLearnedLanguage(tokens, 0, tokens.count, model))
  let worst = yield* judgeView(first, model, kind)
  for (const view of more) {
    const verdict = yield* judgeView(view, model, kind)
    if (verdict.points > worst.points) worst = verdict
  }
  return worst
}

function* judgeView(view: View, model: Model, kind: TextKind): Steps<Verdict> {
  phrases ??= buildPhrases()
  const { tokens, concealment } = view
  const findings = yield* phrases.find(tokens)
  yield
  const evidence = yield* findEvidence(tokens, findings)
  yield
  const sums = kind === 'name' ? new Float64Array(tokens.count + 1) : yield* sumWording(tokens, findings, model)
  yield
  const worst = worstWindow(sums, evidence, model) ?? { window: [0, 0], wording: 0, rules: 0 }
  const certain = model.bias + worst.rules + concealment - (evidence.reporting ? model.reporting : 0)
  const points = certain + worst.wording
  const countEvidence = () => countConcepts(findings, worst)
  const isLearned = () => isLearnedLanguage(tokens, worst.window[0], worst.window[1], model)
  const verdict = decide({ certain, points, kind, countEvidence, isLearned }, model)
  const matches = evidence.matches.filter(({ token }) => token >= worst.window[0] && token < worst.window[1])
  const reasons = verdict === 'clean' ? [] : listReasons(view, worst, matches, sums, model)
  return { verdict, reasons, family: reasons[0]?.family, view: view.name, points, score: 1 / (1 + Math.exp(-points)) }
}

/** `certain`: the points without those of the wording. */
type Sum = { certain: number; points: number; kind: TextKind; countEvidence: () => number; isLearned: () => boolean }

/** Concepts of an instruction to the reader that have to stand in a window, at least, for its wording to count. */
const MIN_REFUSED_CONCEPTS = 2
const MIN_MARKED_CONCEPTS = 1

/**
 * Rules and concealment alone may refuse and mark any text. A name cannot be marked, and is refused for what would mark a text: no wording adds to its rules.
 * What was learned of wording counts only beside evidence, and refuses only in a language of which harmless text was
 * learned.
 */
function decide({ certain, points, kind, countEvidence, isLearned }: Sum, { markedAbove }: Model): Verdict['verdict'] {
  if (kind === 'name') return certain > markedAbove ? 'refused' : 'clean'
  if (certain > 0) return 'refused'
  if (points <= markedAbove) return 'clean'
  const evidence = countEvidence()
  if (points > 0 && evidence >= MIN_REFUSED_CONCEPTS && isLearned()) return 'refused'
  return evidence >= MIN_MARKED_CONCEPTS || certain > markedAbove ? 'marked' : 'clean'
}

/** How many concepts of an instruction to the reader stand in a window. */
const countConcepts = ({ hits }: Findings, { window: [from, to] }: WindowScore) =>
  new Set(hits.filter(({ token }) => token >= from && token < to).map(({ concept }) => concept)).size

/** What weighed most: families by the sum of their rules, each with its heaviest, and concealment; then the wording, of which it is less plain what it means. */
function listReasons({ tokens, concealment }: View, worst: WindowScore, matches: Match[], sums: Float64Array, model: Model): Reason[] {
  const weighed: { points: number; reason: Reason }[] = FAMILIES.flatMap((family) => {
    const ruled = matches.filter((match) => RULES[match.rule]?.family === family && pointsOfMatch(match, model) > 0)
    const [heaviest] = ruled.sort((a, b) => pointsOfMatch(b, model) - pointsOfMatch(a, model))
    if (heaviest === undefined) return []
    const reason = toReason(family, RULES[heaviest.rule]?.name ?? '', quote(tokens, heaviest.start, heaviest.end))
    return [{ points: ruled.reduce((sum, match) => sum + pointsOfMatch(match, model), 0), reason }]
  })
  if (concealment > 0) weighed.push({ points: concealment, reason: toReason('hidden text', '', '') })
  const reasons = weighed.sort((a, b) => b.points - a.points).map(({ reason }) => reason)
  const wording = toReason('resemblance', '', heaviestWords(tokens, worst, sums))
  return (worst.wording > 0 || reasons.length === 0 ? [...reasons, wording] : reasons).slice(0, MAX_REASONS)
}

const toReason = (family: Family, rule: string, words: string): Reason => ({ family, rule, says: SAYS[family], words })

function quote({ text }: Tokens, start: number, end: number): string {
  const restOfWord = text.slice(end, end + 20).match(/^\p{L}+/u)?.[0] ?? ''
  return text.slice(start, Math.min(end, start + MAX_QUOTED_LENGTH)) + restOfWord
}

/** Tokens that are quoted of a wording. */
const QUOTED_TOKENS = 8

/** The words in a row that weigh most in a window. */
function heaviestWords(tokens: Tokens, { window: [from, to] }: WindowScore, sums: Float64Array): string {
  const length = Math.min(QUOTED_TOKENS, to - from)
  let best = from
  for (let at = from; at + length <= to; at++) {
    if ((sums[at + length] ?? 0) - (sums[at] ?? 0) > (sums[best + length] ?? 0) - (sums[best] ?? 0)) best = at
  }
  const { values } = tokens
  if (length === 0) return ''
  return quote(tokens, values[best * VALUES_PER_TOKEN + START] ?? 0, values[(best + length - 1) * VALUES_PER_TOKEN + END] ?? 0)
}
