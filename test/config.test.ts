import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { Refusal } from '../src/errors.ts'
import { makeFolder } from './run-cli.ts'

const KEY = '0123456789abcdef'.repeat(4)

test('without a variable every setting has its default', () => {
  expect(readConfig({ PATH: '/bin' })).toEqual({
    host: '127.0.0.1',
    port: 8787,
    dataDir: './data',
    databaseUrl: undefined,
    databasePool: 10,
    publicUrl: undefined,
    trashDays: 30,
    historyDays: 365,
    auditDays: 400,
    outboundAllow: [],
    trustedProxies: [],
    secretKeys: [],
    clientDocuments: 'tried',
    log: { level: 'info', requests: false },
    metricsAddress: undefined,
    metricsToken: undefined,
    tracesEndpoint: undefined,
    printFirstKey: false,
    backupDir: undefined,
    backupEvery: undefined,
    backupKeep: undefined,
    backupPassphrase: undefined,
    checkDays: 7,
  })
})

test('a passphrase that no backup could be encrypted with is refused at the start', () => {
  for (const length of [11, 1_025]) {
    const read = () => readConfig({ SVC_BACKUP_PASSPHRASE: 'x'.repeat(length) })
    expect(read).toThrow(new Refusal('SVC_BACKUP_PASSPHRASE must have 12 to 1024 characters'))
  }
})

test.each(['HTTPS://Memory.Example', ' https://memory.example/ ', 'https://memory.example:443//'])(
  '%j is the URL in another form',
  (given) => {
    expect(readConfig({ SVC_PUBLIC_URL: given }).publicUrl).toBe('https://memory.example')
  },
)

test('an empty variable counts as one that is not set', () => {
  const names = [
    'SVC_HOST',
    'SVC_PORT',
    'SVC_DATA_DIR',
    'SVC_PUBLIC_URL',
    'SVC_TRASH_DAYS',
    'SVC_OUTBOUND_ALLOW',
    'SVC_SECRET_KEY',
  ]
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
})

test('reads every setting', () => {
  const read = readConfig({
    SVC_HOST: '0.0.0.0',
    SVC_PORT: '0',
    SVC_DATA_DIR: '/var/lib/memsvc',
    SVC_PUBLIC_URL: 'https://memory.example/',
    SVC_TRASH_DAYS: '0',
    SVC_AUDIT_DAYS: '36500',
    SVC_OUTBOUND_ALLOW: 'wiki.internal, 10.0.0.0/8 ,',
    SVC_SECRET_KEY: `${KEY},${KEY.toUpperCase()}`,
    SVC_OAUTH_CLIENT_DOCUMENTS: 'off',
  })
  expect(read).toMatchObject({
    host: '0.0.0.0',
    port: 0,
    dataDir: '/var/lib/memsvc',
    publicUrl: 'https://memory.example',
    trashDays: 0,
  })
  expect(read).toMatchObject({
    auditDays: 36_500,
    outboundAllow: ['wiki.internal', '10.0.0.0/8'],
    clientDocuments: 'off',
  })
  expect(read.secretKeys.map((key) => key.toHex())).toEqual([KEY, KEY])
})

test('proxies are addresses and networks', () => {
  const { trustedProxies } = readConfig({ SVC_TRUSTED_PROXIES: '10.0.0.0/8,192.168.1.4,fd00::/8,::1' })
  expect(trustedProxies.map(([address, bits]) => `${address}/${bits}`)).toEqual([
    '10.0.0.0/8',
    '192.168.1.4/32',
    'fd00::/8',
    '::1/128',
  ])
})

test.each([
  ['SVC_PROT', '8787', /^SVC_PROT is not a setting; known are SVC_HOST, SVC_PORT/],
  ['SVC_PORT', '65536', "SVC_PORT must be a whole number from 0 to 65535, not '65536'"],
  ['SVC_PORT', '-1', "SVC_PORT must be a whole number from 0 to 65535, not '-1'"],
  ['SVC_PORT', '0x50', "SVC_PORT must be a whole number from 0 to 65535, not '0x50'"],
  ['SVC_LOG', 'debug', "SVC_LOG must be error, warn or info, with or without access, not 'debug'"],
  ['SVC_LOG', 'warn,info', /^SVC_LOG must be /],
  ['SVC_METRICS_ADDRESS', '9464', /^SVC_METRICS_ADDRESS must be an address and a port/],
  ['SVC_METRICS_ADDRESS', '127.0.0.1:99999', /must be an address and a port/],
  [
    'SVC_METRICS_TOKEN',
    'too short',
    /^SVC_METRICS_TOKEN must be at least 16 printable ASCII characters without blanks$/,
  ],
  ['SVC_PRINT_FIRST_KEY', 'yes', "SVC_PRINT_FIRST_KEY must be 1 or 0, not 'yes'"],
  ['SVC_TRASH_DAYS', '1.5', "SVC_TRASH_DAYS must be a whole number from 0 to 3650, not '1.5'"],
  ['SVC_AUDIT_DAYS', '0', "SVC_AUDIT_DAYS must be a whole number from 1 to 36500, not '0'"],
  ['SVC_PUBLIC_URL', 'memory.example', "SVC_PUBLIC_URL must be an http or https URL, not 'memory.example'"],
  ['SVC_PUBLIC_URL', 'ftp://memory.example', "SVC_PUBLIC_URL must be an http or https URL, not 'ftp://memory.example'"],
  ['SVC_PUBLIC_URL', 'https://me@memory.example', 'SVC_PUBLIC_URL must have no user, query or fragment'],
  ['SVC_PUBLIC_URL', 'https://memory.example/?a=1', 'SVC_PUBLIC_URL must have no user, query or fragment'],
  [
    'SVC_DATABASE_URL',
    'postgres://memsvc:p@ss,word@db-1:5432,db-2:5432/memsvc',
    'SVC_DATABASE_URL must name one host, which leads to the primary',
  ],
  ['SVC_DATABASE_URL', 'postgres://db.internal', /^SVC_DATABASE_URL must be the URL of a database such as /],
  [
    'SVC_OUTBOUND_ALLOW',
    '10.0.0.0/8,10.0.0.0/99',
    /must hold addresses and networks such as 10\.0\.0\.0\/8, not '10\.0\.0\.0\/99'/,
  ],
  [
    'SVC_OUTBOUND_ALLOW',
    '@@!!',
    /must hold hosts, addresses and networks such as git\.internal or 10\.0\.0\.0\/8, not '@@!!'/,
  ],
  ['SVC_OUTBOUND_ALLOW', 'a..b', /must hold hosts, addresses and networks .* not 'a\.\.b'/],
  ['SVC_OUTBOUND_ALLOW', '-x', /not '-x'/],
  ['SVC_OUTBOUND_ALLOW', 'git.internal.', /not 'git\.internal\.'/],
  ['SVC_OUTBOUND_ALLOW', '10.0.0.0/08', /not '10\.0\.0\.0\/08'/],
  [
    'SVC_TRUSTED_PROXIES',
    '10.0.0.0/33',
    /must hold addresses and networks such as 10\.0\.0\.0\/8, not '10\.0\.0\.0\/33'/,
  ],
  ['SVC_TRUSTED_PROXIES', '127.1', /not '127\.1'/],
  ['SVC_TRUSTED_PROXIES', '::ffff:10.0.0.1', /not '::ffff:10\.0\.0\.1'/],
])('%s=%s is refused by its name', (name, value, reason) => {
  expect(() => readConfig({ [name]: value })).toThrow(Refusal)
  expect(() => readConfig({ [name]: value })).toThrow(reason)
})

test('the URL of a database may have commas in its password and its parameters', () => {
  const url = 'postgres://memsvc:a,b@[2001:db8::1]:5433/memsvc?options=-c%20search_path%3Dapp,public'
  expect(readConfig({ SVC_DATABASE_URL: url }).databaseUrl).toBe(url)
})

test('everything that is wrong is named at once', () => {
  const read = () =>
    readConfig({ SVC_PROT: '1', SVC_HOTS: '2', SVC_PORT: 'x', SVC_TRASH_DAYS: '-1', SVC_PUBLIC_URL: 'memory' })
  expect(read).toThrow(
    /^the settings are wrong:\n {2}SVC_PROT, SVC_HOTS are no settings; known are SVC_HOST, .*\n {2}SVC_PORT must .*\n {2}SVC_PUBLIC_URL must .*\n {2}SVC_TRASH_DAYS must .*$/,
  )
})

test('a secret may stand in a file, which is read up to its last line end', async () => {
  const file = join(await makeFolder(), 'key')
  writeFileSync(file, `${KEY}\n`)
  expect(readConfig({ SVC_SECRET_KEY_FILE: file }).secretKeys.map((key) => key.toHex())).toEqual([KEY])
  expect(() => readConfig({ SVC_SECRET_KEY_FILE: file, SVC_SECRET_KEY: KEY })).toThrow(
    'SVC_SECRET_KEY and SVC_SECRET_KEY_FILE exclude each other',
  )
  expect(() => readConfig({ SVC_SECRET_KEY_FILE: `${file}.gone` })).toThrow(
    `SVC_SECRET_KEY_FILE names '${file}.gone', which cannot be read (ENOENT)`,
  )
  writeFileSync(file, '\n')
  expect(() => readConfig({ SVC_DATABASE_URL_FILE: file })).toThrow(
    `SVC_DATABASE_URL_FILE names '${file}', which is empty`,
  )
  writeFileSync(file, 'f00d')
  expect(() => readConfig({ SVC_SECRET_KEY_FILE: file })).toThrow(
    `the file '${file}' (SVC_SECRET_KEY_FILE) must be 64 hexadecimal digits`,
  )
})

test('a secret key that is none is not repeated', () => {
  const wrong = 'f00d'.repeat(15)
  const read = () => readConfig({ SVC_SECRET_KEY: wrong })
  expect(read).toThrow('SVC_SECRET_KEY must be 64 hexadecimal digits, or several such keys with commas between')
  expect(read).not.toThrow(wrong)
})
