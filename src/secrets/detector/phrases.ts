import type { Span } from '../spans.ts'
import type { Name } from './names.ts'
import { isReference } from './references.ts'
import { isGarbled, isNumber, isPasswordLike, isPhrase, isRandom, isStrong, isUnmistakable, isUuid } from './values.ts'

/** How far from its name a secret is looked for, in UTF-16 units. */
const WINDOW_LENGTH = 120
/** Longest password that a sentence says. */
const MAX_SAID_LENGTH = 64

/**
 * What may be a secret in a sentence: a text in quotes, or what stands between blanks, quotes, and letters of scripts
 * that have no blanks.
 */
const CANDIDATE =
  /["“„«「『](?<quoted>[^"“”„«»」』\n]{5,128})["“”»」』]|[^\s"'`“”„«»「」『』<>|、。，：（）\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0e00-\u0e7f]{4,256}/g
const WORD = /^\p{L}?[\p{Ll}\p{M}]{0,32}[.,;:)]?$/u
const TRAILING = /(?<![.,;:)\]}])[.,;:)\]}]{1,16}$/
/** Most candidates that are judged on each side of a name. Words are not candidates, so a sentence has few. */
const MAX_CANDIDATES = 8
/** A shorter one is no secret, whatever is said of it. */
const MIN_CANDIDATE_LENGTH = 5

/** Words that say what a thing is, or ask for it, in many languages, with bars between. */
const COPULAS = [
  'is|are|was|be|ist|war|lautet|heißt|sind|est|était|es|son|era|será|é|è|são|är|er|var|jest|je|on|este|adalah|ialah|là|yra|ir|ni|są|będzie',
  'будет|это|είναι|है|هي|هو|است|היא|הוא|as|als|comme|como|come|jako|som|како|как|set to|reset to|changed to|updated to|geändert auf|auf|à|type|enter|please|bitte',
  'now|still|jetzt|weiterhin|simply|nu|nun|ora|ahora|maintenant|agora|teraz|теперь|сейчас',
].join('|')
/**
 * Such a word, or a sign that says the same, right before a value; and the longest stretch of a sentence that may stand
 * before it.
 */
const SAID = new RegExp(
  `(?:(?<!\\p{L})(?:${COPULAS})|['’](?:s|est)|[:：=→—–]|[-=]>|[ \\t]-)[\\s(*]{0,4}["'\`“„«「]?$`,
  'iu',
)
const MAX_SAID_WORDS_LENGTH = 24
const STRETCH = /^(?:[^.;:=!?\n,]|\.(?=\S)|, (?=(?:it|that|which|das|es|c|type|enter|use)\b)){0,90}/iu
/** The same where it is all that stands between. */
const SAID_ALONE = /^(?: (?:to|in|zu) |[^!-~]{0,24}(?:は|是|为|為|는|은|คือ|を|成了|成|到)[:：]? ?)["'`“„«「]?$/iu
/** Whether what stands between a name and a value says that the value is what is so called. */
function isSaying(gap: string): boolean {
  const from = Math.max(0, gap.length - MAX_SAID_WORDS_LENGTH)
  const said = SAID.exec(gap.slice(from))
  return (said !== null && (STRETCH.exec(gap)?.[0].length ?? 0) >= from + said.index) || SAID_ALONE.test(gap)
}

/** Nothing but blanks, quotes and brackets. */
const BESIDE = /^(?:[ \t:]|[^!-~]){0,16}["'`“„«(]{0,2}$/
/** `… as the password`, `… is the password of the router` */
const CALLED =
  /^["'`”»]{0,2}[ \t](?:is|was|are|as|ist|als|es|est|è|é|for|comme|como|come|jako|som|olarak)(?:[ \t][\p{L}'’-]{1,12}){0,3}[ \t]?$/iu
/** `… // admin API key`, `… (deploy token)` */
const COMMENTED = /^["'`”»]?[);,]{0,3}[ \t]{0,8}(?:\/\/|#|--|\(|—|←|<-)[ \t]{0,2}(?:[\p{L}\d'’._-]{1,16}[ \t]){0,4}$/u
/** The answer to a question for a password, in the next line, perhaps behind who says it. */
const ANSWER =
  /^[^\n:=]{0,60}\n\s{0,2}(?:\[[\d:., apm-]{4,20}\][ \t])?(?:<[\w.-]{1,32}>|[\w.-]{1,32}[ \t][[(]?\d{1,2}[:.]\d\d(?::\d\d)?[\])]?:?|\*{0,2}[\w.-]{1,32}:\*{0,2}|\*\*[\w.-]{1,32}\*\*:?|>)?[ \t]{0,8}(?<secret>[^\s"'`<>]{6,64})(?=,[ \t]|[ \t]{0,4}(?:\n|$))/d

/** Finds the secret that a sentence says of a name, behind it, in the next line, or before it. */
export function findSaid(kind: string, name: Name, text: string): Span | undefined {
  return findBehind(kind, name, text) ?? findAnswer(kind, name, text) ?? findBefore(kind, name, text)
}

function findBehind(kind: string, name: Name, text: string): Span | undefined {
  const line = lineBehind(text, name.end)
  for (const { value, start } of listCandidates(line)) {
    if (start > WINDOW_LENGTH) return undefined
    // What goes on with a name in ASCII is a part of it.
    const isApart = start > 0 || /[^!-~]/.test(text[name.end - 1] ?? '')
    const isFitting = name.isPassword ? isSaidPassword : isSaidSecret
    if (isApart && isFitting(value, line.slice(0, start), name)) return toSpan(kind, name.end + start, value)
  }
  return undefined
}

const toSpan = (kind: string, start: number, value: string): Span => ({ kind, start, end: start + value.length })

function lineBehind(text: string, at: number): string {
  const window = text.slice(at, at + 2 * WINDOW_LENGTH)
  return window.slice(0, window.search(/\n|$/))
}

function* listCandidates(line: string): Generator<{ value: string; start: number }, void> {
  let candidates = 0
  for (const { 0: whole, index, groups } of line.matchAll(CANDIDATE)) {
    const quoted = groups?.quoted
    if (WORD.test(quoted ?? whole)) continue
    if (++candidates > MAX_CANDIDATES) return
    const candidate =
      quoted === undefined ? { value: whole.replace(TRAILING, ''), start: index } : { value: quoted, start: index + 1 }
    if (candidate.value.length >= MIN_CANDIDATE_LENGTH) yield candidate
  }
}

function isSaidPassword(value: string, gap: string, { isVerb }: Name): boolean {
  if (value.length > MAX_SAID_LENGTH) return false
  if (isUnmistakable(value)) return true
  if (value.length >= 6 && isNumber(value)) return BESIDE.test(gap)
  const isBeside = BESIDE.test(gap)
  if (/\s/.test(value)) {
    if (!(isPhrase(value) ? isBeside : isMixedPhrase(value) && /["“„«「『]$/.test(gap))) return false
    return isPlain(value) && (isBeside || isSaying(gap))
  }
  const isLike = isVerb ? isStrong(value) : isPasswordLike(value) || isGarbled(value)
  return isLike && isPlain(value) && (isSaying(gap) || (isBeside && !isVerb && isPasswordLike(value)))
}

/** Words with digits among their letters, or a number at their end. */
const isMixedPhrase = (value: string) => /[A-Za-z]\d|\d[A-Za-z]|\s\d$/.test(value)

/** Whether a value is no reference, name of a setting, path or address. */
function isPlain(value: string): boolean {
  return !/^[#@([/]|^[A-Z][A-Z0-9]*_[A-Z0-9_]+$|^[\w.-]{1,120}\/[\w./-]{1,120}$/.test(value) && !isReference(value)
}

const FEW_WORDS = /^(?: \p{L}{2,12}){1,3} $/u
const COMMIT = /^[0-9a-f]{40}$/
const HASH = /hash|sha\d|md5|digest|fingerprint|checksum|commit|revision/i

function isSaidSecret(value: string, gap: string, { isCertain }: Name): boolean {
  const isLike = isDrawn(value, isCertain)
  if (!(isLike || isUnmistakable(value)) || HASH.test(gap)) return false
  if (isSaying(gap)) return true
  return isLike && (BESIDE.test(gap) || (isCertain && value.length >= 32 && !COMMIT.test(value) && FEW_WORDS.test(gap)))
}

/**
 * Whether a value behind or before a name of a secret looks drawn at random. Hexadecimal digits are so called for other
 * reasons, too.
 */
function isDrawn(value: string, isCertain: boolean): boolean {
  if (value.length < 16) return false
  if (/^(?:0x)?[0-9a-f]{32,64}$/i.test(value) || isUuid(value)) return isCertain
  return (
    isRandom(value) &&
    !/[\s\\(){}]|^[^/]{0,39}\/.{0,39}$|^[0-9a-fA-F-]+$|^[0-9A-Z]{26}$/.test(value) &&
    !isReference(value)
  )
}

function findAnswer(kind: string, { end, isPassword }: Name, text: string): Span | undefined {
  const [from, to] = ANSWER.exec(text.slice(end, end + 192))?.indices?.groups?.secret ?? [0, 0]
  const value = text.slice(end + from, end + to)
  return (isPassword ? isStrong(value) : value.length >= 20 && isDrawn(value, false))
    ? toSpan(kind, end + from, value)
    : undefined
}

function findBefore(kind: string, { start: nameStart, isPassword, isCertain }: Name, text: string): Span | undefined {
  const window = text.slice(Math.max(0, nameStart - WINDOW_LENGTH), nameStart)
  const line = window.slice(window.lastIndexOf('\n') + 1)
  for (const { value, start } of listCandidates(line)) {
    if (isPassword && value.length > MAX_SAID_LENGTH) continue
    const gap = line.slice(start + value.length)
    const isLike = isPassword
      ? isStrong(value) || /^[A-Za-z]{3,16}[#$!%&*][A-Za-z]{3,16}$/.test(value)
      : isDrawn(value, isCertain)
    const isNamed = (isLike && (CALLED.test(gap) || COMMENTED.test(gap))) || (isPassword && isUnmistakable(value))
    if (isNamed) return toSpan(kind, nameStart - line.length + start, value)
  }
  return undefined
}

/** What a number for a door, a card or a telephone is called; of a code, what it opens stands beside it. */
export const CODE_NAMES =
  'pin|puk|passcode|code|código|codice|kod|kode|koden|geheimzahl|combination|暗証番号|密碼|密码|الرقم السري|пин|код'
const OPENED =
  /door|gate|alarm|panel|safe|entry|access|keypad|lock|garage|vault|front|voicemail|mailbox|portail|porte|immeuble|cancello|porta|puerta|port|hytte|lås|skåp|skap|portón|tür|tor|deur|dør|dörr|drzwi|furtk|brama|tresor|lager|schrank|garten|двер|домофон|сейф|门|門/i
const CODE_BEHIND =
  /^(?:[- ]?(?:code|kod\p{L}{0,3}|nummer|number|код))?(?:(?:[ \t][^\s:=.;]{1,20}){0,9}?(?:[ \t](?:is|ist|lautet|est|es|è|é|to|är|er|—)[ \t]|[ \t]?[:：=→][ \t]?|[, ]code[ \t]|は|是)|[ \t]|(?:(?: (?:de|del|della|dello|du|la|der|des|van|til|för|den)){1,3} \p{L}{2,12} ))(?<secret>\d{4,8}|\d{3}[ -]\d{3}|\d{2}(?:-\d{2}){2,3})(?:#|(?![\d.:/%-]|[ \t]?(?:[kmg]?b|ms|px|rows|users|items|lines)\b))/diu

/** Finds the number that opens a door, a card or a telephone. */
export function findCode(text: string, start: number, end: number): Span | undefined {
  const isGeneral = /^(?:code|código|codice|kode?n?|код|combination)$/i.test(text.slice(start, end))
  const [owner = ''] = /(?<![\p{L}\d_])[\p{L}\d_]{1,32}$/u.exec(text.slice(Math.max(0, start - 32), start)) ?? []
  const behind = text.slice(end, end + WINDOW_LENGTH)
  const [from, to] = CODE_BEHIND.exec(behind)?.indices?.groups?.secret ?? [0, 0]
  // `Türcode`, but not `decode`; of a code that is a word of its own, what it opens stands before it or before its
  // number.
  const around = owner || text.slice(Math.max(0, start - 32), end + from)
  if (isGeneral ? !OPENED.test(around) : owner !== '' && /^\w/.test(text.slice(start, end))) return undefined
  const digits = behind.slice(from, to).replace(/[ -]/g, '')
  return isNumber(digits) ? { kind: 'password', start: end + from, end: end + to } : undefined
}
