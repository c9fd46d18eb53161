import { afterEach, beforeEach, expect, test } from 'bun:test'
import { appendFile, copyFile, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readHistory } from '../../../src/agent/histories/discover.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { PIECE_BYTES, readAll, toSource } from './read-all.ts'

let folder = ''
let file = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memsvc-histories-'))
  file = join(folder, 'session.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const toLine = (id: number, text = 'x'.repeat(100)) =>
  JSON.stringify({ type: 'user', uuid: `id-${id}`, message: { role: 'user', content: text } })
const toLines = (from: number, to: number, text?: string) =>
  Array.from({ length: to - from }, (_, at) => toLine(from + at, text))
const toText = (lines: string[]) => lines.map((line) => `${line}\n`).join('')

test('lines come in order, in pieces that follow each other without gaps and take up no more than was asked for', async () => {
  const lines = toLines(0, 5_000)
  await writeFile(file, toText(lines))
  const { pieces, lines: read } = await readAll(toSource(file), null, { maxBytes: 65_536 })
  expect(read).toEqual(lines)
  expect(pieces.length).toBeGreaterThan(10)
  let at = 0
  for (const { rawStart, rawEnd } of pieces) {
    expect(rawStart).toBe(at)
    expect(rawEnd - rawStart).toBeLessThanOrEqual(65_536)
    at = rawEnd
  }
  expect(at).toBe(toSource(file).bytes)
})

test('a reading goes on after the last piece that was taken', async () => {
  const lines = toLines(0, 3_000)
  await writeFile(file, toText(lines.slice(0, 2_000)))
  const first = await readAll(toSource(file))
  expect((await readAll(toSource(file), first.cursor)).lines).toEqual([])
  await appendFile(file, toText(lines.slice(2_000)))
  expect((await readAll(toSource(file), first.cursor)).lines).toEqual(lines.slice(2_000))
})

test('a line that is not complete waits, also one that ends within a character', async () => {
  const line = Buffer.from(`${toLine(1, 'Zoë 🌊')}\n`)
  const middle = line.indexOf(Buffer.from('🌊')) + 2
  await writeFile(file, Buffer.concat([Buffer.from(`${toLine(0)}\n`), line.subarray(0, middle)]))
  const first = await readAll(toSource(file))
  expect(first.lines).toEqual([toLine(0)])
  await appendFile(file, line.subarray(middle))
  expect((await readAll(toSource(file), first.cursor)).lines).toEqual([toLine(1, 'Zoë 🌊')])
})

test('a last line without a line feed is read once it is whole, and not again when the line feed comes', async () => {
  await writeFile(file, toText([toLine(0)]) + toLine(1))
  const first = await readAll(toSource(file))
  expect(first.lines).toEqual([toLine(0), toLine(1)])
  expect((await readAll(toSource(file), first.cursor)).pieces).toEqual([])
  await appendFile(file, `\n${toText([toLine(2)])}`)
  expect((await readAll(toSource(file), first.cursor)).lines).toEqual([toLine(2)])
})

test.each(['7', '"text"', '[1]', 'not JSON', 'x'.repeat(300_000), `{"a":"${'x'.repeat(300_000)}"}`])(
  'a last line without a line feed that may go on waits (%#)',
  async (line) => {
    await writeFile(file, toText([toLine(0)]) + line)
    const first = await readAll(toSource(file))
    expect(first.lines).toEqual([toLine(0)])
    await appendFile(file, '\n')
    expect((await readAll(toSource(file), first.cursor)).lines).toEqual([line])
  },
)

test('characters of several bytes are whole wherever the file is cut into chunks', async () => {
  const lines = toLines(0, 3_000, 'é🌊界'.repeat(50))
  await writeFile(file, toText(lines))
  expect((await readAll(toSource(file), null, { maxBytes: 10_000 })).lines).toEqual(lines)
})

test('blank lines and carriage returns are no part of a history; lines that are no JSON are', async () => {
  await writeFile(file, `${toLine(0)}\r\n\n  \n{"type":"user","uu${toLine(1)}\n${'\0'.repeat(50)}\nplain\n`)
  const { lines } = await readAll(toSource(file))
  expect(lines).toEqual([toLine(0), `{"type":"user","uu${toLine(1)}`, '\0'.repeat(50), 'plain'])
})

test('a file that was cut back is rewritten, also when it has grown again since', async () => {
  await writeFile(file, toText(toLines(0, 1_000)))
  const { cursor } = await readAll(toSource(file))
  await truncate(file, toSource(file).bytes - toLine(999).length - 1)
  expect((await readAll(toSource(file), cursor)).isRewritten).toBe(true)
  await appendFile(file, toText(toLines(2_000, 2_100)))
  expect((await readAll(toSource(file), cursor)).isRewritten).toBe(true)
  expect((await readAll(toSource(file))).lines).toEqual([...toLines(0, 999), ...toLines(2_000, 2_100)])
})

test('a file that is cut back while its reader waits between two pieces is rewritten', async () => {
  await writeFile(file, toText(toLines(0, 2_000)))
  const kinds: string[] = []
  for await (const piece of readHistory(toSource(file), null, 50_000)) {
    kinds.push(piece === 'rewritten' ? piece : 'lines')
    if (kinds.length === 1) await writeFile(file, toText(toLines(5_000, 7_000)))
  }
  expect(kinds).toEqual(['lines', 'rewritten'])
})

test('a line that was written anew in place, as long as before, makes the file a rewritten one', async () => {
  const before = toText(toLines(0, 1_000))
  await writeFile(file, before)
  const { cursor } = await readAll(toSource(file))
  await writeFile(file, before.replace('id-990', 'id-XXX'))
  expect(toSource(file).bytes).toBe(before.length)
  expect((await readAll(toSource(file), cursor)).isRewritten).toBe(true)
})

test('a file that was moved, copied back or compressed goes on where it was', async () => {
  const lines = toLines(0, 5_000)
  await writeFile(file, toText(lines))
  const { cursor } = await readAll(toSource(file))
  const moved = join(folder, 'archived.jsonl')
  await rename(file, moved)
  expect((await readAll(toSource(moved), cursor)).pieces).toEqual([])
  await copyFile(moved, file)
  await appendFile(file, toText(toLines(9_000, 9_002)))
  const back = await readAll(toSource(file), cursor)
  expect(back.lines).toEqual(toLines(9_000, 9_002))
  const compressed = join(folder, 'archived.jsonl.zst')
  await writeFile(compressed, await Bun.zstdCompress(await Bun.file(file).bytes()))
  expect((await readAll(toSource(compressed), back.cursor)).pieces).toEqual([])
  expect((await readAll(toSource(compressed), cursor)).lines).toEqual(toLines(9_000, 9_002))
  expect((await readAll(toSource(compressed))).lines).toEqual([...lines, ...toLines(9_000, 9_002)])
})

test('another file in the place of one that was read is rewritten', async () => {
  await writeFile(file, toText(toLines(0, 1_000)))
  const { cursor } = await readAll(toSource(file))
  await writeFile(join(folder, 'new'), toText([...toLines(5_000, 5_001), ...toLines(1, 2_000)]))
  await rename(join(folder, 'new'), file)
  expect((await readAll(toSource(file), cursor)).isRewritten).toBe(true)
})

test('what is no regular file of this person is not opened', async () => {
  await writeFile(join(folder, 'other'), toText(toLines(0, 1)))
  await symlink(join(folder, 'other'), file)
  expect(await rejectionOf(readAll(toSource(file)))).toContain('ELOOP')
  await rm(file)
  expect(Bun.spawnSync(['mkfifo', file]).exitCode).toBe(0)
  expect(await rejectionOf(readAll(toSource(file)))).toContain('not a regular file')
  await rm(file)
  await writeFile(file, '')
  const source = toSource(file)
  await rm(file)
  expect(await rejectionOf(readAll(source))).toContain('ENOENT')
})

test('a line longer than a piece has a piece of its own, without what makes it long', async () => {
  const picture = `data:image/png;base64,${'A'.repeat(3 * PIECE_BYTES)}`
  const long = JSON.stringify({
    type: 'user',
    uuid: 'long',
    message: { content: [{ text: 'look' }, { picture }, { text: 'back\\"' }] },
  })
  await writeFile(file, toText([toLine(0), long, toLine(1)]))
  const { pieces, lines } = await readAll(toSource(file))
  expect(pieces.map((piece) => piece.lines.length)).toEqual([1, 1, 1])
  expect(JSON.parse(lines[1] ?? '')).toEqual({
    type: 'user',
    uuid: 'long',
    message: {
      content: [
        { text: 'look' },
        { picture: { $omitted: { bytes: picture.length + 2, reason: 'image' } } },
        { text: 'back\\"' },
      ],
    },
  })
})
