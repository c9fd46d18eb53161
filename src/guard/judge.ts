import { pointsOfMatch, type WindowScore, worstWindow } from './classifier/classifier.ts'
import { sumWording } from './classifier/features.ts'
import { isLearnedLanguage, type Model } from './model.ts'
import { toPieces } from './pieces.ts'
import { type Evidence, findEvidence } from './rules/evidence.ts'
import { FAMILIES, type Family, RULES, SAYS } from './rules/rules.ts'
import { buildPhrases } from './scan/lists.ts'
import type { Findings, Phrases } from './scan/phrases.ts'
import { END, START, type Tokens, VALUES_PER_TOKEN } from './scan/tokens.ts'
import type { Reason, Verdict } from './verdict.ts'
import { findSources } from './views/sources.ts'
import { type Source, toView, type View } from './views/views.ts'

/**
 * Prose, or the name of something, such as a fact key: it is judged by rules alone, for a few words have no wording.
 */
export type TextKind = 'prose' | 'name'

/** Reasons of a verdict. */
const MAX_REASONS = 3
/** UTF-16 units of the words of a reason. */
const MAX_QUOTED_LENGTH = 160

/** Built at the first text, because most commands of the executable never inspect one. */
let phrases: Phrases | undefined

/** UTF-16 units of a text that are inspected. */
export const MAX_INSPECTED_LENGTH = 120_000
/** Texts found in a text that are read, too. */
const MAX_FOUND = 48

/**
 * Judges a text with a given model by its view with the most points, the first of several: the text as written, and
 * what is encoded, hidden and disguised in it, each piece by piece.
 */
export function* judge(text: string, model: Model, kind: TextKind = 'prose'): Generator<void, Verdict> {
  const sources: Source[] = [{ name: 'as written', raw: text.slice(0, MAX_INSPECTED_LENGTH), concealment: 0, depth: 0 }]
  let worst: Verdict | undefined
  for (const source of sources) {
    let top: Scored | undefined
    let reporting = false
    for (const raw of toPieces(source.raw)) {
      yield
      const view = toView({ ...source, raw })
      const scored = scoreView(view, model, kind)
      reporting ||= scored.evidence.reporting
      if (top === undefined || scored.points > top.points) top = scored
      const isKnown = isLearnedLanguage(view.tokens, 0, view.tokens.count, model)
      if (sources.length <= MAX_FOUND)
        sources.push(...findSources(view, isKnown).slice(0, MAX_FOUND + 1 - sources.length))
    }
    const verdict = toVerdict(top as Scored, reporting, model, kind)
    if (worst === undefined || verdict.points > worst.points) worst = verdict
  }
  return worst as Verdict
}

/** A view with what was found in it. `points` are those of its worst window, without what is subtracted in a report. */
type Scored = {
  view: View
  findings: Findings
  evidence: Evidence
  sums: Float64Array
  worst: WindowScore
  points: number
}

function scoreView(view: View, model: Model, kind: TextKind): Scored {
  phrases ??= buildPhrases()
  const { tokens, concealment } = view
  const findings = phrases.find(tokens)
  const evidence = findEvidence(tokens, findings)
  const sums = kind === 'name' ? new Float64Array(tokens.count + 1) : sumWording(tokens, findings, model)
  const worst = worstWindow(sums, evidence, model) ?? { window: [0, 0], wording: 0, rules: 0 }
  return { view, findings, evidence, sums, worst, points: model.bias + worst.rules + concealment + worst.wording }
}

function toVerdict(scored: Scored, reporting: boolean, model: Model, kind: TextKind): Verdict {
  const isSure = kind === 'prose' && scored.evidence.annulling && !reporting
  const points = Math.max(
    scored.points - (reporting ? model.reporting : 0),
    isSure ? SURE_POINTS : Number.NEGATIVE_INFINITY,
  )
  const verdict = isSure ? 'refused' : decide(scored, points, model, kind)
  const reasons = verdict === 'clean' ? [] : listReasons(scored, model)
  return {
    verdict,
    reasons,
    family: reasons[0]?.family,
    view: scored.view.source.name,
    points,
    score: 1 / (1 + Math.exp(-points)),
  }
}

/**
 * Log-odds, at least, of a text that orders its reader in plain words to lay earlier instructions aside: it needs no
 * other evidence.
 */
const SURE_POINTS = 1

/** Concepts of an instruction to the reader that have to stand in a window, at least, for its wording to count. */
const MIN_REFUSED_CONCEPTS = 2
const MIN_MARKED_CONCEPTS = 1

/**
 * Rules and concealment alone may refuse and mark any text. A name cannot be marked, and is refused for what would mark
 * a text: no wording adds to its rules. What was learned of wording counts only beside evidence, and refuses only in a
 * language whose harmless text was learned.
 */
function decide({ view, findings, worst }: Scored, points: number, model: Model, kind: TextKind): Verdict['verdict'] {
  const certain = points - worst.wording
  const { markedAbove } = model
  if (kind === 'name') return certain > markedAbove ? 'refused' : 'clean'
  if (certain > 0) return 'refused'
  if (points <= markedAbove) return 'clean'
  const evidence = countConcepts(findings, worst)
  if (points > 0 && evidence >= MIN_REFUSED_CONCEPTS && isLearnedLanguage(view.tokens, ...worst.window, model))
    return 'refused'
  return evidence >= MIN_MARKED_CONCEPTS || certain > markedAbove ? 'marked' : 'clean'
}

/** How many concepts of an instruction to the reader stand in a window. */
const countConcepts = ({ hits }: Findings, { window: [from, to] }: WindowScore) =>
  new Set(hits.filter(({ token }) => token >= from && token < to).map(({ concept }) => concept)).size

/**
 * What weighed most: families by the sum of their rules, each with its heaviest, and concealment; then the wording,
 * whose meaning is less plain.
 */
function listReasons({ view: { tokens, concealment }, evidence, worst, sums }: Scored, model: Model): Reason[] {
  const [from, to] = worst.window
  const matches = evidence.matches.filter(({ token }) => token >= from && token < to)
  const named = FAMILIES.filter((family) => family !== 'resemblance')
  const weighed: { points: number; reason: Reason }[] = named.flatMap((family) => {
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
  return quote(
    tokens,
    values[best * VALUES_PER_TOKEN + START] ?? 0,
    values[(best + length - 1) * VALUES_PER_TOKEN + END] ?? 0,
  )
}
