/** What a password is called, in many languages, with bars between. What is called so need only look like one. */
export const PASSWORD_NAMES = [
  'password|passwd|passphrase|passcode|passkey|pass|pwd|pw|psw|psk|wpa_passphrase|pre-shared-secret|pass word|rediscli_auth|mysql_pwd',
  'wifi key|wi-fi key|wpa key|wpa2 key|wlan key|network key|wlan-schlüssel|wifi-schlüssel|netzwerkschlüssel|clé wifi|clé wpa|community string',
  'passwort|kennwort|losung|losungswort|zugangscode|wachtwoord|wagwoord|lösenord|adgangskode|kodeord|passord|lykilorð|pasvorto',
  'mot de passe|mdp|contraseña|contrasena|contrasenya|contrasinal|clave|senha|palavra-passe|parola|parolă|pasahitza',
  'hasło|hasła|hasłem|heslo|hesla|heslem|lozinka|lozinku|zaporka|šifra|geslo|slaptažodis|parole|parool|salasana|salasanan|salasõna|jelszó|jelszav|şifre|fjalëkalimi',
  'пароль|пароля|паролем|паролот|парола|лозинка|шифра|κωδικός|κωδικό|συνθηματικό|პაროლი|գաղտնաբառ',
  'kata sandi|kata laluan|mật khẩu|nenosiri|密码|密碼|口令|暗証番号|パスワード|パスコード|비밀번호|패스워드|비번|암호|รหัสผ่าน',
  'पासवर्ड|পাসওয়ার্ড|கடவுச்சொல்|كلمة المرور|كلمة مرور|كلمة سر|كلمة السر|رمز عبور|گذرواژه|پاس ورڈ|סיסמה|סיסמא|סיסמת',
].join('|')
/** What other secrets are called. Much else is called so too, so that a value must look drawn at random. */
export const SECRET_NAMES = [
  'secret|token|apikey|key|credential|cred|auth|pat|pepper|bearer',
  'schlüssel|clé|chiave|chave|sleutel|klucz|nyckel|nøgle|nøkkel|avain|klíč|kľúč|kulcs|anahtar|ključ|ключ|κλειδί|密钥|密鑰|金鑰|秘钥|キー|키|مفتاح|מפתח|कुंजी',
  'jeton|токен|令牌|トークン|토큰|segreto|segredo|secreto',
].join('|')

/**
 * What names a secret only as a word of its own, or behind a word of `BEGINNINGS`: it is a part of other words, such as
 * `compass`.
 */
const SHORT = words(
  'pass|pwd|pw|psw|psk|mdp|clave|parole|šifra|geslo|senha|losung|key|cred|auth|pat|bearer|clé|chave|avain|pepper',
)
const BEGINNINGS = ending(
  'db|pg|user|root|admin|ssh|smtp|ftp|api|app|secret|access|private|auth|account|shared|master|client|store|require|bind|key|become|sudo|vpn|wifi|wlan|mail|my|encryption|signing|deploy|service|license|storage',
)
const CERTAIN = words('secret|token|apikey|credential|cred|auth|jeton|токен|令牌|トークン|토큰')
/** What goes on with the word in languages that inflect: `Lösenordet`, `şifresi`, `пароля`. */
const INFLECTION =
  /^(?:[\u00df-\u04ff]{1,4}|et|en|ets|ens|s|es|n|ne|ni|nı|si|sı|niz|nız|ul|u|a|i|in)(?![\w\u00c0-\u04ff])/i
/** What follows in names of things about a secret: `token_ttl`, `password_hash`, `secretName`. */
const ABOUT = new RegExp(
  `^[-_]?(?:${[
    'file|path|dir|ur[il]|endpoint|name|ids?|arn|type|kind|hash|hashed|digest|hint|len(?:gth)?|min|max|size|count|limit|ttl|age|exp|lifetime|policy|fields?|column|label',
    'placeholder|regex|pattern|prefix|suffix|headers?|param|rotat|reset|manager|store|storage|provider|source|ref|version|number|index|alg|method|mode|scheme|format',
    'enabled|required|optional|valid|bucket|budget|usage|used|cost|per|rate|strength|protect|change|updated|created|at|date|time|days|hours|minutes|seconds|status|state',
    'error|message|text|title|page|form|input|check|verif|helper|service|server|host|port|user|owner|account|group|role|scope|audience|issuer|claims|cache|map|list|set',
    'vault|engine|backend|generator|grant|auth|request|response|flow|code|event',
  ].join('|')})|^[-_](?:key|token|secret|password)`,
  'i',
)
/** What precedes in names of keys and of tokens that are no secrets: `public_key`, `sortKey`, `next_page_token`. */
const OPEN = 'public|page|publishable|anon|unique|ssh|query|state'
const OPEN_KEY = ending(
  `${OPEN}|pub|sort|cache|project|primary|foreign|partition|shard|idempotency|dedup\\w{0,16}|map|row|hash|object|s3|registry|group|lookup|translation|i18n|config|issue|host|fact|index|search|site|composite|natural|surrogate|answer|short|hot|arrow|enter|message|event|track\\w{0,16}|gpg|pgp|store|websocket|data|react|list|item|node|parent|child|session|request|trace|span|run|task|job|file|image|artifact|checksum|etag|commit|content`,
)
const OPEN_TOKEN = ending(
  `${OPEN}|next|continuation|sync|cancel\\w{0,16}|csrf|xsrf|design|stop|start|end|pad|unk|mask|sep|cls|eos|bos`,
)
/**
 * What precedes in names of keys that are secrets. Any other key needs a value that nobody would write for something
 * else.
 */
const SECRET_KEY = ending(
  'api|app|application|access|secret|private|auth|account|shared|master|client|encrypt\\w{0,16}|sign\\w{0,16}|deploy|service|subscription|license|preshared|psk|hmac|jwt|aes|webhook|admin|storage|network|local|crypt\\w{0,16}|routing|integration|functions?|master\\.',
)
/** All patterns by which names are judged, for the version of the rules. */
export const NAME_PATTERNS = [SHORT, BEGINNINGS, CERTAIN, INFLECTION, ABOUT, OPEN_KEY, OPEN_TOKEN, SECRET_KEY]

function words(all: string): RegExp {
  return new RegExp(`^(?:${all})$`, 'i')
}

function ending(all: string): RegExp {
  return new RegExp(`(?:${all})[-_.]?$`, 'i')
}

/** A name that a secret may be assigned to, such as `DB_PASSWORD`. */
export type Name = {
  isPassword: boolean
  /** Where it begins and ends, in UTF-16 units of the text. */
  start: number
  end: number
  /** Whether it ends with the word for a secret, rather than only containing it, as `API_TOKEN_V2` does. */
  isExact: boolean
  /** Whether whatever is so called is a secret, rather than a key of any kind. */
  isCertain: boolean
  /** `pass`, which is most often a verb. */
  isVerb: boolean
  /** `--password`, `DB_PASSWORD`, or `?token` in a URL. */
  form: 'option' | 'setting' | 'query' | 'other'
}

/**
 * Reads the whole name around a word for a secret. Undefined where it is part of another word, or names something about
 * a secret.
 */
export function readName(text: string, start: number, wordEnd: number, isPassword: boolean): Name | undefined {
  const word = text.slice(start, wordEnd)
  const isInflected = isPassword ? !/^(?:pass(?:$|[^o])|p[sw])/i.test(word) : /[^a-z]|^jeton/i.test(word)
  // Most such words are the beginning of another one: `path`, `keyboard`, `authors`.
  if (!isInflected && /[a-z][a-rt-z]/.test(text.slice(wordEnd - 1, wordEnd + 1))) return undefined
  const [inflection = ''] = isInflected ? (INFLECTION.exec(text.slice(wordEnd, wordEnd + 8)) ?? []) : []
  const end = wordEnd + inflection.length
  const [before = ''] = /(?<![\w.$-])[\w.$-]*$/.exec(text.slice(Math.max(0, start - 48), start)) ?? []
  // No name goes on behind the letters of a script without blanks.
  const [after = ''] = /[\u0e00-\u0e7f\u3040-\u9fff]$/.test(word)
    ? []
    : (/^[\w-]*/.exec(text.slice(end, end + 48)) ?? [])
  if (!beginsWord(before, word) || !endsWord(word, after) || ABOUT.test(after)) return undefined
  // Of `api key` and `public key`, the word before says which.
  const owner = before || text.slice(Math.max(0, start - 16), start).trimEnd()
  const isKey = !isPassword && !CERTAIN.test(word)
  if ((isKey && OPEN_KEY.test(owner)) || (/^token$/i.test(word) && OPEN_TOKEN.test(owner))) return undefined
  return {
    isPassword,
    start: start - before.length,
    end: end + after.length,
    isExact: after === '',
    isCertain: !isKey || SECRET_KEY.test(owner),
    isVerb: before === '' && /^pass$/i.test(word),
    form: toForm(before, word + after, text[start - before.length - 1]),
  }
}

function beginsWord(before: string, word: string): boolean {
  const isOwnWord = !/[A-Za-z]$/.test(before) || (/[a-z]$/.test(before) && /^[A-Z]/.test(word))
  return isOwnWord || !SHORT.test(word) || BEGINNINGS.test(before)
}

/** Whether the name goes on with another word, if at all: `tokenizer` and `SECRETARY` do not. A plural does. */
function endsWord(word: string, after: string): boolean {
  const rest = after.replace(/^s(?![A-Za-z])/i, '')
  return !(/^[a-z]/.test(rest) && /[a-z]$/.test(word)) && !(/^[A-Z]/.test(rest) && /[A-Z]$/.test(word))
}

function toForm(before: string, rest: string, previous = ''): Name['form'] {
  if (/[?&;]/.test(previous)) return 'query'
  if (/^--?/.test(before) && /^[\s"']?$/.test(previous)) return 'option'
  return /^[A-Z0-9]*_[A-Z0-9_]*$/.test(before + rest) ? 'setting' : 'other'
}
