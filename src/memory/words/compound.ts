/** What stands between two joints of a compound, cut at camelCase and at the border of letters and digits. */
const PIECES = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}’']+|\p{Lu}+|\p{N}+/gu
const JOINTS = /[/\\._@#:+\-&]+/
const OUTER_JOINTS = /[/\\@#:+&]+/
const PLAIN = /^(?:[A-Z]?[a-z]+|\d+)$/
const VERSION = /^[vV]?(\d+(?:\.\d+)+)$/
/** Stands for a point inside a version: index and query tokenizers take it for a letter. */
const POINT = 'ː'

/** A compound taken apart: its parts in order, and the wholes made of two parts or more. All in their own case. */
export type Compound = { parts: string[]; wholes: string[] }

/** Takes apart a run of letters, digits and joints: identifiers, paths, addresses, versions. */
export function takeApart(run: string): Compound {
  if (PLAIN.test(run)) return { parts: [run], wholes: [] }
  const version = VERSION.exec(run)?.[1]
  if (version !== undefined) return { parts: [], wholes: versionPrefixes(version) }
  const special = /^([a-zA-Z])(\+\+|#)$/.exec(run)
  if (special !== null) return { parts: [run.slice(0, 1)], wholes: [`${run.slice(0, 1)}${special[2] === '#' ? 'sharp' : 'plusplus'}`] }
  const parts: string[] = []
  const wholes = new Set<string>()
  for (const segment of run.split(OUTER_JOINTS)) {
    const found = segment.split(JOINTS).flatMap((plain) => plain.match(PIECES) ?? [])
    parts.push(...found)
    if (found.length > 1) wholes.add(found.join(''))
  }
  if (parts.length > 1) wholes.add(parts.join(''))
  return { parts, wholes: [...wholes] }
}

/** `1.2.3` is found as itself and as `1.2`. */
function versionPrefixes(version: string): string[] {
  const numbers = version.split('.')
  return numbers.slice(1).map((_, at) => numbers.slice(0, at + 2).join(POINT))
}
