import { isCounted, isReference, MAX_JUDGED_LENGTH } from './references.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isUuid = (value: string) => UUID.test(value)

/** Whether most of a text is words and short numbers between separators, as in `my-key-for-ci-2024`. */
function isWordy(text: string): boolean {
  const pieces = text.split(/[-_./:,=\s]+/)
  const length = (all: string[]) => all.reduce((sum, piece) => sum + piece.length, 0)
  return (
    length(pieces.filter((piece) => /^(?:[A-Z]?[a-z]{2,14}|[A-Z]{2,14}|\d{1,4}|[A-Za-z])$/.test(piece))) >
    0.6 * length(pieces)
  )
}

/** Whether a text is a name of several words, as programs have: `HTTPPasswordManager`. */
export function isName(text: string): boolean {
  return (
    /^[A-Za-z_]+$/.test(text) &&
    (text.match(/[A-Z]?(?=[a-z]{0,5}[aeiouy])[a-z]{3,}/g) ?? []).join('').length > 0.6 * text.length
  )
}

/** Whether a text of letters, perhaps with signs, is neither words nor a name. */
export function isGarbled(whole: string): boolean {
  const text = whole.replace(/[!?#$%&*@^]/g, '')
  const isOfBothCases = /[a-z]/.test(text) && /[A-Z]/.test(text) && !isName(text)
  return /^[A-Za-z]{8,64}$/.test(text) && (isOfBothCases || /[^aeiouy]{6}/i.test(text))
}

/**
 * Whether a text looks drawn at random rather than named by a person: digits among letters, or letters of both cases
 * mixed.
 */
export function isRandom(whole: string): boolean {
  const text = whole.slice(0, MAX_JUDGED_LENGTH)
  return isMixed(text) && !isCounted(text) && new Set(text).size >= Math.min(10, text.length / 2) && !isWordy(text)
}

function isMixed(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (count(/[0-9]/g) >= 2 && count(/[A-Za-z]/g) >= 3) return true
  if (/\d/.test(text) && isGarbled(text.replace(/[\d_-]/g, ''))) return true
  return count(/[a-z][A-Z]/g) >= 3 && /[A-Z]{2}|[A-Z][a-z][A-Z]/.test(text)
}

/** Whether a text is a number that may be a password: no year or date, and none that counts up. */
export function isNumber(text: string): boolean {
  return (
    /^\d{4,32}[#*]?$/.test(text) &&
    !/^(?:19|20)\d{2}(?:$|(?:0\d|1[0-2])[0-3]\d)|^(.)\1*$/.test(text) &&
    !/^1234/.test(text) &&
    !isCounted(text)
  )
}

/** Words of names and instructions, which passwords of words do not contain. */
const ORDINARY_WORD = new RegExp(
  `^(?:${[
    'the|for|and|but|not|are|was|has|have|had|can|may|you|your|our|its|their|this|that|these|from|with|into|only|when|where|who|how|what|which|must|should|will|would',
    'use[ds]?|using|per|via|all|any|each|new|old|see|set|get|read|write|stored?|kept|managed|secrets?|pass\\w*|keys?|tokens?|names?|users?|admin|root|login|auth|vault|env',
    'prod\\w*|staging|dev\\w*|tests?|local|default|config\\w*|service|server|client|database|postgres|mysql|redis|app|api|url|file|path|type|string|value|field|input|form',
    'hash\\w*|encrypt\\w*|generat\\w*|rotat\\w*|reset|chang\\w*|current|invalid|missing|wrong|expired|required|optional|policy|manager|here|there|line|time|based|side',
    'cluster|region|backup|deploy\\w*|github|docker|kube\\w*|aws|azure|google|long|random|strong|weak|minimum|characters?|between|unknown|empty|none|null|true|false',
  ].join('|')})$`,
  'i',
)

/** Longest password of words, in UTF-16 units. */
const MAX_PASSPHRASE_LENGTH = 128

/**
 * Whether a text is a password of several words, such as `copper-lumen-quartz7`: words with one separator between them,
 * and no word that is common in names or sentences.
 */
function isPassphrase(text: string): boolean {
  if (text.length > MAX_PASSPHRASE_LENGTH) return false
  const [separator = ''] = /[-_. +]/.exec(text) ?? []
  const pieces = text.split(separator || '-')
  const words = pieces.filter((piece) => /^\d{0,4}[A-Za-z]{3,12}\d{0,4}[!?#$%*]?$/.test(piece))
  const isWhole = pieces.every((piece) => words.includes(piece) || /^\d{1,4}[!?#$%*]?$/.test(piece))
  return (
    isWhole &&
    words.length >= (/\d/.test(text) ? 3 : 4) &&
    !words.some((word) => ORDINARY_WORD.test(word.replace(/[^A-Za-z]/g, '')))
  )
}

/**
 * Whether a text is three or more joined words without any that is common in names or instructions:
 * `Nachtzug_nach_Lissabon`.
 */
export function isJoinedWords(text: string): boolean {
  const words = text.split(/[-_.]/)
  return (
    /^\p{L}{1,16}(?:([-_.])\p{L}{1,16})(?:\1\p{L}{1,16}){1,8}$/u.test(text) &&
    text.length >= 12 &&
    !words.some((word) => ORDINARY_WORD.test(word))
  )
}

/** Whether a text is four words or more with blanks between them that make no sentence: `green herring on toast`. */
export function isPhrase(text: string): boolean {
  const words = text.split(' ')
  const isWhole = /^[a-z]{2,12}(?: [a-z]{2,12}){3,11}$/i.test(text)
  return (
    isWhole && words.filter(({ length }) => length > 2).length >= 3 && !words.some((word) => ORDINARY_WORD.test(word))
  )
}

/**
 * Whether a text is a password of words, a number and a capital letter, such as `Copper_lumen7`, without words that are
 * common in names or sentences.
 */
function isWordsAndNumber(text: string): boolean {
  if (!/\d/.test(text) || !/^(?=.{8,40}$)(?=.*\p{Lu})[\p{L}\d]+(?:[-_.][\p{L}\d]+){1,4}$/u.test(text)) return false
  const words = text.match(/\p{L}{2,}/gu) ?? []
  return words.some(({ length }) => length > 3) && !words.some((word) => ORDINARY_WORD.test(word))
}

/** Whether a text looks like a password: letters with digits or signs among them, and neither words nor a name. */
export function isPasswordLike(whole: string): boolean {
  const text = whole.slice(0, MAX_JUDGED_LENGTH)
  if (text.length < 5) return false
  if (isWordsAndNumber(text)) return true
  const isMarked = () =>
    /[0-9]/.test(text) || /[!@#$%^&*+?~][^!@#$%^&*+?~A-Za-z0-9\n]*[A-Za-z0-9]/.test(text) || isRandom(text)
  return /[A-Za-z]/.test(text) && ((isMarked() && !isWordy(text)) || isPassphrase(text))
}

/** Whether a text is the base64 of a user, a colon and a password. */
export function isUserAndPassword(text: string): boolean {
  const [, password] =
    /^[\x20-\x39\x3b-\x7e]*:([\x20-\x7e]+)$/.exec(Buffer.from(text, 'base64').toString('latin1')) ?? []
  return password !== undefined && !isReference(password) && !isReference(text)
}

/**
 * Whether a text looks like nothing but a password, whatever stands around it: long enough, with digits, letters, and
 * signs or both cases among them.
 */
export function isStrong(text: string): boolean {
  if (text.length < 8 || !/\d/.test(text)) return false
  const isMarked = /[!@#$%^&*+?~]/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)) || isRandom(text)
  return isMarked && isPasswordLike(text) && !isReference(text) && !/^pass\w{0,4}\d{1,3}$/i.test(text)
}

/**
 * Whether a text looks like nothing but a password even where a sentence only mentions one: no name, address, version
 * or number of an article.
 */
export function isUnmistakable(text: string): boolean {
  if (!isStrong(text) || /[/\\(){}<>[\]=;,]|@[\w-]+\.\w|^[\w-]+\.[a-z]{2,}$|^[\da-f-]+$|^#|#L\d/i.test(text))
    return false
  const switches = text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []
  return switches.length >= 3 || /[A-Za-z][!#$%^&*?@]\w{0,64}\d|\d[!#$%^&*?]|\d[@+~]\w/.test(text)
}
