import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findCredentials, maskCredentials } from '../../src/secrets/credentials.ts'
import { makeKey } from '../../src/secrets/key.ts'

const digits = (length: number) => '0123456789abcdefABCDEF'.repeat(8).slice(0, length)
const KEY = makeKey({ uuid: () => '', bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) })
const GITHUB = `ghp_${digits(36)}`
const AWS_SECRET = digits(40)
const PEM = `-----BEGIN RSA PRIVATE KEY-----\nMII${digits(61)}\n${digits(64)}\n-----END RSA PRIVATE KEY-----`
const jwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const JWT = `${jwtPart({ alg: 'HS256', typ: 'JWT' })}.${jwtPart({ sub: '1234567890' })}.${digits(43)}`

/** Texts with a credential, its kind, and the same text with a mask. */
const FOUND: [kind: string, text: string, masked: string][] = [
  ['memsvc key', `The agent runs with ${KEY}.`, 'The agent runs with ***.'],
  ['memsvc token', `The connector holds svo_${digits(43)}.`, 'The connector holds ***.'],
  ['memsvc link', `https://memory.example/console/enter/${digits(43)} lets Ana in`, 'https://memory.example/console/enter/*** lets Ana in'],
  [
    'private key',
    `Deploy key:\n${PEM}\nKeep it.`,
    'Deploy key:\n-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nKeep it.',
  ],
  ['private key', `{"key":"${PEM.replaceAll('\n', '\\n')}"}`, '{"key":"-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----"}'],
  ['authorization header', `curl -H 'Authorization: Bearer ${JWT}' host`, "curl -H 'Authorization: Bearer ***' host"],
  ['authorization header', '"authorization": "Basic dXNlcjpodW50ZXIy"', '"authorization": "Basic ***"'],
  ['url with a password', 'DATABASE_URL=postgres://app:hunter2@db.internal/prod', 'DATABASE_URL=postgres://***@db.internal/prod'],
  ['url with a password', 'redis://:s3cr3t!@cache:6379 is the queue', 'redis://***@cache:6379 is the queue'],
  ['npm', `//registry.example/:_authToken=${digits(36)}`, '//registry.example/:_authToken=***'],
  ['github', `CI pushes with ${GITHUB} (expires in May)`, 'CI pushes with *** (expires in May)'],
  ['aws', `the id AKIA${'QWERTYUIOP123456'} is ours`, 'the id *** is ours'],
  ['aws', `aws_secret_access_key = "${AWS_SECRET}" in us-east-1`, '***" in us-east-1'],
  ['slack', 'hook https://hooks.slack.com/services/T01234567/B01234567/abcdefgh01234567 posts', 'hook *** posts'],
]

describe('finds and masks', () => {
  for (const [kind, text, masked] of FOUND) {
    test(`${kind}: ${masked}`, async () => {
      const [first] = await findCredentials(text)
      expect(first?.kind).toBe(kind)
      expect(await maskCredentials(text)).toBe(masked)
      expect(await findCredentials(masked)).toEqual([])
    })
  }
})

test('leaves alone what only speaks of credentials', async () => {
  const texts = [
    'Rotate the deploy key every May; it is in the vault under ops/deploy.',
    `A key has the form svc_ and 36 characters, such as ${KEY.slice(0, -1)}${KEY.endsWith('0') ? '1' : '0'}`,
    'The file begins with -----BEGIN PRIVATE KEY----- and src/memory/records/save/draft.ts reads it',
    '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQG\n-----END CERTIFICATE-----',
    'Send Authorization: Bearer <API_KEY>, or Authorization: Bearer $MEMSVC_API_KEY_2026',
    'authorization: Basic authentication is switched off',
    'Authorization: Bearer your-access-token-goes-here',
    `postgres://user:password@localhost/app, postgres://\${DB_USER}:\${DB_PASSWORD}@db/app, amqp://guest:guest@localhost`,
    'https://admin:***@example.org and https://user:<password>@example.org',
    'http://[::1]:8080/@scope/name, https://example.org:443/a@b, git@github.com:memsvc/memsvc.git',
    `//registry.example/:_authToken=\${NPM_TOKEN}`,
    'commit 3f786850e387550fdab836ed7e6dc881de23001b, uuid 01a2025b-6924-7078-ac85-c0fc82ab0987',
  ]
  for (const text of texts) expect([text, await findCredentials(text)]).toEqual([text, []])
})

test('finds one anywhere in a long text', async () => {
  const words = 'see src/memory/records/save/draft.ts and https://example.org. '.repeat(1_200)
  for (const at of [0, 2_500, 4_060, 4_096, 30_000, words.length]) {
    const text = `${words.slice(0, at)} ${GITHUB} ${words.slice(at)}`
    expect([at, (await findCredentials(text)).map(({ kind }) => kind)]).toEqual([at, expect.arrayContaining(['github'])])
    expect(await maskCredentials(text)).toBe(text.replace(GITHUB, '***'))
  }
})

test('is not switched off by what the text says', async () => {
  expect(await findCredentials(`<!-- secretlint-disable -->\n\ufeff${GITHUB} // secretlint-disable-line`)).not.toEqual([])
  expect(await maskCredentials(`\ufeff${GITHUB}`)).toBe('\ufeff***')
})

test('finds one whatever stands around it, and leaves none', async () => {
  const secret = fc.constantFrom(...FOUND.map(([, text]) => text))
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
  const around = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...pieces)), { maxLength: 6 })
  const given = fc.tuple(around, secret, around).map(([before, text, after]) => [...before, text, ...after].join(' '))
  await fc.assert(
    fc.asyncProperty(given, async (text) => {
      expect(await findCredentials(text)).not.toEqual([])
      expect(await findCredentials(await maskCredentials(text))).toEqual([])
    }),
    { numRuns: 200 },
  )
})
