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
  return decodeRuns(findBase64Runs(text), (run) => Buffer.from(run, 'base64'))
}

const MIN_BASE64_LENGTH = 16
/** By UTF-16 unit whether it is one of `A-Za-z0-9+/_-`. */
const isBase64 = new Uint8Array(0x10000)
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')
  isBase64[sign.charCodeAt(0)] = 1

/**
 * The longest runs of base64, of 16 characters or more. Of most stretches of 16 one character near their end is not of
 * base64, and what is before it is not looked at (as Boyer and Moore search): a pattern takes ten times as long.
 */
function findBase64Runs(text: string): string[] {
  const runs: string[] = []
  for (let start = 0; start + MIN_BASE64_LENGTH <= text.length; ) {
    let end = start + MIN_BASE64_LENGTH
    let at = end - 1
    while (at >= start && isBase64[text.charCodeAt(at)] === 1) at--
    if (at >= start) {
      start = at + 1
      continue
    }
    while (end < text.length && isBase64[text.charCodeAt(end)] === 1) end++
    runs.push(text.slice(start, end))
    start = end + 1
  }
  return runs
}

/** The prose in runs of ten hexadecimal pairs or more, with or without separators; empty if there is none. */
export function readHex(text: string): string {
  return decodeRuns(text.match(/[0-9a-fA-F]{2}(?:[ ,:]?(?:0x|\\x)?[0-9a-fA-F]{2}){9,3999}/g), (run) =>
    Buffer.from(run.replace(/0x|\\x|[ ,:]/g, ''), 'hex'),
  )
}

/** The prose in runs of six groups of eight bits or more; empty if there is none. */
export function readBinary(text: string): string {
  return decodeRuns(text.match(/[01]{8}(?: ?[01]{8}){5,}/g), (run) =>
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
  const decimal = decodeRuns(text.match(/(?<!\d)\d{2,3}[ ,;]{1,2}(?:\d{2,3}[ ,;]{1,2}){7,}\d{2,3}(?!\d)/g), (run) =>
    Uint8Array.from(run.match(/\d+/g) ?? [], (digits) => Number(digits)),
  )
  const octal = decodeRuns(text.match(/\\[0-3]?[0-7]{2}(?:\\[0-3]?[0-7]{2}){8,}/g), (run) =>
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
  // Most runs are names and digests. Their bytes are counted first, which is faster than to make a text of them.
  let controls = 0
  for (let at = 0; at < bytes.length; at++) if (isControl(bytes[at] ?? 0)) controls++
  if (controls > bytes.length * MAX_UNPRINTABLE_SHARE) return undefined
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
