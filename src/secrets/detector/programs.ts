import { isGiven, isPassword, isToken, type Row } from './context.ts'

/**
 * Programs that take a password as an argument: their names, what stands before it on the line, and whether it must
 * look like one.
 */
export const PROGRAMS: [names: string, before: string, isSecret: Row[4]][] = [
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
