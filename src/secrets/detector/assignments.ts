import type { Span } from '../spans.ts'
import { type Name, readName } from './names.ts'
import { isName, isNumber, isPassphrase, isPasswordLike, isRandom, isReference, isStrong, isUuid } from './values.ts'

const BETWEEN = {
  /**
   * `=`, `:`, `:=`, `=>`, `: string =`, the bar of a table, `","value":"`, the end of an XML tag, with what closes the name before: `"]`; and what opens a
   * literal.
   */
  assigned:
    /["'`\])*]{0,4}[ \t]{0,8}(?:(?::[ \t]?[A-Za-z][\w<>[\]|?.]{0,32}[ \t](?==[ \t]))?(?::?=>?|=:|->|→)|[:：](?!:)|\||>(?=[^\s<>]{1,256}<\/)|["']?[ \t]{0,4},?\s{0,40}-?["']?\bvalue["']?[ \t]{0,4}[:=])[ \t*]{0,8}(?:[brufLN@]{1,2}(?=["']))?/y,
  /** `--password …`, `ENV DB_PASSWORD …` */
  blank: /[ \t]{1,4}(?=[^\s=:|-])/y,
  /** `PASSWORD '…'`, `setPassword("…")` */
  quote: /[ \t]{0,4}\(?(?=["'“„«])/y,
  /** `define('DB_PASSWORD', '…')` */
  comma: /["'],[ \t]{0,4}(?=["'])/y,
  /** `password for the old server is …`, `password of ana: …`, `password's …`, `パスワードは…` */
  prose:
    /(?:[ \t][^\s:="`,;.]{1,24}){0,8}?(?:[ \t](?:is|was|are|ist|war|lautet|es|est|era|é|è|är|er|var|jest|to|je|on|este|adalah|ialah|là|yra|ir|ni|są|будет|είναι|है|هي|هو|است|היא|הוא|as|[—–-])|['’]s)(?:[ \t]?:|[ \t](?:now|still|jetzt|simply|nu|nun|ora|ahora|maintenant|agora|teraz|теперь|(?:changed|set|reset|updated)[ \t]to))?[ \t]+|(?:[ \t][^\s:="`,;.]{1,24}){1,8}[ \t]?:[ \t]+|[^\s!-~]{0,24}?(?:[ \t][^\s!-~]{1,24}){0,3}?(?:は|是|为|為|는|은|คือ|ですが)[:：]?[ \t]?/y,
  /** `the password, it's …` */
  told: /(?:[ \t][^\s:="`,;.]{1,24}){0,8}?,?[ \t](?:it|that|which)(?:['’]s|[ \t]is)[ \t]+/y,
  /** `<key>password</key><string>…`, and where the value stands in the next line: `password: |`. */
  below:
    /<\/key>\s{0,40}<string>|["'`\])*]{0,4}[ \t]{0,8}(?::|=)(?:[ \t]?[|>][-+]?)?[ \t]{0,4}\\?\r?\n[ \t>]{0,40}(?:[-*][ \t]{1,4})?(?=\S{5,256}(?:\s|$))/y,
  /** `what is the password of the router?`, and the answer, alone in the next line, perhaps behind who says it. */
  answered:
    /[^\n:=]{0,60}\n(?:\[[\d:., apm-]{4,20}\][ \t])?(?:<[\w.-]{1,32}>|[\w.-]{1,32}:|>)?[ \t]{0,8}(?=\S{6,64}(?:,[ \t]|[ \t]{0,4}(?:\n|$)))/y,
  /** `password …` */
  nothing: /[ \t]{1,2}(?=[^\s"'`(<[{=:|-])/y,
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
/** `use … as the password`, `… is the password of the router`, up to the name. */
const REVERSED =
  /(?:^|[\s("'`“])(?:[\w.@-]{2,32}[:/])?(?<secret>[^\s"'`“”<>()]{8,64})["'`”]?[ \t](?:is|was|are|as|ist|als|es|est|è|é|for|comme|como|come)[ \t](?:[a-z]{1,12}[ \t]){0,3}$/di

/** All patterns of assignments, for the version of the rules. */
export const ASSIGNMENT_PATTERNS = [...Object.values(BETWEEN), ...Object.values(VALUE), REVERSED]

/** What may as well stand before anything else: the value must look like nothing but a password. */
const BY_LOOKS = new Set([BETWEEN.answered, BETWEEN.comma])

/** Finds the secret that is assigned to the name at a place, or said of it. */
export function findAssigned(kind: 'password' | 'secret') {
  return (text: string, start: number, end: number): Span | undefined => {
    const name = readName(text, start, end, kind === 'password')
    if (name === undefined) return undefined
    for (const between of listBetween(name)) {
      between.lastIndex = name.end
      if (!between.test(text)) continue
      const value = readValue(text, between.lastIndex, name)
      const isSaid = between === BETWEEN.prose || between === BETWEEN.told || between === BETWEEN.nothing || between === BETWEEN.quote
      if (BY_LOOKS.has(between) && !isStrong(value?.text ?? '')) continue
      if (value !== undefined && isSecret(value.text, name, isSaid))
        return { kind, start: value.start, end: value.start + value.text.length }
    }
    return undefined
  }
}

/** Finds a password that is said before its name. */
export function findBefore(text: string, start: number): Span | undefined {
  if (text[start - 1] !== ' ') return undefined
  const from = Math.max(0, start - 128)
  const [at, end] = REVERSED.exec(text.slice(from, start))?.indices?.groups?.secret ?? [0, 0]
  const said = text.slice(from + at, from + end)
  return isStrong(said) || /^[A-Za-z]{3,16}[#$!%&*][A-Za-z]{3,16}$/.test(said)
    ? { kind: 'password', start: from + at, end: from + end }
    : undefined
}

/** What may stand between this name and its value. */
function listBetween({ form, isExact, isCertain, isPassword, isVerb }: Name): RegExp[] {
  if (form === 'option') return isExact ? [BETWEEN.assigned, BETWEEN.blank] : [BETWEEN.assigned]
  if (form === 'setting') return [BETWEEN.assigned, BETWEEN.blank, BETWEEN.comma, BETWEEN.below]
  if (!isExact || isVerb) return [BETWEEN.assigned]
  if (!isPassword) return [BETWEEN.assigned, BETWEEN.prose, BETWEEN.below, ...(isCertain ? [BETWEEN.quote, BETWEEN.nothing] : [])]
  return [BETWEEN.assigned, BETWEEN.quote, BETWEEN.comma, BETWEEN.prose, BETWEEN.told, BETWEEN.nothing, BETWEEN.below, BETWEEN.answered]
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
function isSecret(value: string, name: Name, isSaid: boolean): boolean {
  if (isUuid(value)) return name.isCertain
  if (name.isPassword && name.isExact && !isSaid && (isPhrase(value) || (value.length >= 6 && isNumber(value)))) return true
  if (name.form === 'option' && name.isPassword && isWithBlank(value)) return true
  if (/\s/.test(value) || !isFitting(value, name, isSaid)) return false
  return !isName(value) && !isReference(value)
}

/** Words with blanks between them, that make no sentence. */
const isPhrase = (value: string) => /^[a-z]+(?: [a-z]+){3,11}$/i.test(value) && isPassphrase(value)

/** What nobody would write for a variable of this name but its value, though it consists of words. */
const isStrongSetting = (value: string) => /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,64}$/.test(value)

/** A few words in quotes, of which one has digits between its letters. */
const isWithBlank = (value: string) => /^[^\s=]+(?: [^\s=]+){1,3}$/.test(value) && /[A-Za-z]\d+[A-Za-z]/.test(value) && !isReference(value)

/** The less a name says that it is one of a secret, the more its value must look drawn at random. */
function isFitting(value: string, { isPassword, isExact, isCertain, form }: Name, isSaid: boolean): boolean {
  if (isPassword && isExact) return isPasswordLike(value) || (form === 'setting' && isStrongSetting(value))
  if (isCertain && !isSaid) return value.length >= 12 && isRandom(value)
  return value.length >= 20 && isRandom(value) && !/^[0-9a-f]+$/i.test(value)
}
