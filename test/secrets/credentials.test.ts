import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findCredentials, maskCredentials } from '../../src/secrets/credentials.ts'
import { makeKey } from '../../src/secrets/key.ts'
import { createDraw, drawText } from '../builders/planted-secrets.ts'
import { BOUND_MS, longestTurn } from '../longest-turn.ts'

const draw = createDraw(11)
const letters = (length: number) => drawText(draw, length)
const hex = (length: number) => drawText(draw, length, 'hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')

const KEY = makeKey({ uuid: () => '', bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) })
const GITHUB = `ghp_${letters(36)}`
const TOKEN = letters(32)
const PASSWORD = 'kJ8sd92kLmQp'
const BODY = `\nMII${letters(61)}\n${letters(64)}\n`
const PEM = `-----BEGIN RSA PRIVATE KEY-----${BODY}-----END RSA PRIVATE KEY-----`
const part = (value: object) => base64(JSON.stringify(value)).replaceAll('=', '')
const JWT = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1234567890' })}.${letters(43)}`
const BASIC = base64(`user:${PASSWORD}`)
const UUID = '8f14e45f-ceea-467f-a8ba-3c9d1b2a7f60'

/** A kind, and texts with a secret of it between guillemets. */
const FOUND: Record<string, string[]> = {
  'memsvc key': [
    `The agent runs with «${KEY}».`,
    `https://memory.example/mcp?key=«${KEY}»`,
    `cut off: «${KEY.slice(0, 30)}»`,
  ],
  'memsvc token': [`The connector holds «svo_${letters(43)}».`],
  'memsvc link': [`https://memory.example/console/enter/«${letters(43)}» lets Ana in`],
  'private key': [
    `Deploy key:\n-----BEGIN RSA PRIVATE KEY-----«${BODY}»-----END RSA PRIVATE KEY-----\nKeep it.`,
    `{"key":"-----BEGIN PRIVATE KEY-----«${BODY.replaceAll('\n', '\\n')}»-----END PRIVATE KEY-----"}`,
    `client-key-data: «${base64(PEM)}»`,
    `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n«${letters(48)}»`,
  ],
  'authorization header': [
    `curl -H 'Authorization: Token «${TOKEN}»' host`,
    `"authorization": "Basic «${BASIC}»"`,
    `the call had "Bearer «${TOKEN}»" in it`,
  ],
  'url with a password': [
    `DATABASE_URL=postgres://«app:hunter2»@db.internal/prod`,
    `redis://«:s3cr3t!»@cache:6379 is the queue`,
    `git clone https://«ci:${PASSWORD}»@git.example/app.git`,
  ],
  npm: [`//registry.example/:_authToken=«${TOKEN}»`, `//registry.example/:_auth="«${BASIC}»"`],
  docker: [`{"auths":{"registry.example":{"auth":"«${BASIC}»"}}}`],
  cookie: [`Cookie: «theme=dark; session=${TOKEN}»`, `Set-Cookie: «sid=${TOKEN}; Path=/»`],
  'signed url': [`https://a.blob.core.windows.net/c?sv=2022-11-02&sig=«${encodeURIComponent(base64(letters(32)))}»`],
  'one-time code': [`otpauth://totp/Shop:ana?secret=«${drawText(draw, 32, 'upper')}»&issuer=Shop`],
  aws: [
    `the id «AKIA${drawText(draw, 16, 'upper')}» is ours`,
    `aws_secret_access_key = "«${letters(40)}»" in us-east-1`,
    `"SecretAccessKey": "«${letters(40)}»"`,
  ],
  github: [
    `CI pushes with «${GITHUB}» (expires in May)`,
    `/srv/ci-«${GITHUB}»`,
    `the branch fix_«${GITHUB}»`,
    `«github_pat_${letters(22)}_${letters(59)}»`,
    `GITHUB_TOKEN=«${GITHUB}»`,
  ],
  gitlab: [`«glpat-${letters(20)}»`, `«glptt-${hex(40)}»`],
  slack: [
    `hook https://«hooks.slack.com/services/T01234567/B01234567/${letters(24)}» posts`,
    `«xoxb-${drawText(draw, 12, 'digits')}-${drawText(draw, 12, 'digits')}-${letters(24)}»`,
    `«xapp-1-A052VGTK4R3-${drawText(draw, 13, 'digits')}-${hex(64)}» is the app`,
  ],
  google: [`Maps uses «AIza${letters(35)}»`, `«1//0${letters(60)}»`, `«GOCSPX-${letters(28)}»`],
  jwt: [`the session was «${JWT}» then`],
  pypi: [`«pypi-AgEIcHlwaS5vcmc${letters(120)}»`],
  twilio: [`the key «SK${hex(32)}»`],
  digitalocean: [`«dop_v1_${hex(64)}»`],
  supabase: [`«sbp_${hex(40)}»`],
  stripe: [`«whsec_${letters(32)}»`, `«sk_live_${letters(24)}»`],
  telegram: [`bot «7412589630:AA${letters(33)}»`],
  discord: [`«MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${letters(27)}»`],
  heroku: [`«HRKU-AA${letters(58)}»`],
  atlassian: [`«ATATT3xFfGF0${letters(180)}=${hex(8).toUpperCase()}»`],
  age: [`«AGE-SECRET-KEY-1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}»`],
  openrouter: [`«sk-or-v1-${hex(64)}»`],
  notion: [`«ntn_${letters(46)}»`],
  sendgrid: [`«SG.${letters(10)}-_${letters(10)}.${letters(43)}»`],
  password: [
    `DB_PASS=«${PASSWORD}»`,
    `PGPASSWORD=«${PASSWORD}» psql`,
    `MYSQL_PWD='«${PASSWORD}»'`,
    'password: «hunter2-Xy9!»',
    `password = "«${PASSWORD}»"`,
    `{"name":"DB_PASSWORD","value":"«${PASSWORD}»"}`,
    `- name: DB_PASSWORD\n  value: «${PASSWORD}»`,
    `<password>«${PASSWORD}»</password>`,
    `spring.datasource.password=«${PASSWORD}»`,
    `let password: String = "«${PASSWORD}»";`,
    `define('DB_PASSWORD', '«${PASSWORD}»');`,
    `login: admin / password: «${PASSWORD}»`,
    `user ana, pw «${PASSWORD}»`,
    `the root password for the old NAS is «${PASSWORD}»`,
    `The wifi password is "«${PASSWORD}»", guests may have it.`,
    `Das Passwort lautet «${PASSWORD}».`,
    `contraseña: «${PASSWORD}»`,
    `密码：«${PASSWORD}»`,
    `ALTER USER ana WITH PASSWORD '«${PASSWORD}»';`,
    `jdbc:mysql://db/shop?user=root&password=«${PASSWORD}»`,
    `Server=db;Uid=app;Pwd=«${PASSWORD}»;Encrypt=true`,
    `curl -u ana:«${PASSWORD}» https://example.org`,
    `mysql -uroot -p«${PASSWORD}» shop`,
    `wget --user=ana --password «${PASSWORD}» x`,
    `sshpass -p '«hunter2»' ssh h`,
    `docker login -u ci -p «${PASSWORD}» registry.example`,
    `machine git.example.com\n  login ana\n  password «${PASSWORD}»`,
    `db.internal:5432:shop:app:«${PASSWORD}»`,
    'password = "«jasper-copper-quartz-lumen6»"',
    'passphrase: "«copper lumen quartz tulip»"',
    'password=«83920174»',
    `use «${PASSWORD}» as the password`,
    `password:\n  «${PASSWORD}»`,
    `<lo> what is the sudo pw on box 3\n<al> «${PASSWORD}»\n<lo> ty`,
    `Yönetici şifresi: «${PASSWORD}»`,
    `Heslo k databázi je «${PASSWORD}»`,
    `Пароль адміністратора — «${PASSWORD}»`,
    `관리자 비밀번호는 «${PASSWORD}» 입니다`,
    `| host | user | password |\n|---|---|---|\n| fs1 | adm | «${PASSWORD}» |`,
    `hostname,username,password\nfs1,adm,«${PASSWORD}»`,
    `smtp.login("ana", "«${PASSWORD}»")`,
    `net use Z: \\\\nas\\scans «${PASSWORD}» /user:ana`,
    `jdbc:oracle:thin:hr/«${PASSWORD}»@//ora:1521/XE`,
  ],
  secret: [
    `SECRET_KEY_BASE=«${hex(64)}»`,
    `API_TOKEN_V2=«${TOKEN}»`,
    `{"clientSecret": "«${TOKEN}»"}`,
    `X-Api-Key: «${TOKEN}»`,
    `--token «${TOKEN}»`,
    `AccountName=shop;AccountKey=«${letters(86)}==»;EndpointSuffix=core.windows.net`,
    `HEROKU_API_KEY=«${UUID}»`,
    `apiVersion: v1\nkind: Secret\ndata:\n  token: «${base64(TOKEN)}»`,
  ],
}

describe('finds and masks', () => {
  for (const [kind, texts] of Object.entries(FOUND))
    for (const marked of texts)
      test(`${kind}: ${marked.replace(/«[\s\S]*»/, '…')}`, async () => {
        const text = marked.replace(/[«»]/g, '')
        const start = marked.indexOf('«')
        expect(await findCredentials(text)).toEqual([{ kind, start, end: marked.indexOf('»') - 1 }])
        const masked = await maskCredentials(text)
        expect(masked).toBe(marked.replace(/«[\s\S]*»/, '***'))
        expect(await findCredentials(masked)).toEqual([])
      })
})

describe('reads a text as it is meant', () => {
  const ENCODED: [how: string, text: string, masked: string][] = [
    ['over two lines', `the token ${GITHUB.slice(0, 20)}\\\n  ${GITHUB.slice(20)} is ours`, 'the token *** is ours'],
    ['over two literals', `"${GITHUB.slice(0, 20)}" +\n  "${GITHUB.slice(20)}"`, '"***"'],
    ['wrapped like base64', `${JWT.slice(0, 76)}\n${JWT.slice(76)}\nend`, '***\nend'],
    ['escaped', `{\\"password\\":\\"${PASSWORD}\\"}`, '{\\"password\\":\\"***\\"}'],
    [
      'escaped twice',
      `{\\\\\\"password\\\\\\":\\\\\\"${PASSWORD}\\\\\\"}`,
      '{\\\\\\"password\\\\\\":\\\\\\"***\\\\\\"}',
    ],
    ['percent-encoded', `https://x.example/?t=glpat%2D${TOKEN}&b=1`, 'https://x.example/?t=***&b=1'],
    ['in base64', `as base64: ${base64(`DB_PASSWORD=${PASSWORD}\nX=1`)}`, 'as base64: ***'],
    [
      'in lines of base64',
      `secret:\n${base64(`a note before it, and then ${GITHUB}, and more`).replace(/.{64}/, '$&\n')}`,
      'secret:\n***',
    ],
    ['whole where more follows', `${GITHUB}-and-more`, '***'],
  ]
  test.each(ENCODED)('%s', async (_, text, masked) => expect(await maskCredentials(text)).toBe(masked))
})

const PASSES = [
  'Rotate the deploy key every May; it is in the vault under ops/deploy.',
  'A key has the form svc_ and 36 characters; GitHub tokens begin with ghp_, AKIA is how ids begin.',
  'The file begins with -----BEGIN PRIVATE KEY----- and src/memory/records/save/draft.ts reads it',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQG\n-----END CERTIFICATE-----',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGb1tq0b1r0mJ0b1f8C2m8Vb2jF0t6h3u4k5v6w7x8y9 ana@laptop',
  'Send Authorization: Bearer <API_KEY>, or Authorization: Bearer $MEMSVC_API_KEY_2026',
  'authorization: Basic authentication is switched off; Authorization: Bearer your-access-token-goes-here',
  `postgres://user:password@localhost/app, postgres://\${DB_USER}:\${DB_PASSWORD}@db/app, amqp://guest:guest@localhost`,
  'https://admin:***@example.org and https://user:<password>@example.org',
  'http://[::1]:8080/@scope/name, https://example.org:443/a@b, git@github.com:memsvc/memsvc.git',
  `commit ${hex(40)}, uuid ${UUID}, sha256:${hex(64)}, etag "${hex(32)}"`,
  `"integrity": "sha512-${base64(letters(64))}"`,
  `data:image/png;base64,${base64(String.fromCharCode(137, 80, 78, 71, ...Array.from({ length: 300 }, () => draw(256))))}`,
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx AKIAIOSFODNN7EXAMPLE sk_test_4eC39HqLyjWDarjtT1zdp7dc sk-...',
  'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'API_KEY=your-api-key-here PASSWORD=changeme password: ******** password="" token=undefined',
  `password: \${DB_PASSWORD}; token = process.env.API_TOKEN; "apiKey": "{{API_KEY}}"; secret: vault:secret/data/shop#db`,
  'DB_PASSWORD=$(vault kv get -field=password secret/db) password: op://ops/db/password password = var.db_password',
  'password?: string; password: str = Field(min_length=12); const token = await getToken(request)',
  'SORT_KEY=created_at CACHE_KEY=user:42:v3 PROJECT_KEY=SHOP-1234 KEY_ID=2024-primary FOREIGN KEY (a) REFERENCES b(c)',
  `prompt_cache_key: "${UUID}", next_page_token: "${letters(24)}", public_key: "${letters(44)}"`,
  'max_tokens: 8192 TOKEN_TTL=3600 PASSWORD_MIN_LENGTH=12 private_key_path = "~/.ssh/deploy" SSL_KEY_FILE=/etc/ssl/x.pem',
  'The password must have 12 characters and 1 digit, is hashed with argon2id, and expires after 90 days.',
  'Password1 is not allowed as password; the secret santa is on 12/24; press key F5; tests pass: 318',
  'mysql -u root -p shop; curl -u "$USER:$PASS" https://example.org; docker run -p 8080:80 nginx; ssh -p 2222 h; cp -p a b',
  'password: reset-link-v2; password: see-one-password-vault-entry; password: !vault-ref secret/data/app#password',
  'column,type,password\nid,int,no',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==, Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==, sk-ant-[A-Za-z0-9_-]{95}',
  'Cookie: consent=yes; Set-Cookie: lang=de; Path=/',
]

test('leaves alone what only speaks of credentials', async () => {
  for (const text of PASSES) expect([text, await findCredentials(text)]).toEqual([text, []])
})

test('finds one anywhere in a long text', async () => {
  const words = 'see src/memory/records/save/draft.ts and https://example.org. '.repeat(2_400)
  for (const at of [0, 2_500, 30_000, 65_520, 65_536, 131_060, words.length]) {
    const text = `${words.slice(0, at)} ${GITHUB} ${words.slice(at)}`
    expect([at, await findCredentials(text)]).toEqual([
      at,
      [{ kind: 'github', start: at + 1, end: at + 1 + GITHUB.length }],
    ])
  }
})

test('finds each wherever a long text is cut into pieces', async () => {
  const cuts = [393_216, 458_752, 524_288]
  const secrets = [
    { kind: 'github', text: `«${GITHUB}»` },
    { kind: 'password', text: `DB_PASSWORD=«${PASSWORD}»` },
    { kind: 'private key', text: `-----BEGIN RSA PRIVATE KEY-----«${BODY}»-----END RSA PRIVATE KEY-----` },
    { kind: 'password', text: `{\\"password\\":\\"«${PASSWORD}»\\"}` },
    { kind: 'github', text: `«${base64(`a note with ${GITHUB} in it`)}»` },
  ]
  for (const { kind, text } of secrets)
    for (let before = 0; before <= text.length + 8; before += 31) {
      const marked = cuts
        .reduce((done, cut) => `${done.padEnd(cut - before, 'see it. ')} ${text} `, '')
        .padEnd(600_000, 'see it. ')
      const ends = [...marked.matchAll(/[«»]/g)].map(({ index }, nth) => index - nth)
      const spans = cuts.map((_, nth) => ({ kind, start: ends[2 * nth] ?? 0, end: ends[2 * nth + 1] ?? 0 }))
      expect([kind, before, await findCredentials(marked.replace(/[«»]/g, ''))]).toEqual([kind, before, spans])
    }
})

test('a long line in which no rule has anything to try holds the event loop for a piece of it', async () => {
  const line = 'a word or two of it and '.repeat(500_000)
  expect(await longestTurn(() => findCredentials(line))).toBeLessThan(BOUND_MS)
})

test('finds one whatever stands around it, and leaves none', async () => {
  const secret = fc.constantFrom(
    ...Object.values(FOUND).flatMap((texts) => texts.map((text) => text.replace(/[«»]/g, ''))),
  )
  const pieces = [
    '\n',
    '://',
    '@',
    ':',
    '"',
    '-----BEGIN',
    'authorization: ',
    'https://a.b/c?d=e',
    '\ufeff',
    '_authToken=',
    'svc_',
    'x'.repeat(4_000),
  ]
  const around = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...pieces)), {
    maxLength: 6,
  })
  const given = fc
    .tuple(around, secret, around)
    .map(([before, text, after]) => `${before.join(' ')}\n${text}\n${after.join(' ')}`)
  await fc.assert(
    fc.asyncProperty(given, async (text) => {
      expect(await findCredentials(text)).not.toEqual([])
      expect(await findCredentials(await maskCredentials(text))).toEqual([])
    }),
    { numRuns: 300 },
  )
})
