import {
  isGarbled,
  isJoinedWords,
  isPasswordLike,
  isPlaceholder,
  isRandom,
  isReference,
  isStrong,
  isUnmistakable,
  isUserAndPassword,
  isUuid,
} from './values.ts'

/**
 * Secrets that are known by what stands before them: a kind, keywords with bars between, whatever their case, what
 * stands between a keyword and the secret, the form of the secret, and what tells it from a placeholder.
 */
type Row = [kind: string, keywords: string, between: string, form: string, isSecret: (secret: string) => boolean]
/**
 * The same with one expression, which is tried behind the keyword. The groups `secret` and `quoted` hold the secret.
 */
type Context = [kind: string, keywords: string, pattern: RegExp, isSecret: Row[4]]

const isPassword = (secret: string) =>
  (isPasswordLike(secret) || isGarbled(secret) || isJoinedWords(secret)) && isGiven(secret)
const isToken = (secret: string) => secret.length >= 12 && isRandom(secret) && !isReference(secret)
/** What a command takes as its password is one, unless it refers to one. */
const isGiven = (secret: string) => secret.length >= 4 && !isReference(secret)
const isAny = () => true
/** What a call takes, unless it is an argument of another kind: `login("ana", "page2")`. */
const isArgument = (secret: string) => isPassword(secret) && !/^[a-z]{2,10}\d{1,2}$/i.test(secret)
const isLongToken = (secret: string) => isToken(secret) && !isUuid(secret) && !/^[0-9a-f]+$/i.test(secret)

/** In quotes, or up to the next blank. */
const VALUE = '(?:(?<quote>["\'])(?<quoted>[^"\'\\n]{1,256})\\k<quote>|(?<secret>[^\\s"\']{1,256}))'
const WORD = '[^\\s:"]{4,128}(?=[\\s"]|$)'
const LITERAL = '["\'](?<secret>[^"\'\\n]{4,128})["\']'
const HEX32 = '[a-f0-9]{32}'
const UUID = '[a-f0-9-]{36}'
const QUERY = '[\\w%+/=.:|~-]{20,4096}'
const SET = '["\' ]{0,2}[=:]["\' ]{0,2}'
/**
 * After the first line of a private key come headers or base64, perhaps behind numbers of lines or marks of a diff;
 * without them the line is only spoken of. It goes on to its last line, or, where that is cut off, to the end of its
 * base64.
 */
const MARKS = '(?:\\d{1,6}[^A-Za-z0-9]{1,8})?'
const PEM = `[^A-Za-z0-9]{0,40}${MARKS}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash):|[A-Za-z0-9+/=]{16})(?:(?:[^-]|-(?!----)){0,16384}(?=-----END)|(?:[^A-Za-z0-9]{0,24}${MARKS}[A-Za-z0-9+/=]{16,80}){0,400})`
/** Functions and methods that take a password behind a user, or behind an address and a user. */
const LOGIN_CALL =
  '[ \\t\\n]{0,16}(?:[^\\n"\'(]{0,60}["\'][^"\'\\n]{0,200}["\'][ \\t]*,\\s{0,16}|[\\w.$]{1,40}[ \\t]*,\\s{0,16}){1,3}'
/** `credentials: admin / …`, `login with admin:…`, `log in as ana with …` */
const USER = '(?:[ \\t]{1,2}[\\p{L}-]{1,16}){0,5}[ \\t]?(?:[:=][ \\t]{0,2}|[ \\t]{1,2})["\'`]?[\\w.@-]{2,64}["\'`]?'

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
    'secret',
    'Client(|search(|.sign(|.encode(|.verify(|createHmac(|hmac.new(|Fernet(|AES.new(|ApiKey(|Api(|API(|init(|Token(|Key(',
    '(?:[^"\'\\n()]{1,40},\\s?|["\'][\\w-]{1,32}["\'],\\s?)?b?',
    '(?:["\'](?<quoted>[^"\'\\s]{24,256})["\'])',
    isLongToken,
  ],
  ['twilio', 'AC', '[a-f0-9]{32}["\']?[\\s,:;/|&]{1,4}["\']?', `${HEX32}(?![a-f0-9])`, isToken],
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
  ['vault', 'unseal', '[^\\n]{0,40}?[ \\t:=]["\'`]?', '(?:[A-Za-z0-9+/]{43}=|[a-f0-9]{64,66}(?!\\w))', isToken],
  [
    'kubernetes',
    '--token|bootstrap',
    '[^\\n]{0,16}?[ =:"]',
    '[a-z0-9]{6}\\.[a-z0-9]{16}(?![\\w.])',
    (secret) => !isPlaceholder(secret),
  ],
  ['password hash', ':500:|:501:|:502:|:1000:|:1001:', '', `${HEX32}:${HEX32}`, isAny],
  [
    'password',
    'app password|app-password|app-specific password|application password|app-specific_password|_specific_password',
    '[^\\n]{0,32}?[:= ]["\']?',
    '(?:[a-z]{4}[ -]){3}[a-z]{4}(?![\\w-])',
    // Words have more vowels than letters that are drawn.
    (secret) => (secret.match(/[aeiouy]/g)?.length ?? 0) <= 5,
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

/**
 * Programs that take a password as an argument: their names, what stands before it on the line, and whether it must
 * look like one.
 */
const PROGRAMS: [names: string, before: string, isSecret: Row[4]][] = [
  ['curl|wget|http|https|xh', '(?:-u|--user|-U|--proxy-user|-a|--auth)[ =]?["\']?[^\\s:"\']{1,128}:', isGiven],
  [
    'mysql|mysqldump|mysqladmin|mysqlimport|mariadb|7z|7za|rar|unrar',
    '-(?:p|hp)(?!ort|rotocol|assword|rint|ager|lugin)',
    isGiven,
  ],
  ['sshpass', '-p ?', isGiven],
  [
    'docker|podman|helm|skopeo|crane|nerdctl|buildah|oras|az|oc|argocd',
    'login[ \\t][^\\n|;]{0,200}?(?:-p|--password) ',
    isPassword,
  ],
  ['skopeo|podman|buildah', '--(?:src-|dest-)?creds[ =][^\\s:]{1,64}:', isGiven],
  [
    'mongo|mongosh|mongodump|mongorestore|twine|influx|evil-winrm|crackmapexec|netexec|nxc|kerbrute|psexec|wmic',
    '(?:-p|-password|--password) ',
    isPassword,
  ],
  [
    'mongo|mongosh|cqlsh|clickhouse-client|psql|isql|tsql|nmcli|ipmitool|veracrypt|freetds|vncdo',
    '(?:-p|-P|-password|-pass|-a|psk) ?',
    isPassword,
  ],
  ['ldapsearch|ldapmodify|ldapadd|ldapwhoami|ldapdelete|ldappasswd', '-[ws] ?', isGiven],
  [
    'zip|unzip|sqlcmd|bcp|mosquitto_pub|mosquitto_sub|zipcloak|ssh-keygen|pdftk|openssl',
    '(?:-P|-N|-k|-K|owner_pw|user_pw) ?',
    isPassword,
  ],
  ['qpdf', '--(?:encrypt|decrypt|password)[ =]', isPassword],
  ['net use|net user', '(?:(?:[A-Z]:|\\*)[ \\t]+)?(?:\\\\\\\\[^\\s]{1,128}|[\\w.$-]{1,64})[ \\t]+(?!/)', isPassword],
  ['plink|pscp|psftp', '-pw ', isGiven],
  ['xfreerdp|wfreerdp|mstsc|cmdkey|schtasks|winexe', '/(?:p|pass|pw|rp)[: ]', isGiven],
  ['lftp|ncftp|ncftpput|lftpget', '-u ?[^\\s,]{1,64},', isGiven],
  ['rabbitmqctl', '(?:add_user|change_password|authenticate_user) +\\S{1,64} +', isGiven],
  ['wpa_passphrase', '(?:["\'][^"\'\\n]{1,32}["\']|\\S{1,32}) +', isGiven],
  ['snmpwalk|snmpget|snmpset|snmpbulkwalk', '-[Ac] +(?!SHA|MD5|public|private)', isGiven],
  ['snmpwalk|snmpget|snmpset|snmpbulkwalk', '-X +(?!AES|DES)', isGiven],
  ['mc', 'alias set \\S{1,64} \\S{1,128} \\S{1,64} ', isToken],
  ['smbclient|rpcclient|net use|smbmap', '(?:-U|/user:) ?["\']?[^\\s%"\']{1,64}[% ]', isGiven],
  [
    'impacket-smbexec|impacket-psexec|impacket-wmiexec|psexec.py|wmiexec.py|smbexec.py|secretsdump.py|impacket-secretsdump',
    '[\\w.-]{1,64}/[\\w.-]{1,64}:',
    isGiven,
  ],
  ['htpasswd', '(?:-\\w{1,8} +){1,4}\\S{1,128} +\\S{1,64} +', isPassword],
  ['redis-cli', '(?:-a|--pass) ', isGiven],
  [
    'vault|snyk|op|tailscale|cargo|flyctl|railway|wandb|huggingface-cli|ngrok|doctl',
    '(?:login|auth|add-authtoken|up|publish|init)[ \\t](?:--?[\\w-]{1,24}[= ]){0,2}',
    isToken,
  ],
  [
    'b2|confluent|poetry|composer|gem|conan',
    '(?:authorize-account|authorize_account|account authorize|api-key store|http-basic\\.\\S{1,64}|user) \\S{1,128} ',
    isPassword,
  ],
  [
    'neo4j-admin|grafana-cli|grafana|ejabberdctl|prosodyctl|mosquitto_passwd|db2|addprinc|kadmin|kadmin.local|wpa_cli|iwctl|security|rclone|cypher-shell|racadm|x11vnc|hdbsql|rabbitmqadmin|yt-dlp|youtube-dl|radtest|smbpasswd',
    '(?:set-initial-password|reset-admin-password|register \\S{1,64} \\S{1,64}|using|-pw|obscure|-w|-p|-passwd|--passphrase|psk|-b \\S{1,64} \\S{1,64}|user \\S{1,64} password) ["\']?',
    isPassword,
  ],
  ['jenkins-cli.jar|jenkins-cli', '-auth [^\\s:]{1,64}:', isGiven],
  ['useradd|usermod', '(?:-p|--password) ', isPassword],
  ['bw|keybase|pass|gpg|kinit|vncpasswd|su|sudo', '(?:unlock|<<<)[ \\t](?:--?[\\w-]{1,24}[ \\t])?', isPassword],
  [
    'nuget|dotnet|choco|npm|gh|glab|vercel|netlify|wrangler|heroku|firebase|sentry-cli|snowsql|jf',
    '(?:-k|-ApiKey|--api-key|-t|--token|--auth|--auth-token|--body)[ =]',
    isToken,
  ],
]

const toPattern = (between: string, form: string) =>
  new RegExp(between + (form.includes('(?<') ? form : `(?<secret>${form})`), /\\p\{/.test(between) ? 'diuy' : 'diy')

export const CONTEXTS: Context[] = ROWS.map(([kind, keywords, between, form, isSecret]) => [
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
