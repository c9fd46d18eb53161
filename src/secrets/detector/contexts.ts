import { HEX32, isAny, isLongToken, isToken, type Row, UUID, VALUE } from './context.ts'
import { PASSWORD_ROWS } from './password-contexts.ts'
import { PROGRAMS } from './programs.ts'
import { isPlaceholder, isReference } from './references.ts'
import { isUnmistakable, isUserAndPassword, isUuid } from './values.ts'

/**
 * The same with one expression, which is tried behind the keyword. The groups `secret` and `quoted` hold the secret.
 */
type Context = [kind: string, keywords: string, pattern: RegExp, isSecret: Row[4]]

const QUERY = '[\\w%+/=.:|~-]{20,4096}'
const SET = '["\' ]{0,2}[=:]["\' ]{0,2}'
/**
 * After the first line of a private key come headers or base64, perhaps behind numbers of lines or marks of a diff;
 * without them the line is only spoken of. It goes on to its last line, or, where that is cut off, to the end of its
 * base64.
 */
const MARKS = '(?:\\d{1,6}[^A-Za-z0-9]{1,8})?'
const PEM = `[^A-Za-z0-9]{0,40}${MARKS}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash):|[A-Za-z0-9+/=]{16})(?:(?:[^-]|-(?!----)){0,16384}(?=-----END)|(?:[^A-Za-z0-9]{0,24}${MARKS}[A-Za-z0-9+/=]{16,80}){0,400})`
const ROWS: Row[] = [
  ['private key', '-----BEGIN', ' (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----', PEM, isAny],
  ['private key', '-----BEGIN OpenVPN Static key', ' V1-----\\s{1,4}', '(?:[0-9a-f]{32}\\s{0,4}){1,16}', isAny],
  ['private key', 'encrypted secret key', '\\s{1,3}', '[A-Za-z0-9+/]{60,300}={0,2}', isToken],
  [
    'private key',
    'Private-Lines:',
    ' \\d{1,3}\\s{1,4}',
    '[A-Za-z0-9+/=]{4,100}(?:\\s{1,4}[A-Za-z0-9+/=]{4,100}(?=[\\s"]|$)){0,99}',
    isAny,
  ],
  ['url with a password', '://', '', '[^\\s:@/?#"\'<>]{0,256}:[^\\s@/?"\'<>]{1,256}(?=@[\\w[$])', hasPassword],
  [
    'authorization header',
    'authorization',
    '["\'\\s]{0,3}[:=,]["\'\\s]{0,4}(?:[a-z][\\w-]{2,24}\\s{1,4})?(?:token=)?["\']?',
    '[\\w.~+/=:-]{16,4096}',
    isToken,
  ],
  ['authorization header', 'bearer', '["\'\\s:=\\\\]{1,4}', '[\\w.~+/=-]{16,8192}', isToken],
  ['authorization header', 'basic', '["\'\\s:=\\\\]{1,4}', '[A-Za-z0-9+/=_-]{8,4096}', isUserAndPassword],
  ['authorization header', 'SSWS ', '', '[\\w-]{36,60}', isToken],
  ['authorization header', 'PVEAPIToken', '=[\\w.@-]{1,64}![\\w-]{1,32}=', UUID, isUuid],
  ['cookie', 'cookie:', '[ \\t]{0,4}', '[^\\n"\']{8,4096}', hasToken],
  ['cookie', '.AspNetCore.|.ASPXAUTH|.ROBLOSECURITY', '\\w*(?:\\.\\w+){0,3}=', QUERY, isToken],
  [
    'cookie',
    'sessionid=|PHPSESSID=|JSESSIONID=|connect.sid=|laravel_session=|_session=|sessid=|session=|auth_token=|remember_token=',
    '',
    QUERY,
    (secret) => isToken(secret) && !isUuid(secret),
  ],
  [
    'ethereum',
    'accounts|private',
    '(?!-mac)(?:_?[ ]?keys?)?["\']?[^\\n"\']{0,24}[\\s[:=]{1,8}["\']?(?:0x)?',
    '[0-9a-f]{64}(?![0-9a-f])',
    isToken,
  ],
  [
    'seed phrase',
    'seed|mnemonic|recovery',
    '(?:[-_ ](?:phrase|words?|seed|code))?[^\\n:="]{0,40}(?:[:=]|\\b(?:is|are)\\b)["\'\\s]{0,4}',
    '(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}\\b',
    (secret) => new Set(secret.split(/[ ,]+/)).size > 8,
  ],
  [
    'backup codes',
    'backup|recovery|rescue|scratch',
    '[-_ ](?:codes?|keys?)\\b[^\\n:=]{0,30}[:=]\\s{0,4}(?:[-*\\d.]{1,3}\\s)?',
    '(?:[a-z0-9]{4,8}(?:[- ][a-z0-9]{4,8}){1,7}[\\s,;/]{0,3}){1,20}',
    (secret) => /\d/.test(secret) && !isPlaceholder(secret),
  ],
  ['signed url', '?Signature=|&Signature=', '', QUERY, isLongToken],
  ['signed url', '?sig=|&sig=|X-Amz-Signature=|X-Goog-Signature=|X-Amz-Security-Token=', '', QUERY, isToken],
  [
    'secret',
    'cf_key|x-auth-key|app_key|sonar.login',
    `["'\`)]{0,3}(?:${SET}|",\\s?")`,
    '[0-9a-f]{32,64}(?![0-9a-z])',
    isToken,
  ],
  [
    'one-time code',
    'authenticator|2fa|totp|mfa|otp s|two-factor|2-faktor',
    '[^\\n]{1,160}?(?<![A-Za-z0-9])',
    '(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}(?![A-Za-z0-9])|(?:[a-z2-7]{4} ){7}[a-z2-7]{4}(?![A-Za-z0-9])|(?=[A-Z2-7]{16})[A-Z2-7]{16,64}(?![A-Za-z0-9])',
    (secret) =>
      /[2-7].*[2-7]/.test(secret) && !/[a-z]/.test(secret.slice(1)) === /[A-Z]/.test(secret) && !isReference(secret),
  ],
  ['one-time code', 'otpauth://', '[^\\s"\'<>]{0,200}?[?&]secret=', '[A-Z2-7a-z]{16,128}', isToken],
  [
    'secret',
    'Client(|search(|.sign(|.encode(|.verify(|createHmac(|hmac.new(|Fernet(|AES.new(|ApiKey(|Api(|API(|init(|Token(|Key(',
    '(?:[^"\'\\n()]{1,40},\\s?|["\'][\\w-]{1,32}["\'],\\s?)?b?',
    '(?:["\'](?<quoted>[^"\'\\s]{24,256})["\'])',
    isLongToken,
  ],
  ['twilio', 'AC', '[a-f0-9]{32}["\']?[\\s,:;/|&]{1,4}["\']?', `${HEX32}(?![a-f0-9])`, isToken],
  ['vault', 'unseal', '[^\\n]{0,40}?[ \\t:=]["\'`]?', '(?:[A-Za-z0-9+/]{43}=|[a-f0-9]{64,66}(?!\\w))', isToken],
  [
    'kubernetes',
    '--token|bootstrap',
    '[^\\n]{0,16}?[ =:"]',
    '[a-z0-9]{6}\\.[a-z0-9]{16}(?![\\w.])',
    (secret) => !isPlaceholder(secret),
  ],
  ['private key', '"d":|"k":', '\\s?"', '[\\w-]{43,1024}(?=")', isToken],
  ['secret', 'hmac-sha256|hmac-sha512|hmac-md5', '["\':]{0,2} (?:secret )?"?', '[A-Za-z0-9+/]{42,88}={1,2}', isToken],
  ['secret', '_SALT', '["\'],[ \\t]{0,4}["\']', '[^"\'\\n]{40,90}(?=["\'])', isAny],
  [
    'secret',
    'insert into ',
    '[^\\n(]{0,80}\\([^)\\n]{0,200}(?:pass|secret|token|key|pwd)[^)\\n]{0,100}\\)\\s{0,8}values\\s{0,4}\\([^\\n]{0,300}?["\']',
    '(?=[^"\'\\n]{0,64}\\d)(?=[^"\'\\n]{0,64}[A-Za-z])[^"\'\\s@]{10,256}(?=["\'])',
    (secret) => isUnmistakable(secret) || isLongToken(secret),
  ],
  ['secret', 'hash_salt', `'?\\]?${SET}`, '[\\w-]{43,128}', isToken],
  ['secret', 'erlang.cookie|erlang cookie', '["\': =]{1,4}', '[A-Z]{20}(?!\\w)', isAny],
  ['secret', 'SecretID|secret_id|secret-id', '["\': =]{1,5}', UUID, isUuid],
  [
    'aws',
    'secret_access_key|secretAccessKey|secret access key',
    '["\'\\\\ \\t:=]{1,8}(?:is )?',
    '[A-Za-z0-9+/]{40,}',
    isToken,
  ],
  ['docker', '"auth"', '\\s{0,4}:\\s{0,4}"', '[A-Za-z0-9+/=]{8,4096}(?=")', isUserAndPassword],
  ['npm', ':_auth', SET, '[A-Za-z0-9+/=]{8,512}', isUserAndPassword],
  ['npm', ':_authToken', SET, '[^\\s"\'$<{]{8,512}', isToken],
  ['npm', ':_authToken', ' ', UUID, isUuid],
  ['private address', '/private-', '', `${HEX32}(?=/\\w)`, isToken],
  ['private address', '/owa/calendar/', '', '[a-f0-9]{32}@[\\w.-]{1,100}/[a-f0-9]{20,80}', isToken],
  [
    'private address',
    '/invite/|/reset/|/reset-password/|/magic/|/verify/|/unsubscribe/|/share/|/join/',
    '',
    '[\\w-]{32,256}(?![\\w./-])',
    isLongToken,
  ],
  ['memsvc link', '/console/enter/|/console/join/', '', '[\\w-]{43,}', isToken],
  [
    'web hook',
    '.webhook.office.com/',
    '[\\w./-]{1,60}',
    '[\\w-]{36}@[\\w-]{36}/IncomingWebhook/[\\w/-]{60,120}',
    isToken,
  ],
  ['web hook', '/api/webhooks/', '\\d{17,20}/', '[\\w-]{60,80}', isToken],
  ['web hook', 'hooks.zapier.com/', 'hooks/catch/', '\\d{4,12}/[a-z0-9]{6,16}', isAny],
  ['web hook', '/with/key/', '', '[\\w-]{18,64}', isToken],
  ['web hook', '/open-apis/bot/', '(?:v2/)?hook/', '[a-f0-9-]{32,40}', isAny],
  ['web hook', '/cgi-bin/webhook/send?key=', '', UUID, isUuid],
  ['web hook', '.make.com/', '', '[a-z0-9]{28,40}(?![\\w/-])', isToken],
  ['web hook', '/hooks/', '', '(?:[a-z0-9]{26}|[A-Za-z0-9]{17,24}/[A-Za-z0-9]{40,80})(?![\\w/-])', isToken],
  ['url with a key', '/v3/', '', `${HEX32}(?![\\w/])`, isToken],
  ['url with a key', '.g.alchemy.com/v2/', '', '[\\w-]{20,40}', isToken],
]

function hasToken(cookies: string): boolean {
  return cookies.split(/[;=]\s?/, MAX_COOKIES).some(isToken)
}

/** Names and values of a `Cookie` header that are looked at. */
const MAX_COOKIES = 40

const toPattern = (between: string, form: string) =>
  new RegExp(between + (form.includes('(?<') ? form : `(?<secret>${form})`), /\\p\{/.test(between) ? 'diuy' : 'diy')

export const CONTEXTS: Context[] = [...ROWS, ...PASSWORD_ROWS].map(([kind, keywords, between, form, isSecret]) => [
  kind,
  keywords,
  toPattern(between, form),
  isSecret,
])

/** The names of programs, and the same as in a context. */
export const COMMANDS: [programs: string, pattern: RegExp, isSecret: Row[4]][] = PROGRAMS.map(
  ([names, before, isSecret]) => [names, toPattern(`[^\\n|;]{0,200}?[ \\t]${before}`, VALUE), isSecret],
)

/** `userinfo` is a user, a colon and a password. A password that equals the user belongs to a fresh installation. */
function hasPassword(userinfo: string): boolean {
  const at = userinfo.indexOf(':')
  const [user, password] = [userinfo.slice(0, at), userinfo.slice(at + 1)]
  return password.length >= 4 && password !== user && !isReference(password)
}
