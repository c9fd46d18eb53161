import { isUtf8 } from 'node:buffer'
import { isAscii } from '../../text/ascii.ts'

const CHARACTER_BY_ENTITY: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

const MIN_DECODED_LENGTH = 6
/** Share of control characters and invalid bytes in decoded text. */
const MAX_UNPRINTABLE_SHARE = 0.02
/** Runs that are decoded of one text. */
const MAX_DECODED_RUNS = 41
/** Base64 again, which a further view decodes. */
const NESTED_BASE64 = /^[A-Za-z0-9+/]{24,}={0,2}$/

/** The prose in runs of base64 of 16 characters or more, a line for each; empty if there is none. */
export function readBase64(text: string): string {
  return decodeRuns(findRuns(text, BASE64, 16), (run) => Buffer.from(run, 'base64'))
}

/** By UTF-16 unit a bit for each of the alphabets below that it belongs to. */
const alphabets = new Uint8Array(0x10000)
const BASE64 = addAlphabet(1, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')
const HEX = addAlphabet(2, '0123456789ABCDEFabcdef ,:x\\')
const BINARY = addAlphabet(4, '01 ')
const DECIMAL = addAlphabet(8, '0123456789 ,;')
const OCTAL = addAlphabet(16, '01234567\\')

function addAlphabet(bit: number, signs: string): number {
  for (const sign of signs) alphabets[sign.charCodeAt(0)] = (alphabets[sign.charCodeAt(0)] ?? 0) | bit
  return bit
}

/**
 * The longest runs of an alphabet, of `minLength` characters or more. Of most stretches of that length one character
 * near their end is not of the alphabet, and what is before it is not looked at (as Boyer and Moore search): a pattern
 * takes ten times as long.
 */
function findRuns(text: string, alphabet: number, minLength: number): string[] {
  const runs: string[] = []
  for (let start = 0; start + minLength <= text.length; ) {
    let end = start + minLength
    let at = end - 1
    while (at >= start && isOf(alphabet, text.charCodeAt(at))) at--
    if (at >= start) {
      start = at + 1
      continue
    }
    while (end < text.length && isOf(alphabet, text.charCodeAt(end))) end++
    runs.push(text.slice(start, end))
    start = end + 1
  }
  return runs
}

const isOf = (alphabet: number, code: number) => ((alphabets[code] ?? 0) & alphabet) !== 0

/** The matches of a global pattern. Each must have at least `minLength` characters, all of the alphabet. */
const findCodes = (text: string, alphabet: number, minLength: number, pattern: RegExp) =>
  findRuns(text, alphabet, minLength).flatMap((run) => run.match(pattern) ?? [])

/** The prose in runs of ten hexadecimal pairs or more, with or without separators; empty if there is none. */
export function readHex(text: string): string {
  const runs = findCodes(text, HEX, 20, /[0-9a-fA-F]{2}(?:[ ,:]?(?:0x|\\x)?[0-9a-fA-F]{2}){9,3999}/g)
  return decodeRuns(runs, (run) => Buffer.from(run.replace(/0x|\\x|[ ,:]/g, ''), 'hex'))
}

/** The prose in runs of six groups of eight bits or more; empty if there is none. */
export function readBinary(text: string): string {
  return decodeRuns(findCodes(text, BINARY, 48, /[01]{8}(?: ?[01]{8}){5,}/g), (run) =>
    Uint8Array.from(run.replace(/ /g, '').match(/[01]{8}/g) ?? [], (bits) => Number.parseInt(bits, 2)),
  )
}

/** The prose in runs of base32 of 24 characters or more; empty if there is none. */
export function readBase32(text: string): string {
  return decodeRuns(text.match(/(?<![A-Z0-9])[A-Z2-7]{24,}={0,6}(?![A-Za-z0-9])/g), decodeBase32)
}

/**
 * The prose in runs of nine codes of ASCII or more, written as decimal numbers or as octal escapes; empty if there is
 * none.
 */
export function readNumbers(text: string): string {
  const decimals = findCodes(text, DECIMAL, 26, /(?<!\d)\d{2,3}[ ,;]{1,2}(?:\d{2,3}[ ,;]{1,2}){7,}\d{2,3}(?!\d)/g)
  const decimal = decodeRuns(decimals, (run) => Uint8Array.from(run.match(/\d+/g) ?? [], (digits) => Number(digits)))
  const octal = decodeRuns(findCodes(text, OCTAL, 27, /\\[0-3]?[0-7]{2}(?:\\[0-3]?[0-7]{2}){8,}/g), (run) =>
    Uint8Array.from(run.match(/[0-7]+/g) ?? [], (digits) => Number.parseInt(digits, 8)),
  )
  return [decimal, octal].filter((plain) => plain !== '').join('\n')
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Five bits of each character, eight bits a byte; what is left over at the end is padding. */
function decodeBase32(run: string): Uint8Array {
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const character of run.replace(/(?<!=)=+$/, '')) {
    bits = ((bits << 5) | BASE32.indexOf(character)) & 0xfff
    count += 5
    if (count < 8) continue
    count -= 8
    bytes.push((bits >> count) & 0xff)
  }
  return Uint8Array.from(bytes)
}

function decodeRuns(runs: string[] | null, decode: (run: string) => Uint8Array): string {
  const found: string[] = []
  for (const run of runs ?? []) {
    const plain = toPrintable(decode(run))
    if (plain !== undefined && (looksLikeProse(plain) || NESTED_BASE64.test(plain))) found.push(plain)
    if (found.length >= MAX_DECODED_RUNS) break
  }
  return found.join('\n')
}

const decoder = new TextDecoder()

/** The bytes as text; undefined if they are not mostly printable UTF-8. */
function toPrintable(bytes: Uint8Array): string | undefined {
  // Most runs are names and digests. Their bytes are looked at first, which is faster than to make a text of them.
  let controls = 0
  for (let at = 0; at < bytes.length; at++) if (isControl(bytes[at] ?? 0)) controls++
  if (controls > bytes.length * MAX_UNPRINTABLE_SHARE) return undefined
  if (bytes.length * MAX_UNPRINTABLE_SHARE < 1 && !isUtf8(bytes)) return undefined
  const text = decoder.decode(bytes)
  const unprintable = text.match(/(?![\t\n\r])[\p{Cc}\ufffd]/gu)?.length ?? 0
  return text.length >= MIN_DECODED_LENGTH && unprintable <= text.length * MAX_UNPRINTABLE_SHARE ? text : undefined
}

const isControl = (byte: number) => (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127

function looksLikeProse(text: string): boolean {
  if (isAscii(text)) return /[a-zA-Z]{3}/.test(text) && /[\s.,:!?]/.test(text.trim())
  return /\p{L}{2}/u.test(text) && !/[\u0080-\u009f]/.test(text)
}

/**
 * The text with %XX, six or more =XX, \uXXXX, \xXX, numeric and common named entities decoded, and how many of them
 * stood for a letter a to z.
 */
export function readEscapes(text: string): { text: string; letters: number } {
  let letters = 0
  const decode = (code: number, raw: string) => {
    if (!(code > 0 && code < 0x110000) || (code >= 0xd800 && code < 0xe000)) return raw
    if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) letters++
    return String.fromCodePoint(code)
  }
  const unquoted = text.replace(/(?:%[0-9a-fA-F]{2})+|(?:=[0-9A-F]{2}){6,}/g, (run) => {
    letters += run.match(/[%=][4-7][0-9a-fA-F]/g)?.length ?? 0
    return Buffer.from(run.replace(/[%=]/g, ''), 'hex').toString('utf8')
  })
  const unescaped = unquoted.replace(/\\u\{?([0-9a-fA-F]{4,5})\}?|\\x([0-9a-fA-F]{2})/g, (raw, wide, narrow) =>
    decode(Number.parseInt(wide ?? narrow ?? '', 16), raw),
  )
  const numeric = unescaped.replace(/&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));?/g, (raw, hex, dec) =>
    decode(hex ? Number.parseInt(hex, 16) : Number(dec), raw),
  )
  const resolved = numeric.replace(
    /&(lt|gt|amp|quot|apos|nbsp);/g,
    (raw, name = '') => CHARACTER_BY_ENTITY[name] ?? raw,
  )
  return { text: resolved, letters }
}

/** The characters of a text in reverse order. */
export const reverse = (text: string) => Array.from(text).reverse().join('')
