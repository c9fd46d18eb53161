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
  const verdict = decide({ certain, points, kind, mayLearn: () => mayRefuse(tokens, findings, worst, model) }, model)
  const matches = evidence.matches.filter(({ token }) => token >= worst.window[0] && token < worst.window[1])
  const reasons = verdict === 'clean' ? [] : listReasons(view, worst, matches, sums, model)
  return { verdict, reasons, family: reasons[0]?.family, view: view.name, points, score: 1 / (1 + Math.exp(-points)) }
}

type Sum = { certain: number; points: number; kind: TextKind; mayLearn: () => boolean }

/** Rules alone may refuse any text. With what was learned of wording they may only where `mayLearn` says so; elsewhere it marks. */
function decide({ certain, points, kind, mayLearn }: Sum, { markedAbove }: Model): Verdict['verdict'] {
  if (certain > 0) return 'refused'
  if (kind === 'name') return 'clean'
  if (points > 0 && mayLearn()) return 'refused'
  return points > markedAbove ? 'marked' : 'clean'
}

/** Concepts of an instruction to the reader that have to stand in a window, at least. */
const MIN_EVIDENCE = 2

/** Whether what was learned may refuse a window: it holds evidence of an instruction to the reader, in a language of which harmless text was learned. */
function mayRefuse(tokens: Tokens, { hits }: Findings, { window: [from, to] }: WindowScore, model: Model): boolean {
  const concepts = new Set(hits.filter(({ token }) => token >= from && token < to).map(({ concept }) => concept))
  return concepts.size >= MIN_EVIDENCE && isLearnedLanguage(tokens, from, to, model)
}

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
