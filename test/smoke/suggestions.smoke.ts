import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { HOUR_MS } from '../../src/clock.ts'
import { toLine, writeFileIn } from '../agent/histories/sync/machine.ts'
import { browse, PASSWORD, readCode } from '../http/console/browse.ts'
import { fieldsOf } from '../http/console/team.ts'
import { waitUntil } from '../wait-until.ts'
import { startExecutable } from './running.ts'

// A person's walk with the built file: sessions of three weeks and assistants, what is suggested of them, and its end.
const executable = join(import.meta.dir, '../../dist/memsvc')
const folder = mkdtempSync(join(tmpdir(), 'memsvc-walk-'))
const home = join(folder, 'home')
const app = join(home, 'app')
const started: Subprocess[] = []

afterAll(async () => {
  for (const process of started) process.kill('SIGKILL')
  await Promise.all(started.map(({ exited }) => exited))
  rmSync(folder, { recursive: true, force: true })
})

const start = () => startExecutable(executable, folder, './data', started)
const WEEK_MS = 7 * 24 * HOUR_MS
const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * WEEK_MS).toISOString()
const toLines = (lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** A session of each assistant in which this was typed. */
const WRITERS = {
  claude: (id: string, text: string, timestamp: string) =>
    writeFileIn(join(home, '.claude/projects/-app', `${id}.jsonl`), toLine(id, app, text, { timestamp })),
  codex: (id: string, text: string, timestamp: string) => {
    const payload = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    const lines = toLines([
      { timestamp, type: 'session_meta', payload: { id, cwd: app, cli_version: '0.171.0', git: { branch: 'main' } } },
      { timestamp, type: 'response_item', payload },
    ])
    return writeFileIn(join(home, '.codex/sessions/2026/11/01', `rollout-2026-11-01T10-00-00-${id}.jsonl`), lines)
  },
  copilot: (id: string, text: string, timestamp: string) => {
    const context = { cwd: app, branch: 'main' }
    const begin = { type: 'session.start', data: { sessionId: id, copilotVersion: '1.0.102', context } }
    const events = [begin, { type: 'user.message', data: { content: text } }]
    const lines = toLines(events.map((event) => ({ ...event, id: crypto.randomUUID(), timestamp, parentId: null })))
    return writeFileIn(join(home, '.copilot/session-state', id, 'events.jsonl'), lines)
  },
}

/** Starts the service again an hour after the last upload: the times of what it keeps are put back. */
async function startAnHourLater({ stop }: Awaited<ReturnType<typeof start>>) {
  expect(await stop()).toBe(0)
  const name = readdirSync(join(folder, 'data/projects')).find((one) => one.endsWith('.history.db')) ?? ''
  const histories = new Database(join(folder, 'data/projects', name))
  histories.run('pragma secure_delete = on')
  histories.run('update sources set received_at = received_at - ?', [HOUR_MS + 1])
  histories.close()
  return start()
}

/** Whether a text stands in the files of session histories, or in any other file of the data. */
function filesHold(text: string) {
  const places = new Set<string>()
  for (const entry of readdirSync(join(folder, 'data'), { recursive: true, withFileTypes: true }))
    if (entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
      places.add(/\.history\.db/.test(entry.name) ? 'histories' : 'others')
  return [...places].sort()
}

test('a walk: agree, three weeks of sessions, two kept, one edited, one dismissed that never returns, and all erased', async () => {
  mkdirSync(app, { recursive: true })
  let running = await start()
  const json = (...words: string[]) => {
    const env = { SVC_DATA_DIR: './data' }
    const { stdout } = Bun.spawnSync([executable, ...words, '--json'], { cwd: folder, env })
    return JSON.parse(stdout.toString()) as Record<string, string>
  }
  const entry = new URL(json('member', 'link', 'owner@localhost').link ?? '').pathname
  await browse(new URL(running.url).origin).post(entry, { password: PASSWORD })
  const secret = json('key', 'issue', '--project', 'default', '--member', 'owner@localhost').key ?? ''
  const sync = (...words: string[]) => {
    const env = { HOME: home, SVC_ENDPOINT: running.url, SVC_API_KEY: secret, SVC_STATE_DIR: join(home, 'state') }
    const { exitCode, stdout, stderr } = Bun.spawnSync([executable, 'sync', ...words], { env })
    if (exitCode !== 0) throw new Error(`sync ${words.join(' ')}: ${stderr}`)
    return stdout.toString()
  }
  const ids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()] as const
  await WRITERS.claude(ids[0], 'Fix the crane. From now on we always move cranes only on Mondays.', weeksAgo(3))
  await WRITERS.codex(ids[1], 'From now on we always give every invoice of the harbour a number.', weeksAgo(2))
  await WRITERS.copilot(
    ids[2],
    'From now on we always count the pelicans twice. From now on we always call the northern quay Q7.',
    weeksAgo(1),
  )
  await WRITERS.claude(ids[3], 'From now on we always keep herons out of everything.', weeksAgo(1))
  sync('enable', app, '--yes', '--suggestions', 'yes')
  sync('exclude', '--session', ids[3])
  sync('now')
  expect(sync('status')).toMatch(/^Suggestions +on$/m)
  running = await startAnHourLater(running)

  const open = async () => {
    const origin = new URL(running.url).origin
    const browser = browse(origin)
    await browser.post('/console/sign-in', { email: 'owner@localhost', password: PASSWORD })
    const { text } = await browser.get('/console')
    const at = /\/console\/projects\/[\w-]+/.exec(text)?.[0] ?? ''
    const read = async () => (await browser.get(`${at}/review`)).text
    const shows = async (words: string) => (await read()).includes(words)
    /** The path of the buttons of the suggestion with these words. */
    const pathOf = async (words: string) => {
      const card = (await read()).split('<article').find((one) => one.includes(words)) ?? ''
      return /action="([^"]+)\/keep"/.exec(card)?.[1] ?? ''
    }
    return { ...browser, origin, at, shows, pathOf }
  }
  let console = await open()
  await console.post(`${console.at}/sessions/confirm`, { code: await readCode(console.origin, secret) })
  for (const words of ['cranes only', 'every invoice', 'pelicans twice', 'quay Q7'])
    await waitUntil(`a suggestion: ${words}`, () => console.shows(words))
  expect([await console.shows('herons'), filesHold('keep herons')]).toEqual([false, []])

  for (const words of ['cranes only', 'every invoice'])
    expect((await console.post(`${await console.pathOf(words)}/keep`)).place).toContain('done=record.written')
  const edited = (await console.pathOf('quay Q7')).split('/').at(-1) ?? ''
  const form = (await console.get(`${console.at}/records/new?suggestion=${edited}`)).text
  const fields = { ...fieldsOf(form, `${console.at}/records/new`), workspace: 'default', scope: 'shared' }
  const written = { ...fields, source_id: `session:${edited}`, content: 'The quay of the harbour is Q7.' }
  expect((await console.post(`${console.at}/records/new`, written)).place).toContain('done=record.written')
  await console.post(`${await console.pathOf('pelicans twice')}/dismiss`)
  expect(await console.shows('From your sessions')).toBe(false)

  await WRITERS.claude(
    crypto.randomUUID(),
    'From now on we always count the pelicans twice. Please, from now on we always count pelicans twice! From now on we always ring the terns that nest.',
    weeksAgo(0),
  )
  // At another port, which is another service for the agreement.
  sync('enable', app, '--yes')
  sync('now')
  running = await startAnHourLater(running)
  console = await open()
  await waitUntil('a suggestion of the new session', () => console.shows('terns that nest'))
  expect(await console.shows('elicans')).toBe(false)

  expect((await console.post(`${console.at}/sessions/erase`)).place).toContain('done=history.erased')
  expect(await console.shows('terns that nest')).toBe(false)
  expect(await running.stop()).toBe(0)
  const places = ['cranes only', 'every invoice', 'elicans', 'terns that nest', 'quay Q7', 'quay of the harbour'].map(
    filesHold,
  )
  expect(places).toEqual([['others'], ['others'], [], [], [], ['others']])
})
