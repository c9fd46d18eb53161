/** What stands in place of a secret or says where it is: each a form of its own. */
const REFERENCES = {
  /** `changeme`, `your-api-key`, `xxxx`, `AKIA…EXAMPLE`. */
  placeholder:
    /example|sample|placeholder|change[-_ ]?(?:me|this|it)|redacted|dummy|xxxx|\*\*\*|\.\.\.|…|^(?:my|your|our|the|some|any|no|a|an|fake|mock|test|insert|enter|replace)[-_ ]|[-_]here$|^your|^(.)\1*$/i,
  /** Keys that vendors' documentation shows. */
  documented:
    /4eC39HqLyjWDarjtT1zdp7dc|BQokikJOvBiI2HlWgH4olfQ2|26PHem9AhJZvU623DfE1x4sd|16C7e42F292c6912E7710c838347Ae178B4a|SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c|ABC-DEF1234ghIkl-zyx57W2v1u123ew11|AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw|2YotnFZFEjr1zCsicMWpAA|tGzv3JOkF0XG5Qx2TlKWIA|6LeIxAcTAAAAA|JBSWY3DPEHPK3PXP|^QWxhZGRpbjpvcGVu|^dGhlIHNhbXBsZSBub25jZQ|^Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq|AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY/,
  word: /^(?:(?:my|your|the|some|db|user|test|super)?[-_]?(?:password|passwd|passphrase|pass|pwd|pw|secret|token|key|apikey|api[-_]key)s?)$/i,
  /**
   * `${NAME}`, `$NAME`, `$(command)`, `%NAME%`, `{{ name }}`, `<name>`, `[name]`, `!tag`, also within a longer text.
   */
  variable:
    /^\$[A-Za-z_][\w:]*(?:$|[-)>.[\],;])|^\$env:|^%\w+%$|(?<!\w)%[sdr](?!\w)|^\{[A-Za-z_]|^@\w+@$|^[<([{][\s\S]*[>)\]}]$|^[<[(]|^\{$|[$#%]\{|\$\(|\{\{|<%|^![A-Za-z][\w-]*$|^[|>][-+]?$|^[*&]\w+$|\[\^?(?:a-z|A-Z|0-9|\\[wd])|\\[wd][+*{]/,
  /** `vault:…`, `op://…`, `arn:aws:…`, `file:…`, any other URL, and public keys. */
  elsewhere:
    /^1password|^@Microsoft\.KeyVault\(|^Ag[A-D][A-Za-z0-9+/=]{90}|^(?:vault|arn|env|file|ref|sm|ssm|gsm|kms|secrets?|keyring|keychain|sops|pass|doppler|infisical|azurekv|awssm|awsps|valueFrom|enc|ssh-\w+|ecdsa-\w+)[:[(\s]|^[a-z][a-z0-9+.-]*:\/\//i,
  path: /^(?:~|\.{1,2}|[A-Za-z]:)[/\\]|^\/(?:home|usr|etc|var|tmp|opt|root|Users|mnt|run|srv|app|workspace|secrets?|data|dev|proc|private|certs?|keys?)(?:\/|$)|^(?:\/[a-z][a-z._-]*){2,}$/,
  /** `config.password`, `this->token`, `getenv("NAME")`, `keys[0]`. */
  expression:
    /^\/[^/\s]{0,128}[\\[(^$]|^[a-z_]{2,64}\d{0,3}\.[A-Za-z_](?![\w.-]{0,64}\d[!?#$%]?$)|^!?[A-Za-z_$][\w$]{0,64}(?:(?:\??\.|->|::)[A-Za-z_$][\w$]{0,64}){0,16}[([]|^[A-Za-z_$]{1,64}(?:(?:\??\.|->|::|\/)[A-Za-z_$]{1,64}){1,16};?$|^[a-z]{1,64}(?:_[a-z]{1,64}){1,16}\d?$|^(?:process|os|env|self|this|config|settings|secrets|var|local|data|module|input|args|ctx|req|request)\./,
  hash: /^\$(?:2[abxy]|argon2|[156y]|apr1|pbkdf2|scrypt)|^(?:sha-?(?:1|224|256|384|512)|md5|bcrypt\d*|argon2\w*|pbkdf2\w*|scrypt|scram-\w+)\b|^\{\w+\}/i,
  /** Numbers, dates, versions, sizes and durations; methods that have digits in their names. */
  measure:
    /^[\d\s.,:/+_TZ-]+$|^v?\d+\.\d[\w.+-]*$|^\d+(?:\.\d+)?[-_ ]?(?:[A-Za-z%]{1,3}|bits?|bytes|chars|characters|days?|hours?|minutes?|seconds?|years?)$|^(?:oauth-?[12]|base(?:16|32|36|58|62|64)(?:url)?|utf-?\d+|[rhep]s\d{3}|aes-?\d{3}(?:-\w{3})?|ed25519|x25519|p-?256|u?int\d{1,2}|[245]fa|ipv[46])$/i,
}
/** All patterns by which values are judged, for the version of the rules. */
export const VALUE_PATTERNS: RegExp[] = Object.values(REFERENCES)

/** A value is judged by so many UTF-16 units. */
export const MAX_JUDGED_LENGTH = 256

/** Whether a value says where a secret is or what it looks like, rather than being one. */
export function isReference(whole: string): boolean {
  const value = whole.slice(0, MAX_JUDGED_LENGTH)
  return VALUE_PATTERNS.some((pattern) => pattern.test(value)) || isCounted(value)
}

/** Whether a token is one that documentation shows, or stands in place of one. */
export function isPlaceholder(token: string): boolean {
  return (
    (token.length < 60 && REFERENCES.placeholder.test(token)) ||
    REFERENCES.documented.test(token) ||
    isCounted(token.slice(0, MAX_JUDGED_LENGTH))
  )
}

/** Whether a text counts up, as what is typed by hand does: `1234567890abcdef`, `a1b2c3d4e5f6`. */
export function isCounted(text: string): boolean {
  const isStep = (from: number, to: number) => to - from === 1 || to === from
  let [near, far] = [0, 0]
  for (let at = 2; at < text.length; at++) {
    const [code, before, beforeThat] = [text.charCodeAt(at), text.charCodeAt(at - 1), text.charCodeAt(at - 2)]
    if (isStep(before, code)) near += 1
    if (isStep(beforeThat, code)) far += 1
  }
  return text.length > 4 && Math.max(near, far) > 0.55 * (text.length - 2)
}
