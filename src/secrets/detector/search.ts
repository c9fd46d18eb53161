import { yieldIfDue } from '../../cooperative.ts'
import type { Span } from '../spans.ts'
import { ASSIGNMENT_PATTERNS, findNamed } from './assignments.ts'
import { COMMANDS, CONTEXTS } from './contexts.ts'
import { createKeywordSearch } from './keywords.ts'
import { NAME_PATTERNS, PASSWORD_NAMES, SECRET_NAMES } from './names.ts'
import { CODE_NAMES, findCode } from './phrases.ts'
import { VALUE_PATTERNS } from './references.ts'
import { findToken, findUnprefixed, TOKEN_PATTERNS, TOKENS, UNPREFIXED_TOKENS } from './token-search.ts'

/** Finds what a rule describes where its keyword stands, which is passed as the rule writes it. */
type Find = (text: string, start: number, end: number, keyword: string) => Span | Span[] | undefined

type Rule = { kind: string; keyword: string; find: Find }

const RULES: Rule[] = [
  ...TOKENS.flatMap(([kind, prefixes, rest]) => toRules(kind, prefixes, findToken(kind, rest))),
  ...CONTEXTS.flatMap(([kind, keywords, pattern, isSecret]) =>
    toRules(kind, keywords, findInContext(kind, pattern, isSecret)),
  ),
  ...COMMANDS.flatMap(([programs, pattern, isSecret]) =>
    toRules('password', programs, findInCommand(pattern, isSecret)),
  ),
  ...toRules('password', PASSWORD_NAMES, findNamed('password')),
  ...toRules('secret', SECRET_NAMES, findNamed('secret')),
  ...toRules('password', CODE_NAMES, findCode),
]
/** All that the rules consist of, to tell when they have changed. */
export const RULES_TEXT = JSON.stringify(
  [
    ...[TOKENS, UNPREFIXED_TOKENS, CONTEXTS, COMMANDS, PASSWORD_NAMES, SECRET_NAMES],
    ...[NAME_PATTERNS, ASSIGNMENT_PATTERNS, VALUE_PATTERNS, TOKEN_PATTERNS],
  ],
  (_, value) => (value instanceof RegExp ? value.source : value),
)
const searchKeywords = createKeywordSearch(RULES.map(({ keyword }) => keyword))

function toRules(kind: string, keywords: string, find: Find): Rule[] {
  return keywords.split('|').map((keyword) => ({ kind, keyword, find }))
}

function findInContext(kind: string, pattern: RegExp, isSecret: (secret: string) => boolean): Find {
  return (text, _start, end) => {
    pattern.lastIndex = end
    const groups = pattern.exec(text)?.indices?.groups
    const [from, to] = groups?.quoted ?? groups?.secret ?? [0, 0]
    return to > from && isSecret(text.slice(from, to)) ? { kind, start: from, end: to } : undefined
  }
}

/** The same behind the name of a program, which is a word of its own. */
function findInCommand(pattern: RegExp, isSecret: (secret: string) => boolean): Find {
  const find = findInContext('password', pattern, isSecret)
  return (text, start, end, keyword) =>
    text[end] !== ' ' || /[\w-]/.test(text[start - 1] ?? '') ? undefined : find(text, start, end, keyword)
}

/** What tokens without a prefix and base64 consist of. A longer run is data. */
const RUN = /(?<![\w+/=.:~-])[\w+/=.:~-]{20,65536}/g

/**
 * The secrets in a text as it stands, and in its base64; they may overlap. Takes linear time, and yields to the event
 * loop.
 */
export async function searchText(text: string, isDecoded = false): Promise<Span[]> {
  const found = await findByKeywords(text)
  const runs: RegExpExecArray[] = []
  for (const run of text.matchAll(RUN)) {
    runs.push(run)
    found.push(...findUnprefixed(run[0], run.index))
    await yieldIfDue()
  }
  if (!isDecoded && runs.length > 0) found.push(...(await findInBase64(text, runs)))
  return found
}

/**
 * UTF-16 units that are searched for keywords at a time, and keywords that are tried at a time: each some tenths of a
 * millisecond.
 */
const SLICE_LENGTH = 16_384
const BATCH_HITS = 8

/** A rule is tried wherever its keyword stands, in upper or lower case. */
async function findByKeywords(text: string): Promise<Span[]> {
  const found: Span[] = []
  let tried = 0
  for (let from = 0; from < text.length; from += SLICE_LENGTH)
    for (const { keyword, start, end } of searchKeywords(text, from, Math.min(from + SLICE_LENGTH, text.length))) {
      const rule = RULES[keyword]
      const last = found.at(-1)
      // A name within a value that was found, or a prefix within a token, says nothing new.
      if (rule === undefined || (rule.kind === last?.kind && start >= last.start && start < last.end)) continue
      const secrets = rule.find(text, start, end, rule.keyword)
      if (secrets !== undefined) found.push(...[secrets].flat())
      if (++tried % BATCH_HITS === 0) await yieldIfDue()
    }
  return found
}

async function findInBase64(text: string, runs: RegExpExecArray[]): Promise<Span[]> {
  const found: Span[] = []
  for (const stretch of toStretches(text, runs)) {
    const decoded = decodeBase64(stretch)
    if (decoded !== undefined)
      found.push(
        ...(await searchText(decoded, true)).map(({ kind }) => ({ kind, start: stretch.start, end: stretch.end })),
      )
    await yieldIfDue()
  }
  return found
}

/**
 * A stretch of base64, or of hexadecimal digits: where it stands, and its characters without the ends of lines between
 * them.
 */
type Stretch = { start: number; end: number; encoded: string }

const BASE64 = /[A-Za-z0-9+/_-]{20,65536}={0,2}/g
const TEXT = /^[\t\n\r\x20-\x7e]{12,}$/
/** Lengths of the lines that programs wrap base64 in. */
const [MIN_LINE_LENGTH, MAX_LINE_LENGTH] = [56, 80]

/** The decoded text of a stretch; undefined if it is not ASCII text. */
function decodeBase64({ encoded }: Stretch): string | undefined {
  // Most of it is a hash or a part of a path.
  if (!TEXT.test(decode(encoded.slice(0, 24)))) return undefined
  const decoded = decode(encoded)
  return TEXT.test(decoded) ? decoded : undefined
}

const HEX = /^(?:[0-9a-f]{2})+$/i
const decode = (encoded: string) => Buffer.from(encoded, HEX.test(encoded) ? 'hex' : 'base64').toString('latin1')

/** The stretches of base64 among runs of characters, in order. Base64 in lines is one stretch. */
function* toStretches(text: string, runs: Iterable<{ 0: string; index: number }>): Generator<Stretch, void> {
  let last: Stretch | undefined
  let lineLength = 0
  for (const { 0: run, index } of runs)
    for (const { 0: encoded, index: within } of run.matchAll(BASE64)) {
      const start = index + within
      const isWrapped = lineLength >= MIN_LINE_LENGTH && lineLength <= MAX_LINE_LENGTH
      if (last && isWrapped && /^\r?\n[ \t]{0,16}$/.test(text.slice(last.end, start).slice(0, 20))) {
        last.encoded += encoded
        last.end = start + encoded.length
      } else {
        if (last) yield last
        last = { start, end: start + encoded.length, encoded }
      }
      lineLength = encoded.length
    }
  if (last) yield last
}
