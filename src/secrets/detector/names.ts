/** What a password is called, in many languages, with bars between. What is called so need only look like one. */
export const PASSWORD_NAMES = [
  'password|passwd|passphrase|passcode|passkey|pass|pwd|pw|psw|psk|wpa_passphrase|pre-shared-secret|pass word|rediscli_auth',
  'passwort|kennwort|zugangscode|wachtwoord|wagwoord|lösenord|adgangskode|kodeord|passord|lykilorð|pasvorto',
  'mot de passe|mdp|contraseña|contrasena|contrasenya|contrasinal|clave|senha|palavra-passe|parola|parolă|pasahitza',
  'hasło|hasła|heslo|hesla|lozinka|zaporka|šifra|geslo|slaptažodis|parole|parool|salasana|salasõna|jelszó|jelszav|şifre|fjalëkalimi',
  'пароль|пароля|паролем|паролот|парола|лозинка|шифра|κωδικός|κωδικό|συνθηματικό|პაროლი|գաղտնաբառ',
  'kata sandi|kata laluan|mật khẩu|nenosiri|密码|密碼|口令|暗証番号|パスワード|パスコード|비밀번호|패스워드|비번|암호|รหัสผ่าน',
  'पासवर्ड|পাসওয়ার্ড|கடவுச்சொல்|كلمة المرور|كلمة مرور|كلمة سر|كلمة السر|رمز عبور|گذرواژه|پاس ورڈ|סיסמה|סיסמא|סיסמת',
].join('|')
/** What other secrets are called. Much else is called so too, so that a value must look drawn at random. */
export const SECRET_NAMES = 'secret|token|apikey|key|credential|cred|auth|pat'

const PATTERNS = {
  /** These are parts of other words, such as `compass`, so that only a word of its own counts, or one behind such a beginning. */
  short: /^(?:pass|pwd|pw|psw|psk|mdp|clave|parole|šifra|geslo|senha|key|cred|auth|pat)$/i,
  beginning:
    /(?:db|pg|user|root|admin|ssh|smtp|ftp|api|app|secret|access|private|auth|account|shared|master|client|store|require|bind|key|become|sudo|vpn|wifi|wlan|mail|my|encryption|signing|deploy|service|license|storage)$/i,
  /** Endings of words in languages that inflect them: `Lösenordet`, `şifresi`, `пароля`. */
  ending: /^(?:[\u00df-\u04ff]{1,4}|et|en|ets|ens|s|es|n|ne|ni|nı|si|sı|niz|nız|ul|u|a|i|in)(?![\w\u00c0-\u04ff])/i,
  /** What follows in names of things about a secret: `token_ttl`, `password_hash`, `secretName`. */
  about:
    /^[-_]?(?:file|path|dir|ur[il]|endpoint|name|ids?|arn|type|kind|hash|hashed|digest|hint|len(?:gth)?|min|max|size|count|limit|ttl|age|exp|lifetime|policy|fields?|column|label|placeholder|regex|pattern|prefix|suffix|headers?|param|rotat|reset|manager|store|storage|provider|source|ref|version|number|index|alg|method|mode|scheme|format|enabled|required|optional|valid|bucket|budget|usage|used|cost|per|rate|strength|protect|change|updated|created|at|date|time|days|hours|minutes|seconds|status|state|error|message|text|title|page|form|input|check|verif|helper|service|server|host|port|user|owner|account|group|role|scope|audience|issuer|claims|cache|map|list|set|vault|engine|backend|generator|grant|auth|request|response|flow|code|event)|^[-_](?:key|token|secret|password)/i,
  /** What precedes in names of keys and of tokens that are no secrets: `public_key`, `sortKey`, `next_page_token`. */
  openKey:
    /(?:public|pub|sort|cache|project|primary|foreign|partition|shard|routing|idempotency|dedup\w{0,16}|map|row|hash|object|s3|registry|group|lookup|translation|i18n|config|issue|host|fact|index|search|page|site|publishable|anon|unique|composite|natural|surrogate|answer|short|hot|arrow|enter|message|event|track\w{0,16}|ssh|gpg|pgp|query|state|store|websocket|data|react|list|item|node|parent|child|session|request|trace|span|run|task|job|file|image|artifact|checksum|etag|commit|content)[-_.]?$/i,
  openToken:
    /(?:public|page|next|continuation|sync|cancel\w{0,16}|csrf|xsrf|design|stop|start|end|pad|unk|mask|sep|cls|eos|bos|publishable|anon|unique|ssh|query|state)[-_.]?$/i,
  /** What precedes in names of keys that are secrets. Any other key needs a value that nobody would write for something else. */
  secretKey:
    /(?:api|app|application|access|secret|private|auth|account|shared|master|client|encrypt\w{0,16}|sign\w{0,16}|deploy|service|license|preshared|psk|hmac|jwt|aes|webhook|admin|storage|crypt\w{0,16})[-_.]?$/i,
}
/** All patterns by which names are judged, for the version of the rules. */
export const NAME_PATTERNS = Object.values(PATTERNS)

/** A name that a secret may be assigned to, such as `DB_PASSWORD`. */
export type Name = {
  isPassword: boolean
  /** Where it ends, in UTF-16 units of the text. */
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

/** Reads the whole name around a word for a secret. Undefined where it is part of another word, or names something about a secret. */
export function readName(text: string, start: number, wordEnd: number, isPassword: boolean): Name | undefined {
  const word = text.slice(start, wordEnd)
  const [ending = ''] =
    isPassword && !/^(?:pass(?:$|[^o])|p[sw])/i.test(word) ? (PATTERNS.ending.exec(text.slice(wordEnd, wordEnd + 8)) ?? []) : []
  const end = wordEnd + ending.length
  const [before = ''] = /(?<![\w.$-])[\w.$-]*$/.exec(text.slice(Math.max(0, start - 48), start)) ?? []
  const [after = ''] = /^[\w-]*/.exec(text.slice(end, end + 48)) ?? []
  if (!beginsWord(before, word) || !endsWord(word, after) || PATTERNS.about.test(after)) return undefined
  // Of `api key` and `public key`, the word before says which.
  const owner = before || text.slice(Math.max(0, start - 16), start).trimEnd()
  const isKey = /^key$/i.test(word)
  if ((isKey && PATTERNS.openKey.test(owner)) || (/^token$/i.test(word) && PATTERNS.openToken.test(owner))) return undefined
  return {
    isPassword,
    end: end + after.length,
    isExact: after === '',
    isCertain: !isKey || PATTERNS.secretKey.test(owner),
    isVerb: before === '' && /^pass$/i.test(word),
    form: toForm(before, word + after, text[start - before.length - 1]),
  }
}

function beginsWord(before: string, word: string): boolean {
  const isOwnWord = !/[A-Za-z]$/.test(before) || (/[a-z]$/.test(before) && /^[A-Z]/.test(word))
  return isOwnWord || !PATTERNS.short.test(word) || PATTERNS.beginning.test(before)
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
