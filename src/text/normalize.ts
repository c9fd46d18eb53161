/** A normalization form of Unicode Standard Annex #15. */
export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/**
 * The most non-starters in a row in stream-safe text (UAX #15, section 13). A non-starter is a character that canonical
 * ordering moves.
 */
const MAX_NON_STARTERS = 30
/** U+034F, which the annex puts after that many non-starters: it is invisible, and nothing is ordered across it. */
const COMBINING_GRAPHEME_JOINER = '\u034f'
/**
 * The characters that are or decompose to non-starters only: marks and the two half-width voicing marks of Katakana.
 */
const MARK = '\\p{M}\\uff9e\\uff9f'
/**
 * Matches every run that may decompose to more than 30 non-starters. A mark decomposes to at most three of them, and
 * the character before the run ends with at most three, so fewer than nine marks are never too many.
 */
const LONG_RUN = new RegExp(`[^${MARK}]?[${MARK}]{9,}`, 'gu')
const HAS_LONG_RUN = new RegExp(`[${MARK}]{9}`, 'u')

/**
 * Normalizes a text in time linear in its length. The canonical ordering of a run of non-starters takes quadratic time,
 * so the text is made stream-safe first. A text without a run of more than 30 is normalized as by
 * `String.prototype.normalize`, which nothing else in the code may call.
 */
export function normalize(text: string, form: NormalForm): string {
  return toStreamSafe(text).normalize(form)
}

/** UTF-16 units that are normalized in one piece. The slowest take about 2 ms. */
const PIECE_LENGTH = 16_384

/** `normalize`, a piece at a time. */
export function* normalizeInSteps(text: string, form: NormalForm): Generator<void, string> {
  if (text.length <= PIECE_LENGTH) return normalize(text, form)
  const safe = toStreamSafe(text)
  let normalized = ''
  for (let start = 0; start < safe.length; ) {
    yield
    const end = findBoundary(safe, start + PIECE_LENGTH)
    normalized += safe.slice(start, end).normalize(form)
    start = end
  }
  return normalized
}

/** The first boundary at `from` or later; the end of the text if there is none. */
function findBoundary(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (isBoundary(text, at)) return at
  return text.length
}

/**
 * Characters that may be composed with the one before them: marks, vowels and final consonants of Hangul, and a vowel
 * of Kirat Rai.
 */
const COMPOSES_WITH_PREVIOUS = /[\p{M}\u1160-\u11ff\ud7b0-\ud7ff\u{16d67}\udc00-\udfff]/u

/** Whether the two parts of a text, split at this place, may be normalized by themselves. May be false if they may. */
export function isBoundary(text: string, at: number): boolean {
  const [first = ''] = String.fromCodePoint(text.codePointAt(at) ?? 0).normalize('NFKD')
  return first === COMBINING_GRAPHEME_JOINER || !COMPOSES_WITH_PREVIOUS.test(first)
}

/**
 * The Stream-Safe Text Process of UAX #15, section 13.1: inserts U+034F after every 30 non-starters in a row. Time
 * linear in the text.
 */
export function toStreamSafe(text: string): string {
  if (!HAS_LONG_RUN.test(text)) return text
  const known = new Map<number, NonStarters>()
  return text.replace(LONG_RUN, (run) => breakRun(run, known))
}

/**
 * Non-starters in the compatibility decomposition of a character: in front, at the end, and whether it has nothing
 * else.
 */
type NonStarters = { leading: number; trailing: number; isAll: boolean }

/** `known` holds what was counted before: a hostile text repeats few characters many times. */
function breakRun(run: string, known: Map<number, NonStarters>): string {
  const parts: string[] = []
  let start = 0
  let inRow = 0
  for (let at = 0; at < run.length; ) {
    const codePoint = run.codePointAt(at) ?? 0
    const { leading, trailing, isAll } = known.get(codePoint) ?? countNonStarters(codePoint, known)
    if (inRow + leading > MAX_NON_STARTERS) {
      parts.push(run.slice(start, at))
      start = at
      inRow = 0
    }
    inRow = isAll ? inRow + leading : trailing
    at += codePoint > 0xffff ? 2 : 1
  }
  return [...parts, run.slice(start)].join(COMBINING_GRAPHEME_JOINER)
}

function countNonStarters(codePoint: number, known: Map<number, NonStarters>): NonStarters {
  const decomposed = [...String.fromCodePoint(codePoint).normalize('NFKD')].map(isNonStarter)
  const first = decomposed.indexOf(false)
  const isAll = first < 0
  const counted = {
    leading: isAll ? decomposed.length : first,
    trailing: decomposed.length - 1 - decomposed.lastIndexOf(false),
    isAll,
  }
  known.set(codePoint, counted)
  return counted
}

/** U+0345 has the highest combining class, so every other non-starter is ordered before it. */
const LAST_IN_ORDER = '\u0345'

function isNonStarter(character: string): boolean {
  return character === LAST_IN_ORDER || !`${LAST_IN_ORDER}${character}`.normalize('NFD').startsWith(LAST_IN_ORDER)
}
