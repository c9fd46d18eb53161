import { HEX32, isAny, isArgument, isGiven, isPassword, type Row, VALUE } from './context.ts'
import { isStrong, isUnmistakable } from './values.ts'

const WORD = '[^\\s:"]{4,128}(?=[\\s"]|$)'
const LITERAL = '["\'](?<secret>[^"\'\\n]{4,128})["\']'
/** Functions and methods that take a password behind a user, or behind an address and a user. */
const LOGIN_CALL =
  '[ \\t\\n]{0,16}(?:[^\\n"\'(]{0,60}["\'][^"\'\\n]{0,200}["\'][ \\t]*,\\s{0,16}|[\\w.$]{1,40}[ \\t]*,\\s{0,16}){1,3}'
/** `credentials: admin / …`, `login with admin:…`, `log in as ana with …` */
const USER = '(?:[ \\t]{1,2}[\\p{L}-]{1,16}){0,5}[ \\t]?(?:[:=][ \\t]{0,2}|[ \\t]{1,2})["\'`]?[\\w.@-]{2,64}["\'`]?'

/** What stands before passwords and their hashes. */
export const PASSWORD_ROWS: Row[] = [
  [
    'password',
    'user|username|login|utente|usuario|benutzer',
    '[ \\t:=]{1,2}["\'`]?[\\w.@+-]{2,64}["\'`]?[ \\t]?[,/;]?[ \\t]?(?:and[ \\t])?(?:pass|pw|pwd)[ \\t:=]{1,3}["\'`]?',
    '[^\\s"\'`,;]{5,64}',
    isPassword,
  ],
  // Beside an address of mail stands much else: rooms, teams, devices. Only a password has such signs too.
  [
    'password',
    '@',
    '[\\w-]{2,32}(?:\\.[\\w-]{2,24}){1,3}(?:[ \\t]?[/:|][ \\t]?|[ \\t](?:and|und|et|y|e|en)[ \\t])',
    '[^\\s/:"\'`,]{8,64}',
    (secret) => isStrong(secret) && /[!#$%&*?]/.test(secret) && !secret.includes('@'),
  ],
  ['password', 'admin|root', '["\'`]?[/:|]["\'`]?', '[^\\s/:"\'`,;]{6,64}', isUnmistakable],
  ['password', 'admin|root|administrator', '["\'`]? [/:|] ["\'`]?', '[^\\s/:"\'`,;]{6,64}', isArgument],
  [
    'password',
    'credentials|creds|zugangsdaten|identifiants|credenziali|credenciales|credenciais|login',
    `${USER}[ \\t]?[/:|][ \\t]?`,
    '(?!/)[^\\s"\'`,;]{6,64}',
    isPassword,
  ],
  [
    'password',
    'log in|logged in|login|anmeld|einloggen|inloggen|connect|sign in',
    `\\p{L}{0,6}${USER}(?:[ \\t]?[/:|][ \\t]?|[ \\t](?:and|und|et|y|e|en|i|och|with|mit|avec|con|com)[ \\t])`,
    '[^\\s"\'`,;]{6,64}',
    isUnmistakable,
  ],
  ['password', 'past the |opens with |unlocks with |unlock with ', '', '[^\\s"\'`,;]{6,64}', isUnmistakable],
  [
    'password',
    'variable "',
    '[\\w-]{0,64}(?:password|secret|token|passphrase|key)"\\s{0,4}\\{[^{}]{0,400}?default\\s{1,8}=\\s"',
    '[^"\\n]{6,256}(?=")',
    isPassword,
  ],
  [
    'password',
    'echo ',
    ' *(?:-n +)?["\']?',
    '[^\\s"\'|>]{6,128}(?=["\']? *>{1,2} *[^\\s;|&]{0,100}(?:pass|passwd|password|passphrase|secret)(?![\\w-]))',
    isGiven,
  ],
  [
    'password',
    'echo ',
    ' *["\']?(?:[\\w.-]{1,64}:)?',
    '[^\\s"\'|]{4,128}(?=["\']? *\\| *(?:sudo +)?(?:chpasswd|\\w{0,12}passwd|sudo -S|\\w{1,12} login|\\w{1,12} auth|su|kinit|cryptsetup|gpg2?|age|openssl|ssh-add|vncpasswd|veracrypt|zfs|secret-tool|pass|security|vault|rclone|borg|restic|7z|unzip|wg|op|bw)(?![\\w.]))',
    isGiven,
  ],
  ['password', 'ftp ', '[^\\n]{0,100}<<[^\\n]{1,20}\\n\\s{0,8}user \\S{1,64} ', '\\S{4,128}', isGiven],
  ['password', 'auth-user-pass', '[^\\n]{0,20}\\n\\S{1,64}\\n', '\\S{5,128}', isPassword],
  ['password', 'login', '\\s{1,64}[^\\s]{1,128}\\s{1,64}password\\s{1,64}', VALUE, isGiven],
  ['password', ':543|:330|:643', '\\d:[^:\\s]{1,64}:[^:\\s]{1,64}:', WORD, isGiven],
  ['password', ']:587 |]:465 |]:25 ', ' *[\\w.@+-]{1,128}:', WORD, isGiven],
  [
    'password',
    'jdbc:oracle:|sqlplus ',
    '(?:\\w{1,8}:)?(?:-\\w{1,4}[ \\t]){0,3}["\']?[\\w.$#]{1,64}/["\']?',
    '[^\\s"\'@/]{4,128}(?=["\']?@)',
    isGiven,
  ],
  [
    'password',
    'bind(|connect(|connection(|login(|auth=|auth(|Auth(|Credential(|Credentials(|PDO(|creds =|creds=|auth =|credentials =|auth: [',
    `[ \\t]?[([]?${LOGIN_CALL}`,
    `${LITERAL}\\s?[\\]),]`,
    isArgument,
  ],
  [
    'password',
    'assword',
    ':?\\s?\\*?["\'}]{1,2}\\)?[;\\s{]{0,40}(?:\\w{1,20}\\.)?(?:exp_)?send\\w{0,8}[ (]{1,4}(?:--\\s)?["\']',
    '[^"\'\\\\\\n]{4,128}',
    isGiven,
  ],
  ['password', 'ConvertTo-SecureString', '[ \\t]{1,4}(?:-String[ \\t]{1,4})?(?![-$])', VALUE, isPassword],
  ['password', 'WIFI:', '(?:[^\\n]{0,128}?;)?P:', '(?:[^;\\\\\\s]|\\\\.){4,64}(?=;)', isGiven],
  ['password', 'PSK', '[ \\t]{1,4}(?=["\'])', VALUE, isGiven],
  ['password', 'pass:', '', VALUE, isPassword],
  ['password', 'identified', ' +(?:with +\\S{1,64} +)?by +(?=["\'])', VALUE, isGiven],
  [
    'password',
    'enable|username',
    '(?:[ \\t]\\S{1,32}(?:[ \\t]privilege[ \\t]\\d{1,2})?)?[ \\t](?:secret|password)[ \\t](?:[05][ \\t])?',
    VALUE,
    isPassword,
  ],
  [
    'password',
    'snmp-server community',
    '[ \\t]',
    VALUE,
    (secret) => isGiven(secret) && !/^(?:public|private)$/i.test(secret),
  ],
  ['password', ' auth ', '[ \\t]{0,3}', VALUE, isStrong],
  [
    'password',
    '-server |isakmp key|ascii-text|chap password',
    '(?:[\\w. -]{1,40}? ?key)?[ \\t](?:[067][ \\t])?',
    VALUE,
    isPassword,
  ],
  ['password', '{cleartext}|{clear}|{plain}|{noop}', '', VALUE, isPassword],
  ['password', '*:', '(?:(?:\\*|\\d{2,5}):)?[^:\\s]{1,64}:[^:\\s]{1,64}:', WORD, isPassword],
  ['password', 'SETUSER ', '[^\\n]{0,80}?[ \\t]>', VALUE, isGiven],
  ['password hash', ':500:|:501:|:502:|:1000:|:1001:', '', `${HEX32}:${HEX32}`, isAny],
  [
    'password',
    'app password|app-password|app-specific password|application password|app-specific_password|_specific_password',
    '[^\\n]{0,32}?[:= ]["\']?',
    '(?:[a-z]{4}[ -]){3}[a-z]{4}(?![\\w-])',
    // Words have more vowels than letters that are drawn.
    (secret) => (secret.match(/[aeiouy]/g)?.length ?? 0) <= 5,
  ],
  ['password', 'ftp>', '\\s?user \\S{1,64} ', VALUE, isPassword],
  [
    'password hash',
    ':$apr1$|:$2a$|:$2b$|:$2y$|:$1$|:$5$|:$6$|:$y$|:$7$|:$argon2i$|:$argon2id$|:$scrypt$|:{SHA}|:{SSHA}',
    // Behind a login, as in `.htpasswd` and shadow files. Under a name for hashes or passwords, and on its own, a hash
    // passes.
    '(?<!(?:hash|hashed|password|passwd|pw|digest|secret|bcrypt|argon2|argon2id|scrypt|value|expected):[{$]\\w{1,8}[$}])',
    '[\\w./$=+,-]{20,200}',
    isAny,
  ],
]
