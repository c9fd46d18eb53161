/** How a character takes part in a cut. */
const UPPER = 1
const LOWER = 2
/** A letter without case, a mark or an apostrophe: goes with lower-case letters. */
const CASELESS = 3
const DIGIT = 4
const NEITHER = 5

const KINDS: [RegExp, number][] = [
  [/\p{Lu}/u, UPPER],
  [/\p{Ll}/u, LOWER],
  [/[\p{Lo}\p{Lm}\p{Lt}\p{M}’']/u, CASELESS],
  [/\p{N}/u, DIGIT],
]
/** Kinds of UTF-16 units met before; 0 where none is known. */
const known = new Uint8Array(0x10000)

/** Cuts letters and digits at camelCase and at the border of letters and digits; what is neither falls away. `HTTPServer2` is HTTP, Server, 2. */
export function cutCase(run: string): string[] {
  const pieces: string[] = []
  for (let at = 0, end = 0; at < run.length; at = end) {
    const kind = kindAt(run, at)
    end = endOf(run, at, kind)
    if (kind !== NEITHER) pieces.push(run.slice(at, end))
  }
  return pieces
}

/** Where the piece ends that begins at `start`. Of capitals before a small letter, the last begins a piece of its own. */
function endOf(run: string, start: number, kind: number): number {
  const next = start + widthAt(run, start)
  if (kind === DIGIT || kind === NEITHER) return skip(run, next, kind, kind)
  if (kind !== UPPER) return skip(run, next, LOWER, CASELESS)
  if (kindAt(run, next) === LOWER) return skip(run, next, LOWER, CASELESS)
  let end = next
  while (kindAt(run, end) === UPPER && kindAt(run, end + widthAt(run, end)) !== LOWER) end += widthAt(run, end)
  return end
}

function skip(run: string, start: number, kind: number, other: number): number {
  let at = start
  for (let here = kindAt(run, at); here === kind || here === other; here = kindAt(run, at)) at += widthAt(run, at)
  return at
}

/** Kind of the character at a place; 0 behind the end. */
function kindAt(run: string, at: number): number {
  if (at >= run.length) return 0
  const unit = run.charCodeAt(at)
  return known[unit] || classify(run, at)
}

function classify(run: string, at: number): number {
  const codePoint = run.codePointAt(at) ?? 0
  const character = String.fromCodePoint(codePoint)
  const kind = KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? NEITHER
  if (codePoint <= 0xffff && !isSurrogate(codePoint)) known[codePoint] = kind
  return kind
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800
}

function widthAt(run: string, at: number): number {
  return (run.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
