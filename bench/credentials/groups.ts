/**
 * Kinds of the lists (each list names them in its own way), under what stands in the documentation: the first group
 * whose expression matches the kind.
 */
const GROUPS: [group: string, kinds: RegExp][] = [
  ['split over lines, escaped, or encoded', /split|escaped|percent|base64(?!-token)|^line$/],
  ['one-time codes, backup codes, seed phrases', /totp|otp-|recovery|backup-codes|seed phrase|bitlocker/],
  [
    'private keys and keys of encryption',
    /private(?!-url)|pem|ssh-key|rsa|pgp(?!ass)|gpg|putty|openssh|^age|wireguard|minisign|openvpn-static|wif$|tls-secret|encryption_key|client_key/,
  ],
  ['passwords in sentences and chats', /sentence|chat|described|readme|^password$|log password|bare pair/],
  [
    'passwords of networks, devices and doors',
    /wi-?fi|wpa|(?<!wireguard-)psk|snmp|radius|(?<!open)router|fritzbox|cisco|ipmi|ipsec|door|alarm|safe|mqtt|imap|smb$|net-use|ldap|kerberos/,
  ],
  [
    'addresses and connection strings with a password',
    /-ur[il]|_ur[il]| ur[il]|jdbc|odbc|-conn|connection|dsn|^url|mongo|amqp|redis|pgpass$|^smtp|servicebus/,
  ],
  ['headers, cookies and signed addresses', /header|cookie|bearer|basic|signed|sas$|_http$|jwt|hook|x-api-key|session/],
  ['password hashes beside a login', /htpasswd|shadow|useradd/],
  [
    'passwords that commands take',
    /command|curl|cli-|mysql-|mysql -|sshpass|docker.(?:login|run)|sudo|openssl|poetry|wget|zip|psql|runas|smbclient|keytool|borg|restic|powershell|kubectl|pgpassword|set-?user/,
  ],
  [
    'passwords and secrets in settings, tables and code',
    /^password-|assign|env|ini|properties|yaml|json|toml|xml|code|sql|config|settings|compose|netrc|npmrc|pypirc|my\.?cnf|tfvars|terraform(?!.cloud)|ansible|csv|(?<!air)table|k8s|kube|spring|django|rails|laravel|php|wp-|hash|helm|maven|gradle|tomcat|systemd|dockerfile|docker[-_ ](?:auth|config|swarm)|python|home assistant|js secret|log-line|stacktrace|secret$|salt|psql|consul|keycloak|minio|c-code/,
  ],
]
const OTHERS = 'tokens of services'

export type Counts = { found: number; all: number }
type Listed = Counts & { missed: string[] }

/** The figures of a list's kinds as rows of Markdown: how many are found, and which kinds are not. */
export function toGroupRows(kinds: Map<string, Counts>): string[] {
  const groups = new Map<string, Listed>(
    [...GROUPS.map(([group]) => group), OTHERS].map((group) => [group, { found: 0, all: 0, missed: [] }]),
  )
  for (const [kind, { found, all }] of kinds) {
    const counts = groups.get(GROUPS.find(([, pattern]) => pattern.test(kind))?.[0] ?? OTHERS)
    if (counts === undefined) continue
    counts.found += found
    counts.all += all
    if (found < all) counts.missed.push(kind)
  }
  return [...groups].map(
    ([group, { found, all, missed }]) => `| ${group} | ${found} of ${all} | ${missed.join(', ')} |`,
  )
}
