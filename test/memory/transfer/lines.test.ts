import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Line, MAX_LINE_BYTES, readJsonLines, readLines } from '../../../src/memory/transfer/read-json-lines.ts'
import { rejectionOf } from '../../rejection-of.ts'

async function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const linesOf = async (content: string | Uint8Array, size = 3): Promise<Line[]> =>
  Array.fromAsync(readLines(piecesOf(typeof content === 'string' ? new TextEncoder().encode(content) : content, size)))

test('counts blank lines and gives the others, however they end and whatever pieces they come in', async () => {
  const text = '\ufeffone\r\n\r\n  \nzwölf 🗾\n\nlast'
  for (const size of [1, 2, 3, 7, 100]) {
    const lines = await linesOf(text, size)
    expect(lines.map((line) => ('text' in line ? [line.number, line.text.trim()] : line))).toEqual([
      [1, 'one'],
      [4, 'zwölf 🗾'],
      [6, 'last'],
    ])
  }
})

test('refuses a line that is not UTF-8, alone', async () => {
  const lines = await linesOf(new Uint8Array([0x61, 0x0a, 0xff, 0x0a, 0x62]))
  expect(lines).toEqual([
    { number: 1, text: 'a' },
    { number: 2, refused: 'it is not UTF-8' },
    { number: 3, text: 'b' },
  ])
})

test('refuses UTF-16 whole, with advice', async () => {
  expect(await rejectionOf(linesOf(new Uint8Array([0xff, 0xfe, 0x61, 0x00])))).toContain(
    'the file is UTF-16; save it as UTF-8',
  )
})

test('refuses a line that is too long, and goes on after it', async () => {
  const long = new Uint8Array(MAX_LINE_BYTES + 1).fill(0x61)
  const lines = await linesOf(Buffer.concat([long, Buffer.from('\nb')]), 1 << 20)
  expect(lines).toEqual([
    { number: 1, refused: `it is longer than ${MAX_LINE_BYTES} bytes` },
    { number: 2, text: 'b' },
  ])
})

test('gives back any lines, in any pieces', async () => {
  const line = fc
    .string({ unit: 'binary' })
    .filter((text) => text.trim() !== '' && !text.includes('\n') && !text.startsWith('\ufeff'))
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), async (texts, size) => {
      const lines = await linesOf(texts.join('\n'), size)
      expect(lines.map((read) => 'text' in read && read.text)).toEqual(texts)
    }),
  )
})

test('a line with bounds is refused for too many values before it is parsed, and one that stands for many records is read', async () => {
  const observations = Array.from({ length: 20 }, (_, at) => `observation ${at}`)
  const lines = [
    JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`field ${at}`, at]))),
    `{"content":${'['.repeat(300)}`,
    JSON.stringify({ type: 'entity', name: 'pump', entityType: 'machine', observations }),
  ]
  async function* read() {
    yield Buffer.from(lines.join('\n'))
  }
  const items = []
  for await (const item of readJsonLines(read(), { lineEntries: 20 })) items.push(item)
  const refused = 'it has more than 200 values'
  expect(items).toMatchObject([
    { where: 'line 1', refused },
    { where: 'line 2', refused },
    { where: 'line 3', entries: observations.map((one) => ({ content: `pump (machine): ${one}` })) },
  ])
})
