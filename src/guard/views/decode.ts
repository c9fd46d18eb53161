import type { Steps } from '../../cooperative.ts'
import { isAscii } from '../canonical.ts'
import { mapInSteps, matchInSteps, PIECE_LENGTH, replaceInSteps } from '../pieces.ts'

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

/** Text out of bytes, or undefined where they are not mostly printable UTF-8. */
export function toPrintable(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes)
  const odd = text.match(/(?![\t\n\r])[\p{Cc}\ufffd]/gu)?.length ?? 0
  return text.length > 5 && odd * 50 <= text.length ? text : undefined
}

/** Prose that stood in base64 runs of 16 characters or more; empty where there was none. */
export function* readBase64(text: string): Steps<string> {
  return yield* readRuns(text, /[A-Za-z0-9+/_-]{16,}={0,2}/g, (run) => Buffer.from(run, 'base64'))
}

/** Prose that stood in hexadecimal, in one run or in pairs set apart; empty where there was none. */
export function* readHex(text: string): Steps<string> {
  return yield* readRuns(text, /(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){10,}/g, (run) => Buffer.from(run.replace(/0x|\\x|[ ,:]/g, ''), 'hex'))
}

/** Prose that stood in groups of eight bits; empty where there was none. */
export function* readBinary(text: string): Steps<string> {
  return yield* readRuns(text, /(?:[01]{8} ?){6,}/g, (run) =>
    Uint8Array.from(run.replace(/ /g, '').match(/[01]{8}/g) ?? [], (bits) => Number.parseInt(bits, 2)),
  )
}

function* readRuns(text: string, runs: RegExp, decode: (run: string) => Uint8Array): Steps<string> {
  const found: string[] = []
  for (const match of matchInSteps(text, runs)) {
    if (match === undefined) yield
    const run = match?.[0] ?? ''
    if (run === '') continue
    const bytes = decode(run)
    if (bytes.length > PIECE_LENGTH) yield
    const plain = toPrintable(bytes)
    if (plain !== undefined && (looksLikeProse(plain) || /^[A-Za-z0-9+/]{24,}={0,2}$/.test(plain))) found.push(plain)
    if (found.length > 40) break
  }
  return found.join('\n')
}

const looksLikeProse = (text: string) =>
  !isAscii(text) ? /\p{L}{2}/u.test(text) && !/[\u0080-\u009f]/.test(text) : /[a-zA-Z]{3}/.test(text) && /[\s.,:!?]/.test(text.trim())

/** The text with %XX, \uXXXX, \xXX and numeric or common named entities resolved, and how many of them stood for a plain letter. */
export function* readEscapes(text: string): Steps<{ text: string; letters: number }> {
  let letters = 0
  const put = (code: number, raw: string) => {
    if (!(code > 0 && code < 0x110000) || (code >= 0xd800 && code < 0xe000)) return raw
    if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) letters++
    return String.fromCodePoint(code)
  }
  const unquoted = yield* replaceInSteps(text, /(?:%[0-9a-fA-F]{2})+/g, (run) => {
    letters += run.match(/%[4-7][0-9a-fA-F]/g)?.length ?? 0
    return Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')
  })
  const unescaped = yield* replaceInSteps(unquoted, /\\u\{?([0-9a-fA-F]{4,5})\}?|\\x([0-9a-fA-F]{2})/g, (raw, wide, narrow) =>
    put(Number.parseInt(wide ?? narrow ?? '', 16), raw),
  )
  const numeric = yield* replaceInSteps(unescaped, /&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));?/g, (raw, hex, dec) =>
    put(hex ? Number.parseInt(hex, 16) : Number(dec), raw),
  )
  const resolved = yield* replaceInSteps(numeric, /&(lt|gt|amp|quot|apos|nbsp);/g, (raw, name = '') => named[name] ?? raw)
  return { text: resolved, letters }
}

/** Each Latin letter thirteen places on. */
export function rot13(text: string): Steps<string> {
  return mapInSteps(text, (piece) => piece.replace(/[a-zA-Z]/g, turn))
}

function turn(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13))
}

/** The characters of a text from its end. */
export function* reverse(text: string): Steps<string> {
  let reversed = ''
  for (let end = text.length; end > 0; ) {
    // A pair of surrogates is not parted.
    const start = isSecondHalf(text, end - PIECE_LENGTH) ? end - PIECE_LENGTH - 1 : Math.max(0, end - PIECE_LENGTH)
    reversed += Array.from(text.slice(start, end)).reverse().join('')
    end = start
    if (end > 0) yield
  }
  return reversed
}

const isSecondHalf = (text: string, at: number) => at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff
