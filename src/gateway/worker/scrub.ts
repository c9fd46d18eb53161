import type { Headers } from '../credentials.ts'

/** Converts an upstream's text to one line in which the integration's address and credentials are replaced by `…`. */
export type Scrub = (text: string) => string

const MAX_READ_CHARACTERS = 4_096
const MAX_KEPT_CHARACTERS = 500
/** Every substring of a secret of this length is hidden. */
const PART_CHARACTERS = 8
/**
 * A shorter secret is hidden only as a whole, and only from this length on, since still shorter ones occur in ordinary
 * words.
 */
const MIN_SECRET_CHARACTERS = 4

const REPLACEMENT = '…'

/**
 * The characters that are compared: first all except blanks and control characters, then only letters and digits. This
 * finds secrets that were split, quoted or punctuated.
 */
const PROJECTIONS = [/[^\s\p{C}]/u, /[A-Za-z0-9]/]

/** The compared characters of a text, and the position of each in it. */
type Projection = { text: string; positions: number[] }

/** Secrets as they are searched for. */
type Patterns = { whole: Set<string>; parts: Set<string> }

/**
 * Hides an integration's URL, host and header values: plain, in base64, hexadecimal, percent-encoded or escaped, in any
 * case. At most 4 096 characters of a text are read, and 500 kept.
 */
export function createScrub(url: string, headers: Headers): Scrub {
  let patterns: Patterns | undefined
  return (text) => {
    patterns ??= toPatterns(url, headers)
    const read = text.slice(0, MAX_READ_CHARACTERS).toWellFormed()
    const isHidden = new Uint8Array(read.length)
    for (const compared of PROJECTIONS) {
      const projection = project(read, compared)
      hideParts(projection, patterns.parts, isHidden)
      hideWhole(projection, patterns.whole, isHidden)
    }
    return [...withoutHidden(read, isHidden)]
      .join('')
      .replace(/[\p{C}\s]+/gu, ' ')
      .slice(0, MAX_KEPT_CHARACTERS)
      .toWellFormed()
  }
}

function toPatterns(url: string, headers: Headers): Patterns {
  const { host, hostname } = new URL(url)
  const secrets = Object.values(headers).flatMap(toSecrets)
  const encoded = secrets.flatMap(toEncodings).flatMap(toProjections)
  const whole = [url, host, hostname, ...secrets]
    .flatMap(toProjections)
    .filter((text) => text.length >= MIN_SECRET_CHARACTERS)
  return { whole: new Set(whole), parts: new Set(encoded.flatMap(toParts)) }
}

/** A header's value, the credential after its scheme, and the user and password of a Basic credential. */
function toSecrets(value: string): string[] {
  const words = value.split(' ')
  const [scheme = '', ...rest] = words
  if (rest.length === 0) return [value]
  const basic = scheme.toLowerCase() === 'basic' ? Buffer.from(rest.join(''), 'base64').toString('latin1') : ''
  return [value, rest.join(' '), ...words, basic, ...basic.split(':')].filter((text) => text !== '')
}

function toEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const escaped = [...secret].map((char) => `u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  return [secret, encodeURIComponent(secret), hex, escaped, ...[0, 1, 2].map((shift) => toBase64(bytes, shift))]
}

/**
 * The base64 digits that depend only on these bytes, whatever surrounds them, if they begin `shift` bytes after a
 * multiple of three.
 */
function toBase64(bytes: Buffer, shift: number): string {
  const digits = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const firstWhole = Math.ceil((shift * 8) / 6)
  const lastWhole = Math.floor(((shift + bytes.length) * 8) / 6)
  return digits.slice(firstWhole, lastWhole)
}

function toProjections(text: string): string[] {
  return PROJECTIONS.map((compared) => project(text, compared).text)
}

/** The compared characters in lower case, with base64url digits converted to those of base64. */
function project(text: string, compared: RegExp): Projection {
  const positions: number[] = []
  let projected = ''
  for (let position = 0; position < text.length; position++) {
    const char = text.charAt(position)
    if (!compared.test(char)) continue
    projected += normalize(char)
    positions.push(position)
  }
  return { text: projected, positions }
}

function normalize(char: string): string {
  if (char === '-') return '+'
  if (char === '_') return '/'
  const lower = char.toLowerCase()
  return lower.length === 1 ? lower : char
}

function toParts(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PART_CHARACTERS + 1) }, (_, at) =>
    text.slice(at, at + PART_CHARACTERS),
  )
}

function hideParts({ text, positions }: Projection, parts: Set<string>, isHidden: Uint8Array): void {
  for (let at = 0; at + PART_CHARACTERS <= text.length; at++)
    if (parts.has(text.slice(at, at + PART_CHARACTERS))) hide(positions, at, PART_CHARACTERS, isHidden)
}

function hideWhole({ text, positions }: Projection, whole: Set<string>, isHidden: Uint8Array): void {
  for (const secret of whole)
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
      hide(positions, at, secret.length, isHidden)
}

/** Also hides the characters in between that were not compared. */
function hide(positions: number[], at: number, length: number, isHidden: Uint8Array): void {
  isHidden.fill(1, positions[at], (positions[at + length - 1] ?? 0) + 1)
}

function* withoutHidden(text: string, isHidden: Uint8Array): Generator<string> {
  for (let position = 0; position < text.length; position++) {
    if (isHidden[position] === 0) yield text.charAt(position)
    else if (isHidden[position - 1] !== 1) yield REPLACEMENT
  }
}
