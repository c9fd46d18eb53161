import type { Findings, Hit } from '../scan/phrases.ts'
import { ADDRESS, END, START, type Tokens, VALUES_PER_TOKEN } from '../scan/tokens.ts'
import { CONCEPTS } from './concepts.ts'
import { addDerivedHits, isAnnulling } from './derived-hits.ts'
import { RULES } from './rules.ts'

/**
 * A rule, by its position in RULES, that matched from `start` up to `end`, with the last of its tokens. `described`:
 * the words around it describe an attack instead of making one.
 */
export type Match = { rule: number; start: number; end: number; token: number; described: boolean }

/**
 * The matches in a text in the order of their last tokens, whether the text is a report about attacks, and whether it
 * orders its reader in plain words to lay earlier instructions aside.
 */
export type Evidence = { matches: Match[]; reporting: boolean; annulling: boolean }

const DESCRIBE = CONCEPTS.indexOf('describe')
const REPORT = CONCEPTS.indexOf('report')
const LINK = CONCEPTS.indexOf('link')

/**
 * In UTF-16 units: a description counts up to this far before a match, and half as far after it; a rule counts once in
 * so long a passage.
 */
const CONTEXT_LENGTH = 160
const PASSAGE_LENGTH = 400

const NEEDS = RULES.map((rule) => rule.needs.map((concept) => CONCEPTS.indexOf(concept)))
/** Three needs of each rule in a row; the last is repeated where there are fewer. */
const FLAT_NEEDS = Int8Array.from(NEEDS.flatMap(([a = 0, b = a, c = b]) => [a, b, c]))
/** Of a pair the sum of both needs, so that either follows from the other; 0 for every other rule. */
const PAIR_SUMS = Int16Array.from(NEEDS, ([a = 0, b = 0, c]) => (c === undefined && b > 0 ? a + b : 0))
const SPANS = Int16Array.from(RULES, (rule) => rule.span)
const RULES_BY_CONCEPT = CONCEPTS.map((_, concept) =>
  Int16Array.from(NEEDS.flatMap((needs, rule) => (needs.includes(concept) ? [rule] : []))),
)
const NEVER = -100_000_000

/** The evidence in a text, whose tokens and phrases are given. */
export function findEvidence(tokens: Tokens, { hits: phrases }: Findings): Evidence {
  const links = listLinks(tokens)
  const hits = addDerivedHits(merge(withoutLinked(phrases, links), findForgedTurns(tokens), links), tokens.text)
  const descriptions = hits.filter(({ concept }) => concept === DESCRIBE)
  const latest: Latest = {
    starts: new Int32Array(CONCEPTS.length).fill(NEVER),
    ends: new Int32Array(CONCEPTS.length).fill(NEVER),
  }
  const matches: Match[] = []
  const lastOf = new Map<number, Match>()
  for (const hit of hits) {
    latest.starts[hit.concept] = hit.start
    latest.ends[hit.concept] = hit.end
    matchRulesOf(hit, latest, descriptions, matches, lastOf)
  }
  return {
    matches,
    reporting: hits.some(({ concept }) => concept === REPORT),
    annulling: hits.some((hit) => isAnnulling(hit, tokens.text)),
  }
}

/** The latest hit of each concept. */
type Latest = { starts: Int32Array; ends: Int32Array }

/** Adds the rules that the hit completes. */
function matchRulesOf(
  hit: Hit,
  { starts, ends }: Latest,
  descriptions: Hit[],
  matches: Match[],
  lastOf: Map<number, Match>,
): void {
  const rules = RULES_BY_CONCEPT[hit.concept]
  if (rules === undefined) return
  for (let at = 0; at < rules.length; at++) {
    const rule = rules[at] ?? 0
    const a = starts[FLAT_NEEDS[3 * rule] ?? 0] ?? 0
    const b = starts[FLAT_NEEDS[3 * rule + 1] ?? 0] ?? 0
    const c = starts[FLAT_NEEDS[3 * rule + 2] ?? 0] ?? 0
    const start = Math.min(a, b, c)
    if (hit.start - start > (SPANS[rule] ?? 0)) continue
    // The same words cannot be both members of a pair.
    const sum = PAIR_SUMS[rule] ?? 0
    if (sum > 0 && (ends[sum - hit.concept] ?? 0) > hit.start) continue
    const last = lastOf.get(rule)
    const isNear = last !== undefined && start - last.start < PASSAGE_LENGTH
    if (isNear && !last.described) continue
    const described = hasHitBetween(descriptions, start - CONTEXT_LENGTH, hit.end + CONTEXT_LENGTH / 2)
    if (isNear && described) continue
    const match = { rule, start, end: hit.end, token: hit.token, described }
    lastOf.set(rule, match)
    matches.push(match)
  }
}

function listLinks({ kinds, values }: Tokens): Hit[] {
  const links: Hit[] = []
  for (let token = kinds.indexOf(ADDRESS); token >= 0; token = kinds.indexOf(ADDRESS, token + 1)) {
    links.push({
      concept: LINK,
      start: values[token * VALUES_PER_TOKEN + START] ?? 0,
      end: values[token * VALUES_PER_TOKEN + END] ?? 0,
      token,
    })
  }
  return links
}

/** Whether one of the ordered hits ends at `from` or later and starts at `to` or earlier. */
function hasHitBetween(hits: Hit[], from: number, to: number): boolean {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hits[middle]?.end ?? 0) < from) low = middle + 1
    else high = middle
  }
  return (hits[low]?.start ?? Number.POSITIVE_INFINITY) <= to
}

/** The hits of phrases without descriptions and words of reports that are part of a link. */
function withoutLinked(phrases: Hit[], links: Hit[]): Hit[] {
  return links.length === 0
    ? phrases
    : phrases.filter(
        (hit) => (hit.concept !== DESCRIBE && hit.concept !== REPORT) || !hasHitBetween(links, hit.end, hit.start),
      )
}

/** All hits in the order of their starts, in which the first list is. */
const merge = (phrases: Hit[], forged: Hit[], links: Hit[]) =>
  forged.length + links.length === 0 ? phrases : [...phrases, ...forged, ...links].sort((a, b) => a.start - b.start)

const MARKER = CONCEPTS.indexOf('marker')

/**
 * Templates of chat formats, headings, labels and tags by which a text imitates a turn of a conversation or a delimiter
 * of a prompt.
 */
const FORGED_TURNS = [
  /<\|[a-z_]{2,20}\|>/,
  /\[\/?(?:inst|system|sys|assistant|system message|end system message|system note[^\]]{0,20}|system prompt|admin|override|prompt|info|urgent|important|new instructions?)\]/,
  /<<\/?sys>>/,
  /<\/?(?:system|assistant|user|human|instructions?|important|secret|admin|system_prompt|prompt|developer[-_]message|function_results|information|hidden|tool_response|reminder|system[-_](?:reminder|note|warning|notice|message)|im_start|im_end)>/,
  /(?<!#)#{2,}\s?(?:system|assistant|user|human|instruction|instructions|new instructions?|response|begin[a-z ]{0,20}|end[a-z ]{0,20})\b\s?[:#]/,
  /(?:^|\n)\s{0,8}(?:system|assistant|human|system message|system note|admin|developer) ?:(?= ?[a-z"'\n])/,
  /\{\s{0,4}"role"\s{0,4}:\s{0,4}"(?:system|assistant|developer)"/,
  /\((?:assistant|ai|agent|system|model)[,:] /,
  /<\/?(?:context|document|data|search_results|tool_result|result|user_input|user_query|query)>/,
  /(?<!-)-{3,} ?(?:system|end|begin|new)[a-z ]{0,20}-{3}/,
  /(?<!=)={3,} ?(?:system|end|begin|new)[a-z ]{0,20}={3}/,
]
/**
 * Words that delimit a prompt: most texts have none of what they end with, and the pattern takes as long as all others.
 */
const DELIMITER =
  /(?:begin|end|start)(?: of)?(?: the)?(?: new| real| secret| system| user| admin| hidden| old| out of date| previous){0,3} (?:instructions?|prompt|system prompt|user data|directives?)/
const DELIMITED = ['instruction', 'prompt', 'user data', 'directive']

const toPattern = (turns: RegExp[]) => new RegExp(turns.map(({ source }) => source).join('|'), 'g')
const FORGED_TURN = toPattern(FORGED_TURNS)
const FORGED_TURN_OR_DELIMITER = toPattern([...FORGED_TURNS, DELIMITER])

/** The forged turns in a lower-case text, in order. Needs the line breaks of the text. */
function findForgedTurns({ text, values, count }: Tokens): Hit[] {
  const hits: Hit[] = []
  let token = 0
  const pattern = DELIMITED.some((words) => text.includes(words)) ? FORGED_TURN_OR_DELIMITER : FORGED_TURN
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length
    while (token + 1 < count && (values[(token + 1) * VALUES_PER_TOKEN + START] ?? 0) < end) token++
    hits.push({ concept: MARKER, start: match.index, end, token })
  }
  return hits
}
