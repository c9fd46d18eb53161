import { cutCase } from './cut-case.ts'

const JOINTS = /[/\\._@#:+\-&]/
const OUTER_JOINTS = /[/\\@#:+&]+/
const VERSION = /^[vV]?(\d+(?:\.\d+)+)$/
const SPECIAL = /^([a-zA-Z])(\+\+|#)$/
/** Stands for a point inside a version: index and query tokenizers take it for a letter. */
const POINT = 'ː'

/** A compound taken apart: its parts in order, and the wholes made of two parts or more. All in their own case. */
export type Compound = { parts: string[]; wholes: string[] }

/** Takes apart a run of letters, digits and joints: identifiers, paths, addresses, versions. */
export function takeApart(run: string): Compound {
  if (!JOINTS.test(run)) return toCompound(cutCase(run))
  const version = VERSION.exec(run)?.[1]
  if (version !== undefined) return { parts: [], wholes: versionPrefixes(version) }
  const special = SPECIAL.exec(run)
  if (special !== null) return { parts: [run.slice(0, 1)], wholes: [`${run.slice(0, 1)}${special[2] === '#' ? 'sharp' : 'plusplus'}`] }
  if (!OUTER_JOINTS.test(run)) return toCompound(cutCase(run))
  const parts: string[] = []
  const wholes = new Set<string>()
  for (const segment of run.split(OUTER_JOINTS)) {
    const found = cutCase(segment)
    parts.push(...found)
    if (found.length > 1) wholes.add(found.join(''))
  }
  if (parts.length > 1) wholes.add(parts.join(''))
  return { parts, wholes: [...wholes] }
}

function toCompound(parts: string[]): Compound {
  return { parts, wholes: parts.length > 1 ? [parts.join('')] : [] }
}

/** `1.2.3` is found as itself and as `1.2`. */
function versionPrefixes(version: string): string[] {
  const numbers = version.split('.')
  return numbers.slice(1).map((_, at) => numbers.slice(0, at + 2).join(POINT))
}
