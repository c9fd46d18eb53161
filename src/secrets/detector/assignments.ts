import type { Span } from '../spans.ts'
import { findInColumn } from './columns.ts'
import { type Name, readName } from './names.ts'
import { findSaid } from './phrases.ts'
import { isReference } from './references.ts'
import {
  isGarbled,
  isJoinedWords,
  isName,
  isNumber,
  isPasswordLike,
  isPhrase,
  isRandom,
  isStrong,
  isUuid,
} from './values.ts'

const BETWEEN = {
  /**
   * `=`, `:`, `:=`, `=>`, `==`, `<-`, `: string =`, the bar of a table, `","value":"`, the end of an XML tag or of the
   * cell of a table, `--body`, with what closes the name before: `"]`; and what opens a literal, perhaps in a call that
   * decodes it.
   */
  assigned:
    /["'`\])*}]{0,4}[ \t]{0,8}(?:(?::[ \t]?&?[A-Za-z][\w<>[\]|?.]{0,32}[ \t](?==[ \t]))?(?::?={1,3}>?|!==?|:|[-~]>|<-|→)|[:：](?!:)|\|(?![\w|]{1,12}[|)])|\.{3,32}|>(?:<\w{1,12}>)?(?=[^\s<>]{1,256}<\/)|<\/\w{1,8}>\s{0,40}<\w{1,8}>|["']?[ \t]{0,4},?\s{0,40}-?-?["']?\b(?:value|body)["']?[ \t]{0,4}[:= ])[ \t*]{0,16}(?:(?:[\w.]{0,24}(?:from|hex|decode|atob|secret|bytes|str|string)\(){1,2}(?=[brufLN@]?["']))?(?:[{[(]{1,2}\s{0,8}(?=[brufLN@]?["']))?(?:[brufLN@]{1,2}(?=["']))?/y,
  /** `--password …`, `ENV DB_PASSWORD …`, `token   …` */
  blank: /[ \t]{1,16}(?=[^\s=:|-])/y,
  /** `PASSWORD '…'`, `setPassword("…")` */
  quote: /[ \t]{0,4}\(?(?=["'“„«])/y,
  /** `define('DB_PASSWORD', '…')` */
  comma: /["'],[ \t]{0,4}b?(?=["'])/y,
  /** Where the value stands in the next line: `password: |`. */
  below:
    /["'`\])*]{0,4}[ \t]{0,8}[:=](?:[ \t]?[|>][-+]?)?[ \t]{0,4}\\?\r?\n[ \t>]{0,40}(?:[-*][ \t]{1,4})?(?=\S{5,256}(?:\s|$))/y,
}

const VALUE = {
  quoted:
    /(?:"((?:[^"\n\\]|\\.){1,4096})"|'((?:[^'\n\\]|\\.){1,4096})'|`([^`\n]{1,4096})`|[“„«][ \u00a0\u202f]?([^“”„«»\n]{1,4095}?)[ \u00a0\u202f]?[“”»])/y,
  /** In the query of a URL. */
  queried: /[\w%.~+/=!*@:$,-]{1,4096}/y,
  bare: /[^\s"'`<>|]{1,2048}/y,
  /** Where another assignment follows: `;Encrypt=true`, `, host: …`. */
  next: /[;&,](?=\s*[\w-]+\s*[=:]|$)/,
  trailing: /(?<![.,;:)\]}])[.,;:)\]}]+$/,
}
/** All patterns of assignments, for the version of the rules. */
export const ASSIGNMENT_PATTERNS = [...Object.values(BETWEEN), ...Object.values(VALUE)]

/** Finds the secret that is assigned to the name at a place, said of it, or stands in the column below it. */
export function findNamed(kind: 'password' | 'secret') {
  return (text: string, start: number, end: number): Span | Span[] | undefined => {
    const name = readName(text, start, end, kind === 'password')
    if (name === undefined) return undefined
    const assigned = findAssigned(kind, name, text)
    if (assigned !== undefined || !name.isExact || name.form === 'option' || name.form === 'setting') return assigned
    const found = findInColumn(kind, text, start, name.end)
    return found.length > 0 ? found : findSaid(kind, name, text)
  }
}

function findAssigned(kind: string, name: Name, text: string): Span | undefined {
  for (const between of listBetween(name)) {
    between.lastIndex = name.end
    if (!between.test(text)) continue
    const value = readValue(text, between.lastIndex, name)
    if (value === undefined || !isSecret(value.text, name)) continue
    // A list of arguments may go on with anything.
    if (between === BETWEEN.comma && name.isPassword && !isStrong(value.text)) continue
    return { kind, start: value.start, end: value.start + value.text.length }
  }
  return undefined
}

/** What may stand between this name and its value. */
function listBetween({ form, isExact, isVerb }: Name): RegExp[] {
  if (form === 'option') return isExact ? [BETWEEN.assigned, BETWEEN.blank] : [BETWEEN.assigned]
  if (form === 'setting') return [BETWEEN.assigned, BETWEEN.blank, BETWEEN.comma, BETWEEN.below]
  return isExact && !isVerb ? [BETWEEN.assigned, BETWEEN.quote, BETWEEN.comma, BETWEEN.below] : [BETWEEN.assigned]
}

function readValue(text: string, at: number, { form }: Name): { text: string; start: number } | undefined {
  VALUE.quoted.lastIndex = at
  const quoted = VALUE.quoted
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined)
  if (quoted !== undefined) return { text: quoted, start: text.indexOf(quoted, at + 1) }
  const pattern = form === 'query' ? VALUE.queried : VALUE.bare
  pattern.lastIndex = at
  const [bare] = pattern.exec(text) ?? []
  if (bare === undefined) return undefined
  const next = form === 'option' ? -1 : bare.search(VALUE.next)
  return { text: (next < 0 ? bare : bare.slice(0, next)).replace(VALUE.trailing, ''), start: at }
}

/** Whether a value is a secret. */
function isSecret(value: string, name: Name): boolean {
  if (isUuid(value)) return name.isCertain
  if (name.isPassword && name.isExact && (isPhrase(value) || (value.length >= 6 && isNumber(value)))) return true
  if (name.form === 'option' && name.isPassword && isWithBlank(value)) return true
  if (/\s/.test(value) && name.form === 'setting' && isSalt(value)) return true
  if (/\s/.test(value) || !isFitting(value, name)) return false
  return !isName(value) && !isReference(value)
}

/** What nobody would write for a variable of this name but its value, though it consists of words. */
const isStrongSetting = (value: string) => /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,64}$/.test(value)

/** What a blog is installed with: signs of all kinds, blanks among them. */
const isSalt = (value: string) => value.length >= 60 && (value.match(/[^\w\s]/g)?.length ?? 0) >= 10

/** A few words in quotes, one of them with digits between its letters. */
const isWithBlank = (value: string) =>
  /^[^\s=]+(?: [^\s=]+){1,3}$/.test(value) && /[A-Za-z]\d+[A-Za-z]/.test(value) && !isReference(value)

/** The less a name says that it is one of a secret, the more its value must look drawn at random. */
function isFitting(value: string, { isPassword, isExact, isCertain, form }: Name): boolean {
  if (isPassword && isExact)
    return (
      isPasswordLike(value) ||
      isGarbled(value) ||
      (isJoinedWords(value) && !/^[a-z]+(?:\.[a-z]+)+$/i.test(value)) ||
      (form === 'setting' && isStrongSetting(value))
    )
  return (isCertain ? value.length >= 12 : value.length >= 20 && !/^[0-9a-f]+$/i.test(value)) && isRandom(value)
}
