import { yieldIfDue } from '../../cooperative.ts'
import type { Span } from '../spans.ts'
import { ASSIGNMENT_PATTERNS, findNamed } from './assignments.ts'
import { decodeBase64, toStretches } from './base64.ts'
import { COMMANDS, CONTEXTS } from './contexts.ts'
import { createKeywordSearch } from './keywords.ts'
import { NAME_PATTERNS, PASSWORD_NAMES, SECRET_NAMES } from './names.ts'
import { CODE_NAMES, findCode } from './phrases.ts'
import { findToken, findUnprefixed } from './token-search.ts'
import { TOKENS, UNPREFIXED_TOKENS } from './tokens.ts'
import { VALUE_PATTERNS } from './values.ts'

/** A rule is tried wherever its keyword stands, in upper or lower case; the name of a program only as a word of its own. */
type Find = (text: string, start: number, end: number, keyword: string) => Span | Span[] | undefined

type Rule = { kind: string; keyword: string; isWord: boolean; find: Find }

const RULES: Rule[] = [
  ...TOKENS.flatMap(([kind, prefixes, rest]) => toRules(kind, prefixes, findToken(kind, rest))),
  ...CONTEXTS.flatMap(([kind, keywords, pattern, isSecret]) => toRules(kind, keywords, findInContext(kind, pattern, isSecret))),
  ...COMMANDS.flatMap(([programs, pattern, isSecret]) => toRules('password', programs, findInContext('password', pattern, isSecret), true)),
  ...toRules('password', PASSWORD_NAMES, findNamed('password')),
  ...toRules('secret', SECRET_NAMES, findNamed('secret')),
  ...toRules('password', CODE_NAMES, findCode),
]
/** All that the rules consist of, to tell when they have changed. */
export const RULES_TEXT = JSON.stringify(
  [TOKENS, UNPREFIXED_TOKENS, CONTEXTS, COMMANDS, PASSWORD_NAMES, SECRET_NAMES, NAME_PATTERNS, ASSIGNMENT_PATTERNS, VALUE_PATTERNS],
  (_, value) => (value instanceof RegExp ? value.source : value),
)
const searchKeywords = createKeywordSearch(RULES.map(({ keyword }) => keyword))

function toRules(kind: string, keywords: string, find: Find, isWord = false): Rule[] {
  return keywords.split('|').map((keyword) => ({ kind, keyword, isWord, find }))
}

function findInContext(kind: string, pattern: RegExp, isSecret: (secret: string) => boolean): Find {
  return (text, _start, end) => {
    pattern.lastIndex = end
    const groups = pattern.exec(text)?.indices?.groups
    const [from, to] = groups?.quoted ?? groups?.secret ?? [0, 0]
    return to > from && isSecret(text.slice(from, to)) ? { kind, start: from, end: to } : undefined
  }
}

const isWithin = (text: string, start: number, end: number) => /[\w-]/.test(text[start - 1] ?? '') || text[end] !== ' '

/** Keywords that are tried at a time. */
const BATCH_HITS = 8

/** What tokens without a prefix and base64 consist of. A longer run is data. */
const RUN = /(?<![\w+/=.:~-])[\w+/=.:~-]{20,65536}/g

/** UTF-16 units that are searched for keywords at a time. */
const SLICE_LENGTH = 65_536
/** Longest stretch of searching before others may have a turn. */
const PIECE_MS = 0.5

/** The secrets in a text as it stands, and in its base64; they may overlap. Takes linear time, and yields to the event loop. */
export async function searchText(text: string, isDecoded = false): Promise<Span[]> {
  const found: Span[] = []
  let pieceEndsAt = performance.now() + PIECE_MS
  for (const piece of searchPieces(text, isDecoded)) {
    found.push(...piece)
    if (performance.now() < pieceEndsAt) continue
    await yieldIfDue()
    pieceEndsAt = performance.now() + PIECE_MS
  }
  return found
}

function* searchPieces(text: string, isDecoded: boolean): Generator<Span[], void> {
  let last: Span | undefined
  let tried = 0
  for (let from = 0; from < text.length; from += SLICE_LENGTH)
    for (const { keyword, start, end } of searchKeywords(text, from, Math.min(from + SLICE_LENGTH, text.length))) {
      const rule = RULES[keyword]
      // A name within a value that was found, or a prefix within a token, says nothing new.
      if (rule === undefined || (rule.kind === last?.kind && start < last.end) || (rule.isWord && isWithin(text, start, end))) continue
      const found = rule.find(text, start, end, rule.keyword)
      if (found === undefined && ++tried % BATCH_HITS > 0) continue
      const spans = [found ?? []].flat()
      last = spans.at(-1) ?? last
      yield spans
    }
  const runs: RegExpExecArray[] = []
  for (const run of text.matchAll(RUN)) {
    runs.push(run)
    yield findUnprefixed(run[0], run.index)
  }
  if (isDecoded) return
  for (const stretch of toStretches(text, runs)) {
    yield []
    const { start, end } = stretch
    for (const [first] of searchPieces(decodeBase64(stretch) ?? '', true))
      yield first === undefined ? [] : [{ kind: first.kind, start, end }]
  }
}
