import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MAX_LINE_LENGTH, redactLine, redactLines } from '../../src/secrets/redact.ts'
import { createDraw, PLACES, plantSecrets } from '../builders/planted-secrets.ts'
import { rejectionOf } from '../rejection-of.ts'

const SECRETS = plantSecrets(240, 7)

test.each(Object.entries(PLACES))('finds every kind of credential: %s', async (_name, place) => {
  const draw = createDraw(1)
  const lines = SECRETS.map(({ text }) => place(text, draw))
  const redacted = await redactLines(lines)
  const left = SECRETS.flatMap(({ kind, secrets }, nth) => {
    const { line = '', counts = {} } = redacted[nth] ?? {}
    const readable = line.replaceAll('\\', '')
    const isGone = secrets.every((secret) => !readable.includes(secret)) && Object.keys(counts).length > 0
    return isGone ? [] : [{ kind, line: line.slice(0, 400) }]
  })
  expect(left).toEqual([])
  for (const [nth, { line }] of redacted.entries()) if (isJson(lines[nth] ?? '')) expect(isJson(line)).toBe(true)
})

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

test('what is redacted stays as it is when it is redacted again, whatever stands around', async () => {
  const secret = fc.constantFrom(...SECRETS.map(({ text }) => text))
  const piece = fc.constantFrom(
    '"',
    '\\',
    '[REDACTED:aws]',
    '_KEY=',
    'Bearer ',
    '://',
    '@',
    ':',
    '-----BEGIN PRIVATE KEY-----',
    '\n',
  )
  const around = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), piece, secret), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(around, async (pieces) => {
      const line = JSON.stringify({ text: pieces.join(''), pieces })
      const once = await redactLine(line)
      expect(isJson(once.line)).toBe(true)
      expect(await redactLine(once.line)).toEqual({ line: once.line, counts: {} })
    }),
    { numRuns: 150 },
  )
})

test('a line without credentials comes back byte for byte, with its numbers, escapes and double members', async () => {
  const lines = [
    '{"id":12345678901234567890,"f":1.0,"dup":1,"dup":2,"10":"a","e":1e400,"u":"\\u00e9\\/\\ud83d"}',
    '{ "tool_use_id" : "toolu_01A2b3C4d5E6f7G8h9J0k1L2" , "uuid" : "01a2025b-6924-7078-ac85-c0fc82ab0987", "usage":{"input_tokens":12} }',
    `{"text":"API_KEY=\${API_KEY} PASSWORD=changeme token: string; apiKey = process.env.API_KEY; secret: getSecret()"}`,
    '{"signature":"EqQBCkYICRgCKkD9r7tq","sha":"3f786850e387550fdab836ed7e6dc881de23001b","prompt_cache_key":"01a2025b-6924-7078-ac85-c0fc82ab0987"}',
    'not JSON at all {',
    '',
  ]
  expect(await redactLines(lines)).toEqual(lines.map((line) => ({ line, counts: {} })))
})

test('a line is redacted in the same way whatever lines stand beside it', async () => {
  const draw = createDraw(3)
  const places = Object.values(PLACES)
  const lines = SECRETS.slice(0, 96).map(({ text }, nth) => (places[nth % places.length] ?? String)(text, draw))
  const broken = ['{"a":"-----BEGIN RSA PRIVATE KEY-----"}', '{"b":"aws_secret_access_key ="}']
  const all = [...lines, ...broken, ...lines.toReversed()]
  const alone: string[] = []
  for (const line of all) alone.push((await redactLine(line)).line)
  expect((await redactLines(all)).map(({ line }) => line)).toEqual(alone)
})

test('a password that is a number is taken out too, and the line stays JSON', async () => {
  const tool = {
    input: { user: 'ana', password: 84739201, port: 5432 },
    usage: [104857, 1.25e-7, -3],
    db_password: 9384726151,
  }
  const { line, counts } = await redactLine(JSON.stringify(tool))
  const input = { user: 'ana', password: '[REDACTED:password]', port: 5432 }
  expect([JSON.parse(line), counts]).toEqual([{ ...tool, input, db_password: '[REDACTED:password]' }, { password: 2 }])
  expect((await redactLine(line)).line).toBe(line)
})

test('JSON in a string, or in the JSON of a string, stays JSON where a number in it is taken out', async () => {
  const [plain, masked] = [84739201, '[REDACTED:password]'].map((password) =>
    JSON.stringify({ user: 'ana', password, port: 5432 }, null, 1),
  )
  const wrap = (text: string | undefined) => JSON.stringify({ text, deeper: JSON.stringify({ text }) })
  const { line, counts } = await redactLine(wrap(plain))
  expect([line, counts]).toEqual([wrap(masked), { password: 2 }])
  expect((await redactLine(line)).line).toBe(line)
  expect((await redactLine('password: 84739201')).line).toBe('password: [REDACTED:password]')
})

test('counts by rule, and says nothing of the values', async () => {
  const [github, aws] = [`ghp_${'7aB3cD5eF9'.repeat(4).slice(0, 36)}`, 'AKIAQWERTYUIOP234567']
  const { line, counts } = await redactLine(JSON.stringify({ a: `${github} and ${github}`, b: aws }))
  expect([JSON.parse(line), counts]).toEqual([
    { a: '[REDACTED:github] and [REDACTED:github]', b: '[REDACTED:aws]' },
    { github: 2, aws: 1 },
  ])
})

test('the first and the last line of a string are read as they were in its file, and lines that a patch adds without their plus', async () => {
  const [password, other] = ['MozDICWYy67', 'c1M5xiCsaJ5Qz']
  const table = `host,user,password\nfs1,adm,${other}\nfs2,adm,${password}`
  const passFile = `db-prod.internal:5432:*:backup:${password}`
  const chat = `[14:02] Tom: whats the sudo pass on build-3?\n[14:03] Ines: ${password}`
  for (const text of [table, passFile, chat, `| user | password |\n|---|---|\n| ana | ${password} |`]) {
    const patch = `*** Begin Patch\n*** Add File: notes.md\n${text.replace(/^/gm, '+')}\n*** End Patch`
    const call = { arguments: JSON.stringify({ cmd: ['apply_patch', patch] }) }
    for (const line of [[text], { role: 'user', content: text, id: 1 }, call].map((value) => JSON.stringify(value))) {
      const redacted = (await redactLine(line)).line
      expect([line, redacted.includes(password), redacted.includes(other), isJson(redacted)]).toEqual([
        line,
        false,
        false,
        true,
      ])
    }
  }
})

test('of a line that holds thousands, or thousands of strings, nothing is left either', async () => {
  const secret = 'AKIAQWERTYUIOP234567'
  const lines = [
    Array.from({ length: 6_000 }, () => secret),
    [...Array.from({ length: 60_000 }, () => ''), secret],
  ].map((list) => JSON.stringify(list))
  for (const { line, counts } of await redactLines(lines)) {
    expect([line.includes(secret), isJson(line), counts.aws]).toEqual([false, true, 1])
  }
})

test('a line that is too long to be searched is refused, not passed', async () => {
  expect(await rejectionOf(redactLine('x'.repeat(MAX_LINE_LENGTH + 1)))).toBe(
    'a line is too long to be searched for credentials',
  )
})
