import { isNumber, isPasswordLike, isRandom, isReference, isStrong, isUserAndPassword, isUuid } from './values.ts'

/**
 * Secrets that are known by what stands before them: a kind, keywords with bars between, a pattern that begins at the keyword, whatever its case, and what
 * tells a secret from a placeholder. The groups `secret` and `quoted` are what must not be known.
 */
export type Context = [kind: string, keywords: string, pattern: RegExp, isSecret: (secret: string) => boolean]

const isPassword = (secret: string) => isGiven(secret) && isPasswordLike(secret)
const isToken = (secret: string) => secret.length >= 12 && isRandom(secret) && !isReference(secret)
/** What a command takes as a password is one, if it is nothing else. */
const isGiven = (secret: string) => secret.length >= 4 && !isReference(secret)

/**
 * After the first line of a private key come headers or base64, perhaps behind numbers of lines or marks of a diff; without them the line is only spoken of.
 * It goes on to its last line, or, where that is cut off, to the end of its base64.
 */
const PEM =
  /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?<secret>[^A-Za-z0-9]{0,40}(?:\d{1,6}[^A-Za-z0-9]{1,8})?(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash):|[A-Za-z0-9+/=]{16})(?:(?:[^-]|-(?!----)){0,16384}(?=-----END)|(?:[^A-Za-z0-9]{0,24}(?:\d{1,6}[^A-Za-z0-9]{1,8})?[A-Za-z0-9+/=]{16,80}){0,400}))/diy
const PUTTY = /Private-Lines: \d{1,3}\s(?<secret>(?:[A-Za-z0-9+/=]{4,100}\s?){1,100})/diy
const AUTHORIZATION =
  /authorization["'\s]{0,3}[:=]["'\s]{0,4}(?:[a-z][\w-]{2,24}\s{1,4})?(?:token=)?["']?(?<secret>[\w.~+/=:-]{16,4096})/diy
const SIGNATURE = /[?&]?[\w-]{1,24}=(?<secret>[\w%+/=~-]{24,4096})/diy
const TEAMS = /[\w./-]{1,60}(?<secret>[\w-]{36}@[\w-]{36}\/IncomingWebhook\/[\w/-]{60,120})/diy
const PIPED =
  /echo +["']?(?:[\w.-]{1,64}:)?(?<secret>[^\s"'|]{4,128})["']? *\| *(?:sudo +)?(?:chpasswd|passwd|sudo -S|docker login|podman login|su\b)/diy
/** `credentials: admin / …`, `login with admin:…` */
const USER_AND_PASSWORD =
  /\w{1,20}(?:[ \t]{1,2}[a-z]{1,16}){0,5}(?:[:=][ \t]{0,2}|[ \t]{1,2})(?:[\w.@-]{2,64})[ \t]?[/:][ \t]?(?<secret>[^\s"'`,;]{6,64})/diy

/** Functions and methods that take a password behind a user, or behind an address and a user. */
const LOGIN_CALL =
  /[\w.]{1,24}(?:\(|=[ \t]?[([])[ \t\n]{0,16}(?:[^\n"'(]{0,60}["'][^"'\n]{0,200}["'][ \t]*,\s{0,16}|[\w.$]{1,40}[ \t]*,\s{0,16}){1,2}["'](?<secret>[^"'\n]{4,128})["']\s?[),]/diy
/** What a call takes, unless it is an argument of another kind: `login("ana", "page2")`. */
const isArgument = (secret: string) => isPassword(secret) && !/^[a-z]{2,10}\d{1,2}$/i.test(secret)
/** `expect "password:"; send "…\r"` */
const EXPECT =
  /assword:?\s?\*?["'}]{1,2}\)?[;\s{]{0,40}(?:\w{1,20}\.)?(?:exp_)?send\w{0,8}[ (]{1,4}(?:--\s)?["'](?<secret>[^"'\\\n]{4,128})/diy
const MNEMONIC =
  /(?:seed|mnemonic|recovery)(?:[-_ ](?:phrase|words?|seed|code))?[^\n:="]{0,40}(?:[:=]|\bis\b)["'\s]{0,4}(?<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b/diy
const BACKUP_CODES =
  /(?:backup|recovery|rescue|scratch)[-_ ](?:codes?|keys?)\b[^\n:=]{0,30}[:=]\s{0,4}(?:[-*\d.]{1,3}\s)?(?<secret>(?:[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,7}[\s,;/]{0,3}){1,20})/diy
/** `hr/…@//host`, `hr/…@db` */
const ORACLE = /(?:jdbc:oracle:\w{1,8}:|sqlplus[ \t](?:-\w{1,4}[ \t]){0,3})["']?[\w.$#]{1,64}\/["']?(?<secret>[^\s"'@/]{4,128})["']?@/diy

/** `routing key for x: …`, `config/master.key is …`, `webhook secret to …`: hexadecimal digits, which are mostly no secret, behind a name of one. */
const HEX_KEY =
  /[a-z]{2,12}[ ._-][a-z]{3,6}["'`)]{0,3}(?![^\n]{0,60}(?:hash|sha\d|md5|digest|fingerprint|checksum|commit))(?:[ \t]{1,2}(?:"[^"\n]{1,40}"|[^\s:=]{1,20})){0,6}?[ \t]{0,2}(?:[:=]{1,2}>?|is|to|→)[ \t]{0,2}["'`]?(?<secret>[0-9a-f]{32,64})(?![0-9a-z])/diy
/** The seed of one-time codes, in groups of four as it is shown to be typed, or whole. */
const SEED =
  /[^\n]{3,160}?(?<![A-Za-z0-9])(?<secret>(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}|(?:[a-z2-7]{4} ){7}[a-z2-7]{4}|[A-Z2-7]{16,64})(?![A-Za-z0-9])/dy
/** `PIN for the card is …`, `door code: …` */
const PIN =
  /(?<!\w)[\wüß]{3,9}(?:[ -]?code)?(?:[ \t][^\s:=.;]{1,20}){0,9}?(?:[ \t](?:is|ist|lautet|est|es|è)[ \t]|[ \t]?[:=→][ \t]?|[, ]code[ \t])(?<secret>\d{4,8}|\d{3}[ -]\d{3})(?![\d.:/%-]|[ \t]?(?:[kmg]?b|ms|px|rows|users)\b)/diy
const USER_THEN_PASSWORD =
  /\w{4,8}[ \t:=]{1,2}["'`]?[\w.@+-]{2,64}["'`]?[ \t]?[,/;][ \t]?(?:and[ \t])?(?:pass|pw|pwd)[ \t:=]{1,3}["'`]?(?<secret>[^\s"'`,;]{5,64})/diy
/** `ana@example.org / …`, as lists of accounts have it. */
const MAIL_AND_PASSWORD =
  /@[\w-]{2,32}(?:\.[\w-]{2,24}){1,3}(?:[ \t]?[/:|][ \t]?|[ \t](?:and|und|et|y|e|en)[ \t])(?<secret>[^\s/:"'`,]{8,64})/diy
const SET_TO = /[a-z]{2,8} (?:to|auf)[ \t]["“„](?<secret>[^"”\n]{6,64})["”]/diy
const VARIABLE =
  /variable "[\w-]{0,64}(?:password|secret|token|passphrase|key)"\s{0,4}\{[^{}]{0,400}?default\s{1,8}=\s"(?<secret>[^"\n]{6,256})"/diy
const FILED =
  /echo +(?:-n +)?["']?(?<secret>[^\s"'|>]{6,128})["']? *>{1,2} *[^\s;|&]{0,100}(?:pass|passwd|password|passphrase|secret)(?![\w-])/diy

/** Names and values of a `Cookie` header that are looked at. */
const MAX_COOKIES = 40

const CONTEXTS_OF_TEXT: Context[] = [
  ['private key', '-----BEGIN', PEM, () => true],
  ['private key', 'Private-Lines:', PUTTY, () => true],
  ['url with a password', '://', /:\/\/(?<secret>[^\s:@/?#"'<>]{0,256}:[^\s@/?"'<>]{1,256})@[\w[$]/diy, hasPassword],
  ['authorization header', 'authorization', AUTHORIZATION, isToken],
  ['authorization header', 'bearer', /bearer["'\s:=\\]{1,4}(?<secret>[\w.~+/=-]{16,8192})/diy, isToken],
  ['authorization header', 'basic', /basic["'\s:=\\]{1,4}(?<secret>[A-Za-z0-9+/=_-]{8,4096})/diy, isUserAndPassword],
  ['cookie', 'cookie:', /cookie:[ \t]{0,4}(?<secret>[^\n"']{8,4096})/diy, (secret) => secret.split(/[;=]\s?/, MAX_COOKIES).some(isToken)],
  ['cookie', '.AspNetCore.|.ASPXAUTH|.ROBLOSECURITY', /\.\w+(?:\.\w+){0,3}=(?<secret>[\w%|+/.-]{32,4096})/diy, isToken],
  [
    'cookie',
    'sessionid=|PHPSESSID=|JSESSIONID=|connect.sid=|laravel_session=|_session=|sessid=|session=|auth_token=',
    /[\w.]{1,24}=(?<secret>[\w%|+/.:=-]{20,4096})/diy,
    (secret) => isToken(secret) && !isUuid(secret),
  ],
  [
    'ethereum',
    'accounts|private',
    /(?:accounts|private_?keys?)["']?[^\n"']{0,8}[\s[:=]{1,8}["']?(?:0x)?(?<secret>[0-9a-f]{64})(?![0-9a-f])/diy,
    isToken,
  ],
  ['seed phrase', 'seed|mnemonic|recovery', MNEMONIC, (secret) => new Set(secret.split(/[ ,]+/)).size > 8],
  ['backup codes', 'backup|recovery|rescue|scratch', BACKUP_CODES, (secret) => /\d/.test(secret) && !isReference(secret)],
  ['signed url', '?Signature=|&Signature=', SIGNATURE, (secret) => isToken(secret) && !/^[0-9a-f]+$/i.test(secret)],
  ['signed url', '?sig=|&sig=|X-Amz-Signature=|X-Goog-Signature=|X-Amz-Security-Token=', SIGNATURE, isToken],
  [
    'secret',
    'cf_key|x-auth-key|app_key|app key|application key|routing_key|routing key|integration key|integration_key|master.key|master key|webhook secret|webhook_secret|signing secret|signing key|client secret|api key|api secret|api token|auth token|account key|encryption key|hmac key|secret key|access key|auth key|license key|access token',
    HEX_KEY,
    isToken,
  ],
  [
    'one-time code',
    'authenticator|2fa|totp|mfa|otp secret|otp seed|two-factor|2-faktor',
    SEED,
    (secret) => /[2-7].*[2-7]/.test(secret) && !isReference(secret),
  ],
  [
    'password',
    'pin|puk|door code|gate code|alarm code|safe code|entry code|access code|keypad code|lockbox code|garage code|tresor|türcode|geheimzahl|lockbox',
    PIN,
    (secret) => isNumber(secret.replace(/[ -]/g, '')),
  ],
  ['password', 'user|username|login|utente|usuario|benutzer', USER_THEN_PASSWORD, isPassword],
  // Beside an address of mail stands much else: rooms, teams, devices. Only a password has such signs too.
  ['password', '@', MAIL_AND_PASSWORD, (secret) => isStrong(secret) && /[!#$%&*?]/.test(secret) && !secret.includes('@')],
  [
    'password',
    'password to |passwort auf |passphrase to |pw to |pwd to ',
    SET_TO,
    (secret) => /\d|[A-Z]/.test(secret) && !isReference(secret),
  ],
  ['password', 'variable "', VARIABLE, isPassword],
  ['password', 'echo ', FILED, isGiven],
  ['password', 'ftp ', /ftp [^\n]{0,100}<<[^\n]{1,20}\n\s{0,8}user \S{1,64} (?<secret>\S{4,128})/diy, isGiven],
  ['authorization header', 'SSWS ', /ssws\s(?<secret>[\w-]{36,60})/diy, isToken],
  ['authorization header', 'PVEAPIToken', /pveapitoken=[\w.@-]{1,64}![\w-]{1,32}=(?<secret>[a-f0-9-]{36})/diy, isUuid],
  ['private address', '/private-', /\/private-(?<secret>[a-f0-9]{32})\/\w/diy, isToken],
  ['private address', '/owa/calendar/', /\/owa\/calendar\/(?<secret>[a-f0-9]{32}@[\w.-]{1,100}\/[a-f0-9]{20,80})/diy, isToken],
  ['web hook', 'hooks.zapier.com/', /hooks\.zapier\.com\/hooks\/catch\/(?<secret>\d{4,12}\/[a-z0-9]{6,16})/diy, () => true],
  ['web hook', '/with/key/', /\/with\/key\/(?<secret>[\w-]{18,64})/diy, isToken],
  ['web hook', '/open-apis/bot/', /\/open-apis\/bot\/(?:v2\/)?hook\/(?<secret>[a-f0-9-]{32,40})/diy, () => true],
  ['web hook', '/cgi-bin/webhook/send?key=', /[^?\s]{1,40}\?key=(?<secret>[a-f0-9-]{36})/diy, isUuid],
  ['web hook', '.make.com/', /\.make\.com\/(?<secret>[a-z0-9]{28,40})(?![\w/-])/diy, isToken],
  ['web hook', '/hooks/', /\/hooks\/(?<secret>[a-z0-9]{26}|[A-Za-z0-9]{17,24}\/[A-Za-z0-9]{40,80})(?![\w/-])/diy, isToken],
  ['url with a key', '/v3/', /\/v3\/(?<secret>[a-f0-9]{32})(?![\w/])/diy, isToken],
  ['url with a key', '.g.alchemy.com/v2/', /\.g\.alchemy\.com\/v2\/(?<secret>[\w-]{20,40})/diy, isToken],
  ['memsvc link', '/console/enter/|/console/join/', /\/console\/\w+\/(?<secret>[\w-]{43,})/diy, isToken],
  ['web hook', '/api/webhooks/', /\/api\/webhooks\/\d{17,20}\/(?<secret>[\w-]{60,80})/diy, isToken],
  ['web hook', '.webhook.office.com/', TEAMS, isToken],
  ['aws', 'secret_access_key|secretAccessKey', /secret_?access_?key["'\\ \t:=]{1,8}(?<secret>[A-Za-z0-9+/]{40,})/diy, isToken],
  ['docker', '"auth"', /"auth"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9+/=]{8,4096})"/diy, isUserAndPassword],
  ['npm', ':_auth', /:_auth["' ]{0,2}[=:]["' ]{0,2}(?<secret>[A-Za-z0-9+/=]{8,512})/diy, isUserAndPassword],
  ['npm', ':_authToken', /:_authtoken["' ]{0,2}[=:]["' ]{0,2}(?<secret>[^\s"'$<{]{8,512})/diy, isToken],
  ['one-time code', 'otpauth://', /otpauth:\/\/[^\s"'<>]{0,200}?[?&]secret=(?<secret>[A-Z2-7a-z]{16,128})/diy, isToken],
  ['password', 'login', withValue('login\\s{1,64}[^\\s]{1,128}\\s{1,64}password\\s{1,64}'), isGiven],
  ['password', ':543|:330|:643', /:\d{4}:[^:\s]{1,64}:[^:\s]{1,64}:(?<secret>[^\s:]{4,128})(?=\s|$)/diy, isGiven],
  ['password', 'pass:', withValue('(?<!\\w)pass:'), isPassword],
  ['password', 'identified', withValue('identified +(?:with +\\S{1,64} +)?by +(?=["\'])'), isGiven],
  ['password', 'echo ', PIPED, isGiven],
  ['password', 'jdbc:oracle:|sqlplus ', ORACLE, isGiven],
  [
    'password',
    'bind(|connect(|connection(|login(|auth=|auth(|BasicAuth(|basicAuth(|Credential(|Credentials(|PDO(|mysqli(|auth: [',
    LOGIN_CALL,
    isArgument,
  ],
  ['password', 'assword', EXPECT, isGiven],
  ['password', 'ConvertTo-SecureString', withValue('ConvertTo-SecureString[ \\t]{1,4}(?:-String[ \\t]{1,4})?(?![-$])'), isPassword],
  ['password', 'WIFI:', /WIFI:(?:[^\n]{0,128}?;)?P:(?<secret>(?:[^;\\\s]|\\.){4,64});/diy, isGiven],
  ['password', 'PSK', withValue('PSK[ \\t]{1,4}(?=["\'])'), isGiven],
  [
    'password',
    'enable|username',
    withValue('(?:enable|username[ \\t]\\S{1,32}(?:[ \\t]privilege[ \\t]\\d{1,2})?)[ \\t](?:secret|password)[ \\t](?:[05][ \\t])?'),
    isPassword,
  ],
  [
    'password',
    'snmp-server community',
    withValue('snmp-server community[ \\t]'),
    (secret) => isGiven(secret) && !/^(?:public|private)$/i.test(secret),
  ],
  ['password', 'auth ', withValue('(?<![\\w-])auth[ \\t]{1,4}'), isStrong],
  ['password', 'tacacs-server key|radius-server key|isakmp key', withValue('[\\w-]{1,16} key[ \\t](?:[067][ \\t])?'), isPassword],
  ['password', ']:587 |]:465 |]:25 ', /\]:\d{2,3} +[\w.@+-]{1,128}:(?<secret>[^\s:]{4,128})(?=\s|$)/diy, isGiven],
  ['password', 'login|credentials|creds|zugangsdaten', USER_AND_PASSWORD, isPassword],
]

/** Programs that take a password as an argument: their names, what stands before it on the line, and whether it must look like one. */
const COMMANDS: [names: string, before: string, isSecret: Context[3]][] = [
  ['curl|wget', '(?:-u|--user|-U|--proxy-user)[ =]?["\']?[^\\s:"\']{1,64}:', isGiven],
  ['mysql|mysqldump|mysqladmin|mariadb|7z', '-p(?!ort|rotocol|assword|rint|ager|lugin)', isGiven],
  ['sshpass', '-p ?', isGiven],
  ['redis-cli', '-a ', isGiven],
  ['docker|podman|helm|skopeo|crane|nerdctl|az', 'login[ \\t][^\\n|;]{0,200}?-p ', isPassword],
  ['mongo|mongosh|mongodump|mongorestore', '-u[^\\n|;]{1,200}?[ \\t]-p ', isPassword],
  ['ldapsearch|ldapmodify|ldapadd|ldapwhoami', '-w ?', isGiven],
  ['zip|unzip|sqlcmd|bcp|ipmitool|mosquitto_pub|mosquitto_sub', '-P ?', isPassword],
  ['net use|net user', '(?:(?:[A-Z]:|\\*)[ \\t]+)?(?:\\\\\\\\[^\\s]{1,128}|[\\w.$-]{1,64})[ \\t]+(?!/)', isPassword],
  ['plink|pscp|psftp', '-pw ', isGiven],
  ['xfreerdp|wfreerdp|mstsc|cmdkey|schtasks|winexe', '/(?:p|pass|pw|rp)[: ]', isGiven],
  ['lftp|ncftp|ncftpput|lftpget', '-u ?[^\\s,]{1,64},', isGiven],
  ['rabbitmqctl', '(?:add_user|change_password|authenticate_user) +\\S{1,64} +', isGiven],
  ['wpa_passphrase', '(?:["\'][^"\'\\n]{1,32}["\']|\\S{1,32}) +', isGiven],
  ['openssl|ssh-keygen|zipcloak|pdftk|qpdf|rar|unrar', '(?:-k|-N|-P|-hp|owner_pw|user_pw) ?', isPassword],
  ['snmpwalk|snmpget|snmpset|snmpbulkwalk', '-[AX] +(?!SHA|MD5|AES|DES)', isGiven],
  ['http|https|xh', '(?:-a|--auth)[ =]?["\']?[^\\s:"\']{1,64}:', isGiven],
  ['evil-winrm|crackmapexec|netexec|nxc|kerbrute', '-p ', isGiven],
  ['mc', 'alias set \\S{1,64} \\S{1,128} \\S{1,64} ', isToken],
  ['ipmitool|cqlsh|clickhouse-client|influx|psql|redis-cli|isql|tsql|nmcli', '(?:-p|-P|-password|-pass|-a|psk) ?', isPassword],
  ['smbclient|rpcclient|net use', '(?:-U|/user:) ?["\']?[^\\s%"\']{1,64}[% ]', isGiven],
  ['htpasswd', '-\\w{0,8}b\\w{0,8} +\\S{1,128} +\\S{1,64} +', isGiven],
]

export const CONTEXTS: Context[] = [
  ...CONTEXTS_OF_TEXT,
  ...COMMANDS.map(([names, before, isSecret]): Context => {
    const program = `(?<![\\w-])(?:${names})\\b[^\\n|;]{0,200}?[ \\t]`
    return ['password', names, withValue(program + before), isSecret]
  }),
]

/** A pattern of what stands before a value, and the value, in quotes or without. */
function withValue(before: string): RegExp {
  return new RegExp(`${before}(?:(?<quote>["'])(?<quoted>[^"'\\n]{1,256})\\k<quote>|(?<secret>[^\\s"']{1,256}))`, 'diy')
}

/** `userinfo` is a user, a colon and a password. A password that equals the user is that of a fresh installation. */
function hasPassword(userinfo: string): boolean {
  const at = userinfo.indexOf(':')
  const [user, password] = [userinfo.slice(0, at), userinfo.slice(at + 1)]
  return password.length >= 4 && password !== user && !isReference(password)
}
