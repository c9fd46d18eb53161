import { expect, test } from 'bun:test'
import { maskCredentials } from '../../src/secrets/credentials.ts'

const TOKEN = '9f8Kd72LqPz0XcVb4Nm1'
const HEX = '9f8c1be07d2a4865b1e0c97d8a63f425'
const WORDS = 'Blauwal_im-Meer77'

/** What is written around secrets, which stand between guillemets. */
const CONTEXTS = [
  // Settings, whose values may consist of words
  `SNOWSQL_PWD='«Snip3-on-the-Marsh»'`,
  `export REDISCLI_AUTH='«m4rmalade&Toast»'`,
  `password: "«${WORDS}»"`,
  `p.setProperty("password", "«tig3rLily_pond»");`,
  `variable "db_admin_password" {\n  type = string\n  default = "«Oyster!Catcher15»"\n}`,
  `provider "datadog" {\n  app_key = "«${HEX}»"\n}`,
  `CF_Key=«${HEX}7a3b1»`,
  // Commands
  `wget --user=ana --password='«Fr4ngipani tree»' https://example.org`,
  `snmpwalk -v3 -u monitor -a SHA -A '«hornbeamHedge1»' sw-core-1`,
  `ftp -n ftp.example.org <<END\nuser ana «Falzb0gen-A3»\nEND`,
  `echo '«stork-Nest-on-chimney»' > ~/.vault_pass`,
  // Calls and headers
  `ldap_bind($ldap, 'CN=svc,DC=example', '«Kreidestaub?12»');`,
  `smtp.login("ana", "«Blauwal!77»")`,
  `Authorization: SSWS «00IDqJXkwErAivq_GeJZFGq5B3mSswWvHZHGcbvJCk»`,
  `Authorization: GenieKey «${TOKEN}»`,
  // Addresses
  `https://d3k9x1.cloudfront.net/v.m3u8?Expires=1798675200&Signature=«veqzBHv0r0tSejseI44PGJTUVin_nQPv2yb2~a1rKlCLTQUM__»&Key-Pair-Id=K7`,
  `https://calendar.google.com/calendar/ical/x/private-«685df07a705f3bbb276043414b5fd667»/basic.ics`,
  `https://hooks.zapier.com/hooks/catch/«1234567/ab12cd3»`,
  // Sentences
  `Events v2 routing key for "Boiler room": «${HEX}»`,
  `config/master.key is «${HEX}», on paper as well`,
  `Set the repo webhook secret to «${HEX}» on both ends`,
  `I forget the BIOS pw for the lab laptops, it's «M1croscope».`,
  `you changed the password to "«noodle Soup Tuesday 4»"`,
  `use «Fiddler$Green» as the passphrase`,
  `Wachtwoord van de kassa is «Stroopwafel-19», staat op het briefje`,
  `كلمة مرور المتجر هي «Zaytoun@Nablus21» للجميع`,
  `[10:42] priya: what's the root pw on the jumpbox\n[10:43] owen: «cl0udb3rry-Jam», all lower`,
  `the zoom account is office@example.org / «Anem0ne?Reef»`,
  `inline: user field-tech, pass «Gr0undhog+Day»`,
  `enter this in the authenticator → «ARSZ YLJG S2HU ZBXY ADOV 7G2W OHAD MBJD»`,
  'pin for the card ending 4418 is «6073»',
  'Passwort wurde auf «Lampe65#» geändert',
  "The NAS password hasn't changed, it's still «Eisberg-saffron18».",
  'if it asks for a password, type «Tiger_Eisberg17»',
  '管理员密码改成了 «harbour!0813»',
  'wifi密码«7jx19xucdoih8s»',
  'La clé API est «17RAdLNXpQoah3QCfCQPVRzxqjRUu3wj»',
  'La chiave segreta è «AlKKtvPWoOPvqjU9JrBd6JTYXf79pk1Z»',
  'Le code du portail est «4521»',
  'ana 09:12 what was the pw again?\nben 09:13 «Umbrella#864»\nana 09:13 thx',
  // Letters and words alone, where a name or a command asks for nothing else
  'DB_PASSWORD=«FyrNArrmpMUiXq»',
  'gpg --batch --passphrase «copper-dragon-thunder» -d budget.gpg',
  // Programs
  "echo '«PsKUA35FdF*&i7»' | kinit svc@EXAMPLE.ORG",
  'poetry config http-basic.example ana «W8pVEziBjEiR9Vd»',
  'ACL SETUSER app on >«jl1XEurOMcdSy7Pu» ~app:* +@all',
  'kubeadm join 10.9.0.4:6443 --token «slril0.u0nbq2pye9d1scfr»',
  `req.Header.Set("X-Auth-Token", "«${TOKEN}»")`,
  'client = Client("AC597fcbede83bc862514d9d51a2b4bddb", "«bff59dfd3d0a4feed2672ebe3db097d6»")',
  `algoliasearch('PC3OZ5U45W', '«${HEX}»') // admin API key`,
  `INSERT INTO clients (name, secret) VALUES ('mirror', '«7Zj86B7pNGIZanhV7YWcCSvHGmncMkYI33JE78Pu»');`,
  `AUTH = ('sync', '«NBsaUPoJZpHn1Ev»')`,
  'http.Header{"X-Auth-Token": {"«56118d5102964c988926891ff72fbb7500a2c15c»"}}',
  'approle ci: role_id dddf4f9e-a854-40dc-a631-d84b4cd5a0a0 secret_id «7b1771cd-7196-4b06-bc85-ed1845f5026d»',
  `config/master.key contents «${HEX}» needed to decrypt`,
  'enter the passphrase "«green herring on toast»".',
  // A hash with its login, from which passwords can be guessed elsewhere
  'admin:$apr1$«slYgL.cS$KD8r6FLU1GH7IDYV18CL5z»',
  'viewer:$2y$«10$upT6rtomCoNV2yOqgaj..Qxgahj7X4V6zI/jgsyg15vDETJbQ3BRS»',
  'ana:$argon2id$«v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$QkFt4d1w8G1xX0v3yq0Zlw»:1001',
  'let api_secret: &str = "«LReNotuwlPX7n7WX9CZ0KBvDefbOaQNk0M8c»";',
  '&quot;password&quot;: &quot;«g59TqqWLf1Mz»&quot;',
  '| env | url | api key |\n|---|---|---|\n| prod | api.example.org | «9Xf12678fafa0e372e1d1540d788a931Qk» |',
]
test.each(CONTEXTS)('masks in %s', async (marked) => {
  const [before = '', secret = '', after = ''] = marked.split(/[«»]/)
  expect(await maskCredentials(before + secret + after)).toBe(`${before}***${after}`)
})

const PASSES = [
  'login("ana","page2")',
  'await page.auth("ana", "step1")',
  `routing key sha256: ${HEX}${HEX}`,
  'GPIO pin 40 is driven by 3.3 V, pinned: 40001',
  'app password must have more than four words',
  'encryptedData:\n  password: AgB3uOWKAz0hkma19IZ6vVubb/eZ4vfmZvXr0m/3yqMZRru+L4fBuuT++BWHL9oTuxQ31olAE42P99WbTOYc2wtEd1zDm21ju6/2vPUg',
  "Telegram's tutorial shows 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
  'the password is in the vault under ops/deploy, it is rotated in May',
  'write to ana@example.org and bob@example.org, or call',
  '| ana@example.org | Room204B | lead |',
  'ben@example.org: Q4report2026, kai@example.org / Building12A, ops@example.org and Team42Lead',
  'echo done > compass.txt',
  'password hash: $2b$12$KIXQJv1n0e1zW8c1t6Y0cuQ0oX8mI8Jm3kq0zJ5lM0p0e8x1yJ8eK',
  'password_hash:$2b$12$KIXQJv1n0e1zW8c1t6Y0cuQ0oX8mI8Jm3kq0zJ5lM0p0e8x1yJ8eK',
  'password:$apr1$slYgL.cS$KD8r6FLU1GH7IDYV18CL5z, {"hash":"$2b$12$KIXQJv1n0e1zW8c1t6Y0cuQ0oX8mI8Jm3kq0zJ5lM0p0e8x1yJ8eK"}',
  'the hash is $argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$QkFt4d1w8G1xX0v3yq0Zlw',
  'vault kv get -field=password secret/app/mssql01',
  'token refresh fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'error code 5012 when entering the vault, Farbcode 5015, duplicate code at lines 549-570',
  'the password from NEO4J_AUTH is given to Neo4jAdapter, see build/root/Makefile#L264-L270',
  'const password = document.querySelector("#password").value',
  'The commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes the token refresh',
  'test_ThisReadsTheWholeFileAndReturnsNothingAtAll passes',
]
test.each(PASSES)('leaves alone %s', async (text) => expect(await maskCredentials(text)).toBe(text))
