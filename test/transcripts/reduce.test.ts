import { expect, test } from 'bun:test'
import { createLongLine, MAX_LINE_BYTES, MAX_PARSED_BYTES, reduceLine } from '../../src/transcripts/reduce.ts'

const PNG = `iVBORw0KGgo${'A'.repeat(3_000)}`

const omitted = (value: unknown, reason: string) => ({ $omitted: { bytes: JSON.stringify(value).length, reason } })

test('a line of which nothing is left out is the same text', () => {
  const line =
    '{ "type":"user", "n": 12345678901234567890, "f": 1.0, "a": "\\u00e9", "data": "iVBORw0KGgo short", "list": [1, null, {}] }'
  expect(reduceLine('claude-code', line)).toBe(line)
})

test.each([
  ['PNG', PNG, 'image'],
  ['JPEG', `/9j/${'A'.repeat(2_000)}`, 'image'],
  ['URL of a picture', `data:image/svg+xml,${'<svg>'.repeat(500)}`, 'image'],
  ['PDF', `JVBERi0xLjQ${'A'.repeat(2_000)}`, 'binary'],
  ['URL of a file', `data:application/zip;base64,${'A'.repeat(2_000)}`, 'binary'],
])('a %s is left out wherever it stands', (_, data, reason) => {
  const line = {
    type: 'user',
    uuid: 'a',
    message: { content: [{ type: 'image', source: { type: 'base64', data } }, { text: 'seen' }] },
  }
  const content = [{ type: 'image', source: { type: 'base64', data: omitted(data, reason) } }, { text: 'seen' }]
  expect(JSON.parse(reduceLine('claude-code', JSON.stringify(line)))).toEqual({ ...line, message: { content } })
})

/** One pixel each. */
const SMALL_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SMALL_GIF = 'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs='

test.each([
  ['PNG', SMALL_PNG],
  ['GIF', SMALL_GIF],
  ['URL of a PNG', `data:image/png;base64,${SMALL_PNG}`],
  [
    'URL of a drawing',
    `data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg"><title>where I live</title></svg>`,
  ],
])('a small %s is left out with what it says of itself', (_, data) => {
  const line = { type: 'user', toolUseResult: { file: { base64: data } } }
  expect(JSON.parse(reduceLine('claude-code', JSON.stringify(line)))).toEqual({
    type: 'user',
    toolUseResult: { file: { base64: omitted(data, 'image') } },
  })
})

test.each([
  'data:image/png is how it begins',
  'R0lGOD is how a GIF begins',
  '/9j/share/pictures/of.jpg',
  'iVBORw0KGgo',
  'data:text/plain,R0lGOD',
])('a short text that only begins like a picture stays (%s)', (text) => {
  const line = JSON.stringify({ type: 'user', text })
  expect(reduceLine('claude-code', line)).toBe(line)
})

test('Claude Code: signatures, copies of files and copies of requests are left out, and nothing else of their names', () => {
  const reduce = (line: object) => JSON.parse(reduceLine('claude-code', JSON.stringify(line)))
  const thinking = { type: 'thinking', thinking: 'why', signature: 'c2lnbmVk' }
  const call = { type: 'tool_use', input: { signature: 'f(x)', snapshot: 'kept', shape: 'round', message: 'fix' } }
  expect(reduce({ message: { content: [thinking, call] } })).toEqual({
    message: { content: [{ ...thinking, signature: omitted('c2lnbmVk', 'encrypted') }, call] },
  })
  const snapshot = { trackedFileBackups: { 'a.ts': { backupFileName: 'x' } } }
  expect(reduce({ type: 'file-history-snapshot', snapshot })).toEqual({
    type: 'file-history-snapshot',
    snapshot: omitted(snapshot, 'copy'),
  })
  expect(reduce({ type: 'api-request-shape', shape: { system: [] } }).shape).toEqual(omitted({ system: [] }, 'copy'))
})

test('Codex: encrypted reasoning and the history that replaces another are left out', () => {
  const payload = {
    type: 'compacted',
    message: 'so far',
    replacement_history: [{ type: 'message' }],
    encrypted_content: 'gAAAA',
  }
  expect(JSON.parse(reduceLine('codex', JSON.stringify({ type: 'compacted', payload }))).payload).toEqual({
    type: 'compacted',
    message: 'so far',
    replacement_history: omitted([{ type: 'message' }], 'copy'),
    encrypted_content: omitted('gAAAA', 'encrypted'),
  })
})

test('what was left out once stays so', () => {
  const once = reduceLine('codex', JSON.stringify({ payload: { replacement_history: [PNG], image: PNG } }))
  expect(reduceLine('codex', once)).toBe(once)
})

test('of a line that is too long the largest texts go first, and its first members always stay', () => {
  const line = { type: 'user', uuid: 'u', at: 7, big: 'x'.repeat(MAX_LINE_BYTES), small: 'y'.repeat(1_000) }
  expect(JSON.parse(reduceLine('claude-code', JSON.stringify(line)))).toEqual({
    ...line,
    big: omitted(line.big, 'too_large'),
  })
  const crowded = { type: 'user', uuid: 'u', cut: { a: 1 }, numbers: Array.from({ length: 400_000 }, (_, at) => at) }
  const text = JSON.stringify(crowded)
  expect(JSON.parse(reduceLine('claude-code', text))).toEqual({
    type: 'user',
    uuid: 'u',
    $omitted: { bytes: text.length, reason: 'too_large' },
  })
})

test('whatever a long line is made of, what is left of it is short, and JSON', () => {
  const lines = [
    Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`member${at}`, at])),
    { type: 'user', list: Array.from({ length: 150_000 }, () => 'short') },
    { type: 'user', list: Array.from({ length: 100 }, () => 'x'.repeat(20_000)) },
    { type: 'user', list: Array.from({ length: 20_000 }, () => ({ text: '"\\'.repeat(20) })) },
  ].map((line) => JSON.stringify(line))
  for (const line of lines) {
    expect(line.length).toBeGreaterThan(MAX_LINE_BYTES)
    const reduced = reduceLine('claude-code', line)
    expect(Buffer.byteLength(reduced)).toBeLessThan(MAX_LINE_BYTES)
    expect(JSON.parse(reduced)).toBeObject()
  }
})

test('what is no object stays as it is, up to the length of a line', () => {
  for (const line of ['', '[1]', '"text"', 'null', '{"cut":', '\0\0\0']) expect(reduceLine('codex', line)).toBe(line)
  expect(reduceLine('codex', 'x'.repeat(MAX_LINE_BYTES + 1))).toBe(
    JSON.stringify(omitted('x'.repeat(MAX_LINE_BYTES - 1), 'too_large')),
  )
  expect(reduceLine('codex', '['.repeat(200_000))).toBe('['.repeat(200_000))
})

test('a line that is nested too deeply to be written anew leaves its first members and its length', () => {
  const line = `{"type":"user","image":"${PNG}","deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  expect(JSON.parse(reduceLine('codex', line))).toEqual({
    type: 'user',
    $omitted: { bytes: line.length, reason: 'too_large' },
  })
})

test('a line that is never held as a whole is reduced like any other, however it is cut', () => {
  const long = 'z'.repeat(MAX_PARSED_BYTES)
  const escaped = '\\\\"\\"é🌊'.repeat(500)
  const line = { type: 'user', uuid: 'u', message: { [escaped]: escaped, images: [PNG, PNG], long }, end: '\\' }
  const bytes = Buffer.from(JSON.stringify(line))
  const expected = {
    ...line,
    message: {
      [escaped]: escaped,
      images: [omitted(PNG, 'image'), omitted(PNG, 'image')],
      long: omitted(long, 'too_large'),
    },
  }
  for (const size of [1_009, 65_536, bytes.length]) {
    const taken = createLongLine('claude-code')
    for (let at = 0; at < bytes.length; at += size) taken.push(bytes.subarray(at, at + size))
    expect(JSON.parse(taken.finish())).toEqual(expected)
  }
})

test('a long line that is cut off within a large text, or is longer than can be kept, leaves its first members and its length', () => {
  const cut = createLongLine('codex')
  const bytes = Buffer.from(`{"timestamp":"t","type":"compacted","payload":{"message":"${'x'.repeat(MAX_PARSED_BYTES)}`)
  cut.push(bytes)
  expect(JSON.parse(cut.finish())).toEqual({
    timestamp: 't',
    type: 'compacted',
    $omitted: { bytes: bytes.length, reason: 'too_large' },
  })
  const zeros = createLongLine('codex')
  for (let at = 0; at < 40; at++) zeros.push(Buffer.alloc(65_536))
  expect(JSON.parse(zeros.finish())).toEqual({ $omitted: { bytes: 40 * 65_536, reason: 'too_large' } })
})

test.each([
  '{"type":"user","text":"cut "off',
  `{"type":"user","text":"${'é'.repeat(1_000)}`,
  'plain "text',
  '{"a":"\\"}',
])('a long line that is no JSON stays as it is: %s', (text) => {
  for (const size of [1, 7, 10_000]) {
    const taken = createLongLine('codex')
    for (let at = 0, bytes = Buffer.from(text); at < bytes.length; at += size) taken.push(bytes.subarray(at, at + size))
    expect(taken.finish()).toBe(text)
  }
})
