import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { discover } from '../../../src/agent/histories/discover.ts'
import type { HistorySource } from '../../../src/agent/histories/source.ts'
import { FORMATS } from '../../../src/transcripts/formats.ts'
import { openSessionDatabase } from '../../builders/histories/session-database.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { readAll } from './read-all.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let home = ''
let file = ''
let database: Database

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'memsvc-home-'))
  file = join(home, '.local/share/opencode/opencode.db')
  database = openSessionDatabase(file)
  insertSession('ses_1', null)
})
afterEach(async () => {
  database.close()
  await rm(home, { recursive: true, force: true })
})

function insertSession(id: string, parent: string | null): void {
  const at = NOW - 2 * HOUR_MS
  database
    .query('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(id, parent, '/home/ada/harbour', 'Cranes', '1.18.33', at, at)
}

/** A message of one part. */
function insert(id: string, role: string, part: object, at: number, session = 'ses_1'): void {
  const message = JSON.stringify({ role, time: { created: at, completed: at } })
  database.query('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(`msg_${id}`, session, at, at, message)
  database
    .query('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
    .run(`prt_${id}`, `msg_${id}`, session, at, at, JSON.stringify(part))
}

function update(id: string, part: object, at: number): void {
  database.query('UPDATE part SET data = ?, time_updated = ? WHERE id = ?').run(JSON.stringify(part), at, `prt_${id}`)
}

const text = (said: string) => ({ type: 'text', text: said })
const find = (now = NOW, known?: ReadonlyMap<string, HistorySource>) => discover({ environment: {}, home }, known, now)

async function findOne(now = NOW): Promise<HistorySource> {
  const [source] = await find(now)
  if (source === undefined) throw new Error('no session was found')
  return source
}

/** What is shown of the lines. */
function toShown(lines: string[]): string[] {
  const entries = lines.map((line) => FORMATS.get('opencode')?.toEntry(JSON.parse(line)))
  return entries.flatMap((entry) => (entry == null ? [] : `${entry.role}: ${entry.text}`))
}

test('sessions are found with the folder they are in, those of subagents with their parent', async () => {
  insertSession('ses_2', 'ses_1')
  insert('a', 'user', text('hello'), NOW - HOUR_MS)
  expect(await find()).toMatchObject([
    {
      assistant: 'opencode',
      sourceKey: 'opencode.db/ses_1',
      kind: 'main',
      sessionId: 'ses_1',
      cwd: '/home/ada/harbour',
      appVersion: '1.18.33',
      firstAt: '2026-11-22T10:00:00.000Z',
      lastAt: '2026-11-22T11:00:00.000Z',
    },
    { sourceKey: 'opencode.db/ses_2', kind: 'subagent', parentSessionId: 'ses_1' },
  ])
})

test('rows are read in the order in which they were written, and those that are new from the cursor on', async () => {
  insert('b', 'user', text('first'), NOW - HOUR_MS)
  insert('a', 'assistant', { type: 'reasoning', text: 'thinking' }, NOW - HOUR_MS + 1)
  const first = await readAll(await findOne(), null, { now: NOW })
  expect(toShown(first.lines)).toEqual(['user: first', 'assistant: thinking'])
  expect(first.lines).toHaveLength(5)
  expect((await readAll(await findOne(), first.cursor, { now: NOW })).pieces).toEqual([])
  insert('c', 'assistant', text('second'), NOW - MINUTE_MS)
  const next = await readAll(await findOne(), first.cursor, { now: NOW })
  expect(toShown(next.lines)).toEqual(['assistant: second'])
  expect(next.pieces[0]?.rawStart).toBe(first.pieces.at(-1)?.rawEnd)
})

test('a row that is written again is a further line, which has the same id', async () => {
  const tool = {
    type: 'tool',
    tool: 'bash',
    state: { status: 'completed', input: { command: 'ls' }, output: 'crane.png' },
  }
  insert('a', 'assistant', tool, NOW - HOUR_MS)
  const first = await readAll(await findOne(), null, { now: NOW })
  update('a', { ...tool, state: { ...tool.state, output: 'pruned' } }, NOW - MINUTE_MS)
  const again = await readAll(await findOne(), first.cursor, { now: NOW })
  expect(toShown(again.lines)).toEqual(['tool: {"command":"ls"}\npruned'])
  const ids = [...first.lines, ...again.lines].map((line) => FORMATS.get('opencode')?.idOf(JSON.parse(line)))
  expect(ids.filter((id) => id?.startsWith('part'))).toEqual(['part prt_a', 'part prt_a'])
})

test.each([
  [
    'an answer',
    { type: 'text', text: 'begi', time: { start: 1 } },
    { type: 'text', text: 'begun', time: { start: 1, end: 2 } },
  ],
  [
    'a tool',
    { type: 'tool', state: { status: 'running', input: 'ls' } },
    { type: 'tool', state: { status: 'completed', output: 'done' } },
  ],
])('%s that is being written waits until it is finished, and what follows it too', async (_, unfinished, finished) => {
  const begun = NOW - MINUTE_MS
  insert('a', 'user', text('hello'), begun - 1)
  insert('b', 'assistant', unfinished, begun)
  insert('c', 'user', text('later'), begun + 1)
  const first = await readAll(await findOne(), null, { now: NOW })
  expect(toShown(first.lines)).toEqual(['user: hello'])
  const stamp = await findOne()
  update('b', finished, begun + 2)
  expect(await findOne()).not.toEqual(stamp)
  const next = await readAll(await findOne(), first.cursor, { now: NOW })
  expect(toShown(next.lines)[0]).toBe('user: later')
  expect(toShown(next.lines)).toHaveLength(2)
})

test('what was never finished is read once nothing has come for ten minutes, and the session is told as changed then', async () => {
  insert('a', 'assistant', { type: 'tool', state: { status: 'running', input: 'ls' } }, NOW - MINUTE_MS)
  const waiting = await findOne()
  expect(toShown((await readAll(waiting, null, { now: NOW })).lines)).toEqual([])
  const later = NOW + 10 * MINUTE_MS
  expect(await findOne(later)).not.toEqual(waiting)
  expect(toShown((await readAll(waiting, null, { now: later })).lines)).toEqual(['tool: ls'])
})

test('a row that was made while the clock was set back makes the history a rewritten one', async () => {
  insert('a', 'user', text('hello'), NOW - HOUR_MS)
  const { cursor } = await readAll(await findOne(), null, { now: NOW })
  insert('b', 'user', text('yesterday'), NOW - 2 * HOUR_MS)
  expect((await readAll(await findOne(), cursor, { now: NOW })).isRewritten).toBe(true)
  expect(toShown((await readAll(await findOne(), null, { now: NOW })).lines)).toEqual([
    'user: yesterday',
    'user: hello',
  ])
})

test('a row that was deleted makes no difference to what was read', async () => {
  insert('a', 'user', text('hello'), NOW - HOUR_MS)
  insert('b', 'user', text('again'), NOW - MINUTE_MS)
  const { cursor } = await readAll(await findOne(), null, { now: NOW })
  database.run("DELETE FROM part WHERE id = 'prt_a'")
  expect(await readAll(await findOne(), cursor, { now: NOW })).toMatchObject({ pieces: [], isRewritten: false })
})

test('pieces take up no more than was asked for, and rows that are too large say only how large they are', async () => {
  for (let at = 0; at < 50; at++) insert(`s${at}`, 'user', text('x'.repeat(1_000)), NOW - HOUR_MS + at)
  insert('z', 'user', text('x'.repeat(9 * 2 ** 20)), NOW - MINUTE_MS)
  const { pieces, lines } = await readAll(await findOne(), null, { now: NOW, maxBytes: 10_000 })
  expect(pieces.length).toBeGreaterThan(5)
  for (const { rawStart, rawEnd } of pieces) expect(rawEnd - rawStart).toBeLessThanOrEqual(10_000)
  expect(lines.join('\n')).toContain('"data":{"$omitted":{"bytes":9437')
})

test('a session of which nothing can be new is not looked at again', async () => {
  insert('a', 'user', text('hello'), NOW - HOUR_MS)
  const source = await findOne()
  const known = new Map([[source.file, { ...source, appVersion: 'as known' }]])
  expect(await find(NOW, known)).toMatchObject([{ appVersion: '1.18.33' }])
  expect(await find(NOW + 48 * HOUR_MS, known)).toMatchObject([{ appVersion: 'as known' }])
})

test('a database that cannot be read is told as such, in the place of its sessions, and one that is gone as gone', async () => {
  insert('a', 'user', text('hello'), NOW - HOUR_MS)
  const source = await findOne()
  const unreadable = { assistant: 'opencode', sourceKey: 'opencode.db', cwd: null, unreadable: 'EIO' }
  database.run('ALTER TABLE part RENAME TO of_another_release')
  expect(await find()).toMatchObject([unreadable])
  expect(await rejectionOf(readAll(source, null, { now: NOW }))).toContain('the database of opencode cannot be read')
  await rename(file, `${file}.moved`)
  expect(await rejectionOf(readAll(source, null, { now: NOW }))).toContain('ENOENT')
  await symlink(`${file}.moved`, file)
  expect(await find()).toEqual([])
  await rm(file)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'no database')
  expect(await find()).toMatchObject([unreadable])
})
