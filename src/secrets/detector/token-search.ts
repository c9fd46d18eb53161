import { readWordLists } from '../../text/word-lists.ts'
import { isWholeKey } from '../key.ts'
import type { Span } from '../spans.ts'
import { isPlaceholder } from './references.ts'
import tokens from './tokens.txt' with { type: 'text' }
import { isRandom } from './values.ts'

const ROWS = readWordLists(tokens).map(([kind, form]): [kind: string, prefixes: string, rest: string] => {
  const at = form.indexOf(' ')
  return [kind, form.slice(0, at), form.slice(at + 1)]
})
/** Tokens with beginnings, with bars between, and a regular expression for the rest. */
export const TOKENS = ROWS.filter(([, prefixes]) => prefixes !== '*')
/** Tokens whose beginning says nothing, with a regular expression. */
export const UNPREFIXED_TOKENS = ROWS.filter(([, prefixes]) => prefixes === '*')

/** What stands behind a whole token in the same run of characters is masked with it. */
const REST = /[\w=~-]{0,16384}/y
/** The part of a token in one of several lines. */
const PIECE = /[\w+/=.~-]{1,512}/y
/**
 * What joins two literals, or the end of a line within a token, with a backslash or quotes around it, and what the next
 * line begins with.
 */
const BREAK =
  /["'`][ \t]{0,4}[+.,& ][ \t]{0,4}["'`]|["'`]?[ \t]{0,4}[\\+.]?[ \t]{0,4}\r?\n[ \t]{0,64}(?:[>|#*+][ \t]{1,8})?["'`]?/y
/** A shorter line within a token is its last one. */
const MIN_LINE_LENGTH = 16
const MAX_LINES = 24

/** Whether the characters of a token look drawn. Capitals alone are no words that somebody writes. */
const isDrawn = (body: string) => (isRandom(body) || /^[A-Z0-9]{16,}$/.test(body)) && !isPlaceholder(body)

/** The part of a text that matches a sticky pattern at a place; empty if none does. */
function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

const WORD_BEFORE = { underscored: /[A-Za-z0-9]/, other: /[\w-]/ }
/**
 * Whether a prefix is only a part of a word. One that ends with `_`, as few words do, is none behind a dash or another
 * `_`: `ci-ghp_…`.
 */
const isWithinWord = (prefix: string, before: string) =>
  /^\w/.test(prefix) && WORD_BEFORE[prefix.endsWith('_') ? 'underscored' : 'other'].test(before)
/** All patterns around tokens, for the version of the rules. */
export const TOKEN_PATTERNS = [...Object.values(WORD_BEFORE), REST, PIECE, BREAK]

/** Finds a token by its prefix, also where ends of lines split it. */
export function findToken(kind: string, rest: string) {
  const pattern = new RegExp(rest, 'y')
  const readBody = (text: string, prefix: string, at: number) => {
    const matched = matchAt(pattern, text, at)
    const body = matched.endsWith('.') ? matched.replace(/(?<!\.)\.+$/, '') : matched
    return body !== '' && (isDrawn(body) || isWholeKey(prefix + body)) ? body : ''
  }
  return (text: string, start: number, end: number, prefix: string): Span | undefined => {
    if (!text.startsWith(prefix, start) || isWithinWord(prefix, text[start - 1] ?? '')) return undefined
    const bodyEnd = end + readBody(text, prefix, end).length
    if (bodyEnd > end) return { kind, start, end: toLastLine(text, bodyEnd + matchAt(REST, text, bodyEnd).length) }
    for (const { token, end: lineEnd } of joinLines(text, start))
      if (readBody(token, prefix, prefix.length) !== '') return { kind, start, end: toLastLine(text, lineEnd) }
    return undefined
  }
}

/**
 * Characters of a token that is put together from several lines: more than any that was split has, and few enough that
 * every place of a text may begin one.
 */
const MAX_JOINED_CHARACTERS = 1_024

/** What stands at a place and goes on in the next line, with as many lines as there may be. */
function* joinLines(text: string, start: number): Generator<{ token: string; end: number }, void> {
  let token = matchAt(PIECE, text, start)
  let end = start + token.length
  for (let lines = 1; lines < MAX_LINES && token.length < MAX_JOINED_CHARACTERS; lines++) {
    const gap = matchAt(BREAK, text, end)
    const piece = gap === '' ? '' : matchAt(PIECE, text, end + gap.length)
    if (piece === '') return
    token += piece
    end += gap.length + piece.length
    yield { token, end }
    if (piece.length < MIN_LINE_LENGTH) return
  }
}

/** Where a token ends whose next lines consist of more of it alone, as where base64 is wrapped. */
function toLastLine(text: string, end: number): number {
  for (let last = end; ; ) {
    const from = last + matchAt(BREAK, text, last).length
    const piece = from === last ? '' : matchAt(PIECE, text, from)
    if (!isRandom(piece) || /[^\s"'`]/.test(text[from + piece.length] ?? '')) return last
    last = from + piece.length
  }
}

/** The shortest token without a prefix, and more than the longest. */
const [MIN_LENGTH, MAX_LENGTH] = [32, 8_192]
const UNPREFIXED = UNPREFIXED_TOKENS.map(([kind, , form]) => ({ kind, pattern: new RegExp(form, 'g') }))

/** The tokens without a prefix in a run of characters that begins at a place of the text. */
export function findUnprefixed(run: string, at: number): Span[] {
  if (run.length < MIN_LENGTH || run.length > MAX_LENGTH || !/\d/.test(run)) return []
  return UNPREFIXED.flatMap(({ kind, pattern }) =>
    [...run.matchAll(pattern)].flatMap(({ 0: token, index }) =>
      isDrawn(token) ? [{ kind, start: at + index, end: at + index + token.length }] : [],
    ),
  )
}
