/** What stands in place of a secret or says where it is: each a form of its own. */
const REFERENCES = {
  /** `changeme`, `your-api-key`, `xxxx`, `AKIA…EXAMPLE`. */
  placeholder:
    /example|sample|placeholder|change[-_ ]?(?:me|this|it)|redacted|dummy|xxxx|\*\*\*|\.\.\.|…|^(?:my|your|our|the|some|any|no|a|an|fake|mock|test|insert|enter|replace)[-_ ]|[-_]here$|^your|^(.)\1*$/i,
  /** Keys that vendors' documentation shows. */
  documented:
    /4eC39HqLyjWDarjtT1zdp7dc|BQokikJOvBiI2HlWgH4olfQ2|26PHem9AhJZvU623DfE1x4sd|16C7e42F292c6912E7710c838347Ae178B4a|SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c|ABC-DEF1234ghIkl-zyx57W2v1u123ew11|JBSWY3DPEHPK3PXP/,
  word: /^(?:(?:my|your|the|some|db|user|test|super)?[-_]?(?:password|passwd|passphrase|pass|pwd|pw|secret|token|key|apikey|api[-_]key)s?)$/i,
  /** `${NAME}`, `$NAME`, `$(command)`, `%NAME%`, `{{ name }}`, `<name>`, `[name]`, `!tag`, also within a longer text. */
  variable:
    /^\$[A-Za-z_][\w:]*(?:$|[-)>.[\],;])|^\$env:|^%\w+%$|%[sdr]\b|^\{[A-Za-z_]|^@\w+@$|^[<([{][\s\S]*[>)\]}]$|^[<[(]|^\{$|[$#%]\{|\$\(|\{\{|<%|^![A-Za-z]+$|^[|>][-+]?$|^[*&]\w+$/,
  /** `vault:…`, `op://…`, `arn:aws:…`, `file:…`, any other URL, and public keys. */
  elsewhere:
    /^(?:vault|arn|env|file|ref|sm|ssm|gsm|kms|secrets?|keyring|keychain|sops|pass|doppler|infisical|azurekv|awssm|awsps|valueFrom|enc|ssh-\w+|ecdsa-\w+)[:[(\s]|^[a-z][a-z0-9+.-]*:\/\//i,
  path: /^(?:~|\.{1,2}|[A-Za-z]:)[/\\]|^\/(?:home|usr|etc|var|tmp|opt|root|Users|mnt|run|srv|app|workspace|secrets?|data|dev|proc|private|certs?|keys?)(?:\/|$)|^(?:\/[a-z][a-z._-]*){2,}$/,
  /** `config.password`, `this->token`, `getenv("NAME")`, `keys[0]`. */
  expression:
    /^\/[^/\s]*[\\[(^$]|^[a-z_]{2,}\d{0,3}\.[A-Za-z_]|^!?[A-Za-z_$][\w$]*(?:(?:\??\.|->|::)[A-Za-z_$][\w$]*)*[([]|^[A-Za-z_$][A-Za-z_$]*(?:(?:\??\.|->|::|\/)[A-Za-z_$][A-Za-z_$]*)+;?$|^(?:process|os|env|self|this|config|settings|secrets|var|local|data|module|input|args|ctx|req|request)\./,
  hash: /^\$(?:2[abxy]|argon2|[156y]|apr1|pbkdf2|scrypt)|^(?:sha-?(?:1|224|256|384|512)|md5|bcrypt|argon2\w*|pbkdf2\w*|scrypt|scram-\w+)\b|^\{\w+\}/i,
  /** Numbers, dates, versions, sizes and durations; methods that have digits in their names. */
  measure:
    /^[\d\s.,:/+_TZ-]+$|^v?\d+\.\d[\w.+-]*$|^\d+(?:\.\d+)?[-_ ]?(?:[A-Za-z%]{1,3}|bits?|bytes|chars|characters|days?|hours?|minutes?|seconds?|years?)$|^(?:oauth-?[12]|base(?:16|32|36|58|62|64)(?:url)?|utf-?\d+|[rhep]s\d{3}|aes-?\d{3}(?:-\w{3})?|ed25519|x25519|p-?256|u?int\d{1,2}|[245]fa|ipv[46])$/i,
}
/** All patterns by which values are judged, for the version of the rules. */
export const VALUE_PATTERNS: RegExp[] = Object.values(REFERENCES)

/** A value is judged by so many UTF-16 units. */
const MAX_JUDGED_LENGTH = 256

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isUuid = (value: string) => UUID.test(value)

/** Whether a value says where a secret is or what it looks like, rather than being one. */
export function isReference(whole: string): boolean {
  const value = whole.slice(0, MAX_JUDGED_LENGTH)
  return VALUE_PATTERNS.some((pattern) => pattern.test(value)) || isCounted(value)
}

/** Whether a text counts up, as what is typed by hand does: `1234567890abcdef`, `a1b2c3d4e5f6`. */
function isCounted(text: string): boolean {
  const isStep = (from: number, to: number) => to - from === 1 || to === from
  let [near, far] = [0, 0]
  for (let at = 2; at < text.length; at++) {
    const [code, before, beforeThat] = [text.charCodeAt(at), text.charCodeAt(at - 1), text.charCodeAt(at - 2)]
    if (isStep(before, code)) near += 1
    if (isStep(beforeThat, code)) far += 1
  }
  return text.length > 4 && Math.max(near, far) > 0.55 * (text.length - 2)
}

/** Whether most of a text is words and short numbers between separators, as in `my-key-for-ci-2024`. */
function isWordy(text: string): boolean {
  const pieces = text.split(/[-_./:,=\s]+/)
  const length = (all: string[]) => all.reduce((sum, piece) => sum + piece.length, 0)
  return length(pieces.filter((piece) => /^(?:[A-Z]?[a-z]{2,14}|[A-Z]{2,14}|\d{1,4}|[A-Za-z])$/.test(piece))) > 0.6 * length(pieces)
}

/** Whether a text is a name of several words, as programs have: `HTTPPasswordManager`. */
export function isName(text: string): boolean {
  return /^[A-Za-z_]+$/.test(text) && (text.match(/[A-Z]?[a-z]{3,}/g) ?? []).join('').length > 0.6 * text.length
}

/** Whether a text looks drawn at random rather than named by a person: digits among letters, or letters of both cases mixed. */
export function isRandom(whole: string): boolean {
  const text = whole.slice(0, MAX_JUDGED_LENGTH)
  return new Set(text).size >= Math.min(10, text.length / 2) && isMixed(text) && !isWordy(text) && !isCounted(text)
}

function isMixed(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (count(/[0-9]/g) >= 2 && count(/[A-Za-z]/g) >= 3) return true
  return count(/[a-z][A-Z]/g) >= 3 && /[A-Z]{2}|[A-Z][a-z][A-Z]/.test(text)
}

/** Whether a text looks like a password: letters with digits or signs among them, and neither words nor a name. */
export function isPasswordLike(whole: string): boolean {
  const text = whole.slice(0, MAX_JUDGED_LENGTH)
  const isMarked = /[0-9]/.test(text) || /[!@#$%^&*+?~][^!@#$%^&*+?~A-Za-z0-9\n]*[A-Za-z0-9]/.test(text) || isRandom(text)
  return text.length >= 5 && /[A-Za-z]/.test(text) && isMarked && !isWordy(text)
}

/** Whether a text is the base64 of a user, a colon and a password. */
export function isUserAndPassword(text: string): boolean {
  return /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(text, 'base64').toString('latin1'))
}
