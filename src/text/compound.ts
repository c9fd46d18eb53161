/** Signs between the segments of a path, an address or a qualified name. */
const OUTER_JOINTS = /[/\\@#:+&]+/
/** Signs inside a name. */
const INNER_JOINTS = /[_-]+/
const DOTS = /\.+/
const JOINTS = /[/\\._@#:+\-&]/
/** C++, C#, F# and other languages named by a letter and a sign. */
const LETTER_AND_SIGN = /^([a-zA-Z])(\+\+|#)$/
/** Numbers with dots between them, and the v of a version before them. */
const VERSIONS = /(?:(?<!\p{L})[vV])?(\d+(?:\.\d+)+)/u
/**
 * Replaces the dot inside a version: U+02D0 is a letter, so that the tokenizer of the full-text index does not split
 * there.
 */
const VERSION_DOT = 'ː'
/** Prefixes that are terms; a longer row of numbers is not a version. */
const MAX_VERSION_PREFIXES = 8
/** A number of so many digits inside a version or a date is a term by itself: a year. */
const YEAR_DIGITS = 4

/**
 * The parts of a name in camelCase: a capital and its small letters, an acronym up to the capital that begins the next
 * word, small letters, digits. Letters without case, marks and apostrophes go with small letters. `HTTPServer2` is
 * HTTP, Server, 2.
 */
const CASE_PARTS =
  /\p{Lu}(?=\p{Ll})[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}’']+|\p{Lu}(?:\p{Lu}(?!\p{Ll}))*|[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}’']+|\p{N}+/gu
/** An `s` after capitals: `APIs` are more than one API. */
const PLURAL_OF_CAPITALS = /(?<=\p{Lu}{2})s(?!\p{Ll})/gu
const LETTER_DIGIT_BORDERS = /\d(?=\p{L})|\p{L}(?=\d)/gu
const DIGIT = /\d/
const HEX = /^[\da-f]{4,}$/i
const PREFIXED_HEX = /^(0x)([\da-f]+)$/i
/** With more borders of letters and digits than this, a name is a hash or another code and stays whole. */
const MAX_BORDERS_IN_HEX = 1
const MAX_BORDERS = 3

/**
 * A compound split up: its parts in order, and what two parts or more make joined. All in the letter case of the text.
 */
type Compound = { parts: string[]; wholes: string[] }

type Segment = Compound & { joined: string }

/**
 * Splits a run of letters, digits and joints: an identifier, path, e-mail address or version. `src/getUser.ts` is src,
 * get, user, ts and getUser, getUserts, srcgetUserts.
 */
export function splitCompound(run: string): Compound {
  if (!JOINTS.test(run)) return splitName(run)
  const [, letter, sign] = LETTER_AND_SIGN.exec(run) ?? []
  if (letter !== undefined) return { parts: [letter], wholes: [`${letter}${sign === '#' ? 'sharp' : 'plusplus'}`] }
  if (!OUTER_JOINTS.test(run)) return splitSegment(run)
  const segments = run.split(OUTER_JOINTS).map(splitSegment)
  const parts = segments.flatMap((segment) => segment.parts)
  const wholes = new Set(segments.flatMap((segment) => segment.wholes))
  if (segments.filter((segment) => segment.joined !== '').length > 1)
    wholes.add(segments.map((segment) => segment.joined).join(''))
  return { parts, wholes: [...wholes] }
}

/** Splits a file name, a host name or a dotted name into names and versions. */
function splitSegment(segment: string): Segment {
  if (!segment.includes('.')) return splitName(segment)
  // `split` returns what the group of the pattern matched at the odd places.
  const names = segment
    .split(VERSIONS)
    .flatMap((text, at) => (at % 2 === 1 ? [splitVersion(text)] : text.split(DOTS).map(splitName)))
  const filled = names.filter(({ joined }) => joined !== '')
  const joined = filled.map((name) => name.joined).join('')
  const wholes = filled.flatMap((name) => name.wholes)
  if (filled.length > 1) wholes.push(joined)
  return { parts: filled.flatMap(({ parts }) => parts), wholes, joined }
}

/** `1.2.3` gives the terms 1.2 and 1.2.3. */
function splitVersion(version: string): Segment {
  const numbers = version.split('.')
  const prefixes = numbers.slice(1, MAX_VERSION_PREFIXES + 1).map((_, at) => numbers.slice(0, at + 2).join(VERSION_DOT))
  return {
    parts: [...prefixes, ...numbers.filter(({ length }) => length >= YEAR_DIGITS)],
    wholes: [],
    joined: numbers.join(''),
  }
}

function splitName(name: string): Segment {
  const parts = name.split(INNER_JOINTS).flatMap(splitCasedName)
  const joined = parts.join('')
  return { parts, wholes: parts.length > 1 ? [joined] : [], joined }
}

/** Splits at camelCase and between letters and digits. Hashes and other codes stay whole. */
function splitCasedName(name: string): string[] {
  const [, prefix, digits] = PREFIXED_HEX.exec(name) ?? []
  if (prefix !== undefined && digits !== undefined) return [prefix, digits]
  if (DIGIT.test(name) && isCode(name)) return [name]
  return name.replace(PLURAL_OF_CAPITALS, '').match(CASE_PARTS) ?? []
}

function isCode(name: string): boolean {
  const borders = name.match(LETTER_DIGIT_BORDERS)?.length ?? 0
  return borders > MAX_BORDERS || (borders > MAX_BORDERS_IN_HEX && HEX.test(name))
}
