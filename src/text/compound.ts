import { cutName } from './cut-name.ts'

const OUTER_JOINTS = /[/\\@#:+&]+/
const INNER_JOINTS = /[_-]+/
const NAME_ENDS = /\.+/
const JOINTS = /[/\\._@#:+\-&]/
const SPECIAL = /^([a-zA-Z])(\+\+|#)$/
/** Numbers with points between them, and the v of a version before them. */
const VERSIONS = /(?:(?<!\p{L})[vV])?(\d+(?:\.\d+)+)/u
/** Stands for a point inside a version: index and query tokenizers take it for a letter. */
const POINT = 'ː'
/** Prefixes kept of what is no version any more. */
const MAX_PREFIXES = 8
/** A number of so many digits inside a version or date is looked for by itself: a year. */
const YEAR_DIGITS = 4

/** A compound taken apart: its parts in order, and the wholes made of two parts or more. All in their own case. */
export type Compound = { parts: string[]; wholes: string[] }

/** Takes apart a run of letters, digits and joints: identifiers, paths, addresses, versions. */
export function takeApart(run: string): Compound {
  if (!JOINTS.test(run)) return takeName(run)
  const special = SPECIAL.exec(run)
  if (special !== null) return { parts: [run.slice(0, 1)], wholes: [`${run.slice(0, 1)}${special[2] === '#' ? 'sharp' : 'plusplus'}`] }
  if (!OUTER_JOINTS.test(run)) return takeSegment(run)
  const segments = run.split(OUTER_JOINTS).map(takeSegment)
  const parts = segments.flatMap((segment) => segment.parts)
  const wholes = new Set(segments.flatMap((segment) => segment.wholes))
  if (segments.filter((segment) => segment.joined !== '').length > 1) wholes.add(segments.map((segment) => segment.joined).join(''))
  return { parts, wholes: [...wholes] }
}

/** A file, an address or a dotted name: its names are found by themselves, and joined. */
function takeSegment(segment: string): Compound & { joined: string } {
  if (!segment.includes('.')) return takeName(segment)
  const names = segment.split(VERSIONS).flatMap((text, at) => (at % 2 === 1 ? [takeVersion(text)] : text.split(NAME_ENDS).map(takeName)))
  const filled = names.filter(({ joined }) => joined !== '')
  const joined = filled.map((name) => name.joined).join('')
  const wholes = filled.flatMap((name) => name.wholes)
  if (filled.length > 1) wholes.push(joined)
  return { parts: filled.flatMap(({ parts }) => parts), wholes, joined }
}

function takeName(name: string): Compound & { joined: string } {
  const parts = name.split(INNER_JOINTS).flatMap(cutName)
  const joined = parts.join('')
  return { parts, wholes: parts.length > 1 ? [joined] : [], joined }
}

/** `1.2.3` is found as itself and as `1.2`. */
function takeVersion(version: string): Compound & { joined: string } {
  const numbers = version.split('.')
  const prefixes = numbers.slice(1, MAX_PREFIXES + 1).map((_, at) => numbers.slice(0, at + 2).join(POINT))
  return { parts: [...prefixes, ...numbers.filter(({ length }) => length >= YEAR_DIGITS)], wholes: [], joined: numbers.join('') }
}
