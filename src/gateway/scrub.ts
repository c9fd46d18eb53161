import type { Headers } from './secret.ts'

/** What an upstream says of itself as one line, without what only the service should know. */
export type Scrub = (text: string) => string

/** Most characters of a text that are looked at, and most that are kept. */
const MAX_READ = 4_096
const MAX_KEPT = 500
/** Parts of a secret that are at least this long are hidden. */
const PART = 8
/** A secret shorter than that is hidden as a whole, from this length on: what is shorter stands in many a word. */
const SHORTEST = 4

const HIDDEN = '…'

/** Two ways to read a text, so that a secret is found that was split, quoted or encoded: without blanks, and without all but letters and digits. */
const READINGS = [/[^\s\p{C}]/u, /[A-Za-z0-9]/]

type Reading = { text: string; places: number[] }

/** Hides the parts of an integration's address and of its headers, plain, in base64, in hexadecimal, percent-encoded or escaped, in any case. */
export function createScrub(url: string, headers: Headers): Scrub {
  let known: { whole: Set<string>; parts: Set<string> } | undefined
  return (text) => {
    known ??= toKnown(url, headers)
    const read = text.slice(0, MAX_READ).toWellFormed()
    const isHidden = new Uint8Array(read.length)
    for (const kept of READINGS) {
      const reading = toReading(read, kept)
      hideParts(reading, known.parts, isHidden)
      hideWhole(reading, known.whole, isHidden)
    }
    return [...withoutHidden(read, isHidden)]
      .join('')
      .replace(/[\p{C}\s]+/gu, ' ')
      .slice(0, MAX_KEPT)
  }
}

function toKnown(url: string, headers: Headers): { whole: Set<string>; parts: Set<string> } {
  const { host, hostname } = new URL(url)
  const secrets = Object.values(headers).flatMap(toSecrets)
  const forms = secrets.flatMap(toForms).flatMap(toReadings)
  const whole = [url, host, hostname, ...secrets].flatMap(toReadings).filter((text) => text.length >= SHORTEST)
  return { whole: new Set(whole), parts: new Set(forms.flatMap(toParts)) }
}

/** A header's value, what follows its scheme, and what a Basic credential is made of. */
function toSecrets(value: string): string[] {
  const words = value.split(' ')
  const [scheme = '', ...rest] = words
  if (rest.length === 0) return [value]
  const basic = scheme.toLowerCase() === 'basic' ? Buffer.from(rest.join(''), 'base64').toString('latin1') : ''
  return [value, rest.join(' '), ...words, basic, ...basic.split(':')].filter((text) => text !== '')
}

function toForms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const escaped = [...secret].map((char) => `u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  return [secret, encodeURIComponent(secret), hex, escaped, ...[0, 1, 2].map((shift) => toBase64(bytes, shift))]
}

/** The digits of base64 that are the same wherever the bytes stand in what was encoded, `shift` bytes after a multiple of three. */
function toBase64(bytes: Buffer, shift: number): string {
  const digits = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const firstWhole = Math.ceil((shift * 8) / 6)
  const lastWhole = Math.floor(((shift + bytes.length) * 8) / 6)
  return digits.slice(firstWhole, lastWhole)
}

function toReadings(text: string): string[] {
  return READINGS.map((kept) => toReading(text, kept).text)
}

/** The characters that count, in small letters and with the digits of base64url as those of base64, and where they stand. */
function toReading(text: string, kept: RegExp): Reading {
  const places: number[] = []
  let read = ''
  for (let place = 0; place < text.length; place++) {
    const char = text.charAt(place)
    if (!kept.test(char)) continue
    read += toPlain(char)
    places.push(place)
  }
  return { text: read, places }
}

function toPlain(char: string): string {
  if (char === '-') return '+'
  if (char === '_') return '/'
  const small = char.toLowerCase()
  return small.length === 1 ? small : char
}

function toParts(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PART + 1) }, (_, at) => text.slice(at, at + PART))
}

function hideParts({ text, places }: Reading, parts: Set<string>, isHidden: Uint8Array): void {
  for (let at = 0; at + PART <= text.length; at++) if (parts.has(text.slice(at, at + PART))) hide(places, at, PART, isHidden)
}

function hideWhole({ text, places }: Reading, whole: Set<string>, isHidden: Uint8Array): void {
  for (const secret of whole)
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) hide(places, at, secret.length, isHidden)
}

/** Hides what stands between the characters, too. */
function hide(places: number[], at: number, length: number, isHidden: Uint8Array): void {
  isHidden.fill(1, places[at], (places[at + length - 1] ?? 0) + 1)
}

function* withoutHidden(text: string, isHidden: Uint8Array): Generator<string> {
  for (let place = 0; place < text.length; place++) {
    if (isHidden[place] === 0) yield text.charAt(place)
    else if (isHidden[place - 1] !== 1) yield HIDDEN
  }
}
