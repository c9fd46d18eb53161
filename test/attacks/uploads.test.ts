import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { redactLines } from '../../src/secrets/redact.ts'
import { countTurns } from '../count-turns.ts'
import { startHistories } from '../history/start-histories.ts'
import { claudeLine, createUploadClient, pack } from '../history/upload-client.ts'
import { BOUND_MS, longestTurn } from '../longest-turn.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const keyId = (at: number) =>
  `AKIA${Array.from({ length: 16 }, (_, nth) => ALPHABET[(at * 7 + nth * nth * 13 + 5) % 32]).join('')}`

test('lines that are full of credentials, strings or escapes are redacted in many turns, in linear time', async () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => keyId(at))
  const hostile = [
    JSON.stringify({ keys }),
    JSON.stringify({ keys: JSON.stringify(keys.map((key) => `${key}\n`)) }),
    JSON.stringify({ text: '\\"'.repeat(250_000) }),
    JSON.stringify({ texts: Array.from({ length: 100_000 }, (_, at) => `\n${at}`) }),
  ]
  const stop = countTurns()
  const redacted = []
  for (const line of hostile) redacted.push(...(await redactLines([line])))
  expect(stop()).toBeGreaterThan(5)
  for (const { line } of redacted) expect(line).not.toContain(keys[0] ?? '')
})

const LINE_LENGTH = 1_240_000
/** Of what a segment inflates to. */
const MAX_SEGMENT_LENGTH = 4 * 2 ** 20
const fill = (piece: string) => piece.repeat(Math.floor(LINE_LENGTH / piece.length))
const nth = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at)).join()

/** Lines that are long to parse, to unescape or to judge, by what they are full of. */
const SLOW_LINES: Record<string, string> = {
  'open brackets': fill('['),
  'open objects': fill('{"a":'),
  'empty objects': `[${fill('{},')}0]`,
  'empty lists': `[${fill('[],')}0]`,
  'members of one object': `{${nth(95_000, (at) => `"k${at.toString(36)}":0`)}}`,
  'short strings with escapes': `[${nth(19_000, (at) => `"a\\\\\\\\n${at}"`)}]`,
  'escaped quotes': `"${fill('\\"')}"`,
  'base64 of many texts': fill('QUJDREVGR0hJSktMTU5PUFFS '),
  'colons in base64': fill(`basic ${Buffer.from(`${':'.repeat(3_000)}\n`).toString('base64')} `).slice(0, 100_000),
}

for (const [kind, line] of Object.entries(SLOW_LINES))
  test(`an upload of lines full of ${kind} holds up nobody`, async () => {
    const { client } = await startHistories()
    // Packed before: the service's turns are measured, not those of who sends.
    const lines = pack([line, line, line].slice(0, Math.floor(MAX_SEGMENT_LENGTH / (line.length + 1))))
    let head = await client.head()
    const upload = async () => {
      head = await client.append(head, lines)
    }
    expect(await longestTurn(upload)).toBeLessThan(BOUND_MS)
  })

test('a search in a session for a text that nearly stands everywhere in it holds up nobody', async () => {
  const { client } = await startHistories()
  const head = await client.head()
  await client.append(head, [claudeLine('u', `${'ab'.repeat(480_000)} The end`)])
  const search = (text: string) => client.get(`sessions/${head.source_id}/matches?text=${encodeURIComponent(text)}`)
  expect(await longestTurn(() => search(`${'ab'.repeat(50)}ba${'ab'.repeat(440)}`))).toBeLessThan(BOUND_MS)
  const { body } = await search('THE END')
  expect(body.hits).toMatchObject([
    { line: 1, before: 'ab'.repeat(60).slice(1).concat(' '), match: 'The end', after: '' },
  ])
})

test('heads of more values than any agent has sources are refused before they are parsed', async () => {
  const { client } = await startHistories()
  const ask = (body: string) => client.send('POST', 'heads', body, { 'content-type': 'application/json' })
  for (const values of ['0,', '{},', '[],']) {
    const { status, body } = await ask(`{"device":"x","sources":[${values.repeat(300_000)}0]}`)
    expect([status, body.error]).toEqual([
      400,
      { code: 'invalid', message: 'Invalid Request: the message holds more than 10000 values' },
    ])
  }
  expect((await ask('[]')).body.error).toEqual({ code: 'invalid', message: 'the body is not a JSON object' })
  expect((await ask('{')).body.error).toEqual({ code: 'invalid', message: 'Parse error: the body is not JSON' })
  const sources = Array.from({ length: 500 }, (_, n) => ({
    source_key: `${n}`,
    session_id: `${n}`,
    cwd: '/',
    git_branch: 'main',
    last_at: '',
  }))
  expect((await client.ask(sources)).status).toBe(200)
})

test('names of sources lead to no file, whatever they look like', async () => {
  const { client, service, sessions } = await startHistories()
  const before = await readdir(service.config.dataDir, { recursive: true })
  for (const source_key of [
    '../../../../etc/passwd',
    '/etc/passwd',
    '..\\..\\x',
    'a/../../control.db',
    '%2e%2e%2fcontrol.db',
    'x'.repeat(512),
  ]) {
    const head = await client.head({ source_key, session_id: source_key.slice(0, 200) })
    await client.append(head, [claudeLine(source_key, 'text')])
  }
  expect(await sessions()).toHaveLength(6)
  const made = (await readdir(service.config.dataDir, { recursive: true })).filter((name) => !before.includes(name))
  expect(made.filter((name) => !/^projects(\/[0-9a-f-]+(\.history)?\.db(-wal|-shm)?)?$/.test(name))).toEqual([])
})

test('a source of somebody else, or of another project, is none: it is neither continued nor read, searched, exported or erased', async () => {
  const { client, org, url, read, owner } = await startHistories()
  const head = await client.head()
  const behind = await client.append(head, [claudeLine('u1', 'mine')])
  const strangers = [
    createUploadClient(url, await org.keyOf(await org.addMember('Ben', { role: 'admin' }))),
    createUploadClient(url, (await org.issueKey({ project: await org.addProject('other'), member: owner })).secret),
  ]
  for (const stranger of strangers) {
    const id = head.source_id
    expect((await stranger.put(behind, [claudeLine('u2', 'not mine')])).status).toBe(404)
    for (const path of ['lines', 'matches?text=mine', 'export'])
      expect((await stranger.get(`sessions/${id}/${path}`)).status).toBe(404)
    expect((await stranger.send('POST', `sessions/${id}/erase`, undefined, {})).status).toBe(404)
    await stranger.send('POST', 'sessions/erase', undefined, {})
    await stranger.forget(id)
    expect((await stranger.get('sessions')).body).toMatchObject({ sessions: [] })
  }
  expect((await read(head.source_id)).map(({ text }) => text)).toEqual(['mine'])
})
