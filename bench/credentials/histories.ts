import { Database } from 'bun:sqlite'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readStatus } from '../../src/commands/status.ts'
import { findCredentials } from '../../src/secrets/credentials.ts'
import { createRandom } from '../../test/builders/histories/random.ts'
import { openSessionDatabase } from '../../test/builders/histories/session-database.ts'
import { generateTokens } from './generate.ts'

// Whether credentials leave a machine with session histories: `bun bench/credentials/histories.ts [LIST…]`, by default
// the set of `bench/credentials.ts`: tokens of each row of the table of rules, and the lists beside this file.
//
// Every secret is planted in a history of each assistant: in a prompt, an answer, the output of a command, and a file
// that is written. The local agent uploads all to a whole service, which makes a backup. Then every byte of the
// service's folder, its log, the backup as it is and restored, the agent's folder and its log is searched, also within
// what is compressed. Printed is what was taken out, by assistant and place, and where else something was found.

/** A text, and what must not be read of it. */
type Secret = { text: string; secrets: string[] }
/** A text in one place of a session, as its assistant writes it: one line, or the data of a row of opencode. */
type Places = {
  prompt: (text: string) => object
  answer: (text: string) => object
  output: (text: string) => object
  file: (text: string) => object
}

const ROOT = join(import.meta.dir, '../..')
const PLACES = ['prompt', 'answer', 'output', 'file'] as const
const random = createRandom(1)
const time = () => new Date().toISOString()
const folder = await mkdtemp(join(tmpdir(), 'memsvc-planted-'))
const app = join(folder, 'app')
const session = random.uuid()

const toClaude = (role: string, content: unknown) => {
  const more = { sessionId: session, cwd: app, version: '2.1.330', timestamp: time(), uuid: random.uuid() }
  return { type: role, ...more, message: { role, content } }
}
const toCodex = (payload: object) => ({ timestamp: time(), type: 'response_item', payload })
const toCodexCall = (name: string, args: object) =>
  toCodex({ type: 'function_call', name, arguments: JSON.stringify(args), call_id: 'c' })
const toGeminiCall = (call: object) => ({
  id: random.uuid(),
  timestamp: time(),
  type: 'gemini',
  content: '',
  toolCalls: [{ id: 'c', name: 'tool', ...call }],
})
const toCopilot = (type: string, data: object) => ({ type, data, id: random.uuid(), timestamp: time(), parentId: null })

const ASSISTANTS: Record<string, Places> = {
  'claude-code': {
    prompt: (text) => toClaude('user', text),
    answer: (text) => toClaude('assistant', [{ type: 'text', text }]),
    output: (text) => toClaude('user', [{ type: 'tool_result', tool_use_id: 'c', content: text }]),
    file: (content) =>
      toClaude('assistant', [{ type: 'tool_use', id: 'c', name: 'Write', input: { file_path: 'notes.md', content } }]),
  },
  codex: {
    prompt: (text) => toCodex({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    answer: (text) => toCodex({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }),
    output: (output) => toCodex({ type: 'function_call_output', call_id: 'c', output }),
    file: (text) =>
      toCodexCall('shell', { cmd: ['apply_patch', `*** Add File: notes.md\n${text.replace(/^/gm, '+')}`] }),
  },
  gemini: {
    prompt: (text) => ({ id: random.uuid(), timestamp: time(), type: 'user', content: [{ text }] }),
    answer: (content) => ({ id: random.uuid(), timestamp: time(), type: 'gemini', content }),
    output: (output) => toGeminiCall({ result: [{ functionResponse: { response: { output } } }] }),
    file: (content) => toGeminiCall({ args: { file_path: 'notes.md', content } }),
  },
  copilot: {
    prompt: (content) => toCopilot('user.message', { content }),
    answer: (content) => toCopilot('assistant.message', { content, toolRequests: [] }),
    output: (content) => toCopilot('tool.execution_complete', { toolCallId: 'c', result: { content } }),
    file: (file_text) =>
      toCopilot('tool.execution_start', {
        toolCallId: 'c',
        toolName: 'create',
        arguments: { path: 'notes.md', file_text },
      }),
  },
  opencode: {
    prompt: (text) => ({ type: 'text', text }),
    answer: (text) => ({ type: 'text', text, time: { start: 1, end: 2 } }),
    output: (output) => ({ type: 'tool', tool: 'bash', state: { status: 'completed', input: {}, output } }),
    file: (content) => ({
      type: 'tool',
      tool: 'write',
      state: { status: 'completed', input: { filePath: 'notes.md', content }, output: '' },
    }),
  },
}

/** Where a history of each assistant stands, and the line that it begins with. */
const FILES: Record<string, [file: string, first: object]> = {
  'claude-code': [`.claude/projects/-app/${session}.jsonl`, toClaude('user', 'begins')],
  codex: [
    `.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${session}.jsonl`,
    { timestamp: time(), type: 'session_meta', payload: { id: session, cwd: app, cli_version: '0.169.0' } },
  ],
  gemini: [
    '.gemini/tmp/app/chats/session-2026-01-02T03-04-gemini.jsonl',
    { sessionId: session, startTime: time(), kind: 'main' },
  ],
  copilot: [
    `.copilot/session-state/${session}/events.jsonl`,
    toCopilot('session.start', { sessionId: session, copilotVersion: '1.0.102', context: { cwd: app } }),
  ],
}

const mark = (assistant: string, place: string, nth: number) => `planted-${assistant}-${place}-${nth}-`

async function writeHistories(secrets: Secret[]): Promise<void> {
  const toAll = (assistant: string, places: Places) =>
    secrets.flatMap(({ text }, nth) =>
      PLACES.map((place) => ({ place, data: places[place](`${mark(assistant, place, nth)}\n${text}`) })),
    )
  for (const [assistant, [file, first]] of Object.entries(FILES)) {
    const lines = toAll(assistant, ASSISTANTS[assistant] as Places).map(({ data }) => JSON.stringify(data))
    await write(join(folder, file), `${[JSON.stringify(first), ...lines].join('\n')}\n`)
  }
  await write(join(folder, '.gemini/tmp/app/.project_root'), app)
  const database = openSessionDatabase(join(folder, '.local/share/opencode/opencode.db'))
  database
    .query('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run('opencode', null, app, 'planted', '1.18.33', 1, 2)
  for (const [nth, { place, data }] of toAll('opencode', ASSISTANTS.opencode as Places).entries()) {
    const role = place === 'prompt' ? 'user' : 'assistant'
    database
      .query('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
      .run(`msg_${nth}`, 'opencode', nth, nth, JSON.stringify({ role, time: { created: nth, completed: nth } }))
    database
      .query('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
      .run(`prt_${nth}`, `msg_${nth}`, 'opencode', nth, nth, JSON.stringify(data))
  }
  database.close()
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await Bun.write(file, text)
}

/** Uploads everything, and makes a backup, which is restored into a folder of its own. */
async function upload(): Promise<void> {
  const data = join(folder, 'data')
  const service = Bun.spawn([process.execPath, join(ROOT, 'bench/servers/service.ts'), data], {
    stdout: 'pipe',
    stderr: Bun.file(join(folder, 'service.log')),
  })
  const { value } = await service.stdout.getReader().read()
  const { url, key } = JSON.parse(new TextDecoder().decode(value)) as { url: string; key: string }
  const environment = {
    HOME: folder,
    PATH: process.env.PATH ?? '',
    SVC_STATE_DIR: join(folder, 'state'),
    SVC_ENDPOINT: url,
    SVC_API_KEY: key,
  }
  await run(['sync', 'enable', app, '--yes'], environment)
  const stderr = Bun.file(join(folder, 'agent.log'))
  const agent = Bun.spawn([process.execPath, join(ROOT, 'src/main.ts'), 'agent'], {
    env: environment,
    stdio: ['pipe', 'ignore', stderr],
  })
  for (let isDone = false; !isDone; await Bun.sleep(500)) {
    const { histories } = (await readStatus(environment, { now: Date.now, ticks: () => performance.now() })).status
    isDone =
      histories.last_success_at !== null &&
      histories.totals.sessions.known >= Object.keys(ASSISTANTS).length &&
      histories.totals.sessions.pending === 0
  }
  agent.kill()
  await run(['backup', join(folder, 'backup')], { ...environment, SVC_DATA_DIR: data })
  service.kill()
  await Promise.all([agent.exited, service.exited])
  await run(['restore', join(folder, 'backup')], { ...environment, SVC_DATA_DIR: join(folder, 'restored') })
}

async function run(args: string[], env: Record<string, string>): Promise<void> {
  const child = Bun.spawn([process.execPath, join(ROOT, 'src/main.ts'), ...args], {
    env,
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error(`${args.join(' ')} failed`)
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

const isCompressed = (bytes: Uint8Array) => ZSTD.equals(bytes.subarray(0, 4))

/**
 * Everything that the files of a folder, or one file, say: their bytes, also decompressed, and what is compressed in
 * their databases.
 */
async function* readAll(name: string): AsyncGenerator<{ file: string; bytes: Buffer; isBlock: boolean }, void> {
  const path = join(folder, name)
  const entries = (await stat(path)).isFile() ? [] : await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const file of entries.length === 0 ? [path] : files) {
    const bytes = Buffer.from(await Bun.file(file).bytes())
    yield { file, bytes, isBlock: false }
    if (isCompressed(bytes)) yield { file, bytes: Buffer.from(await Bun.zstdDecompress(bytes)), isBlock: false }
    if (bytes.subarray(0, 15).toString() !== 'SQLite format 3') continue
    const database = new Database(file, { readonly: true })
    for (const { table } of database.query("SELECT name AS 'table' FROM sqlite_schema WHERE type = 'table'").all() as {
      table: string
    }[])
      for (const row of database.query(`SELECT * FROM "${table}"`).values())
        for (const value of row)
          if (value instanceof Uint8Array && isCompressed(value))
            yield { file, bytes: Buffer.from(await Bun.zstdDecompress(value)), isBlock: true }
    database.close()
  }
}

/** A shorter secret stands in any file by chance; the lists have some. */
const MIN_SECRET_LENGTH = 6

/** The tokens, and the lists. What a list does not say of the secret's place is asked of the detector. */
async function readSecrets(): Promise<Secret[]> {
  const given = process.argv.slice(2)
  const files = given.length > 0 ? given : ['dev.jsonl', 'held-out.jsonl'].map((name) => join(import.meta.dir, name))
  const lines = (await Promise.all(files.map((file) => Bun.file(file).text()))).join('\n').split('\n')
  const secrets: Secret[] = []
  if (given.length === 0)
    for (const { token } of generateTokens(1))
      secrets.push({ text: `The one for staging is ${token}, rotate it.`, secrets: [token] })
  let unknown = 0
  for (const line of lines.filter((one) => one !== '')) {
    const { text, secret } = JSON.parse(line) as { text: string; secret: string | boolean | null }
    if (!secret) continue
    const found =
      secret === true ? (await findCredentials(text)).map(({ start, end }) => text.slice(start, end)) : [secret]
    // Of a key of many lines nobody may read any, but that it is one.
    const parts = found.flatMap((one) => one.split('\n').map((part) => part.trim()))
    const own = parts.filter((one) => one.length >= MIN_SECRET_LENGTH && !one.startsWith('-----') && text.includes(one))
    if (own.length > 0) secrets.push({ text, secrets: own })
    else unknown += 1
  }
  console.log(
    `${unknown} of the lists are not planted: they are too short, split by hand, or not found where they stand alone either`,
  )
  return secrets
}

/** A line of JSON without its escapes, so that a text is found in it at whatever level of strings it stands. */
const toPlain = (text: string) => text.replace(/\\+n/g, '\n').replace(/\\+t/g, '\t').replaceAll('\\', '')

const secrets = await readSecrets()
const plain = secrets.map((one) => one.secrets.map(toPlain))
const all = [
  ...new Set(
    secrets.flatMap((one) => [...one.secrets, ...one.secrets.map((secret) => JSON.stringify(secret).slice(1, -1))]),
  ),
]
await mkdir(app)
await writeHistories(secrets)
await upload()
const arrived = new Set<string>()
const missed = new Set<string>()
const elsewhere = new Map<string, number>()
for (const name of ['data', 'backup', 'restored', 'state'])
  for await (const { file, bytes, isBlock } of readAll(name)) {
    const text = bytes.toString()
    if (isBlock)
      for (const line of text.split('\n').map(toPlain))
        for (const [planted, nth] of line.matchAll(/planted-[a-z-]+-(\d+)-/g)) {
          arrived.add(planted)
          if (plain[Number(nth)]?.some((secret) => line.includes(secret))) missed.add(planted)
        }
    else
      for (const secret of all)
        if (bytes.includes(secret))
          elsewhere.set(file.slice(folder.length), (elsewhere.get(file.slice(folder.length)) ?? 0) + 1)
  }
for (const name of ['service.log', 'agent.log']) {
  const text = await Bun.file(join(folder, name)).text()
  for (const secret of all) if (text.includes(secret)) elsewhere.set(name, (elsewhere.get(name) ?? 0) + 1)
}
const count = (all: Set<string>, start: string) => [...all].filter((one) => one.startsWith(start)).length
console.log(`${secrets.length} secrets in each of 20 places; taken out of those that arrived:`)
console.log(`| | ${PLACES.join(' | ')} |`)
for (const assistant of Object.keys(ASSISTANTS)) {
  const cells = PLACES.map((place) => {
    const start = `planted-${assistant}-${place}-`
    return `${count(arrived, start) - count(missed, start)} of ${count(arrived, start)}`
  })
  console.log(`| ${assistant} | ${cells.join(' | ')} |`)
}
console.log(
  `missed: ${[...new Set([...missed].map((one) => secrets[Number(/(\d+)-$/.exec(one)?.[1])]?.text))].map((text) => JSON.stringify(text)).join(', ') || 'none'}`,
)
console.log(`as they are in files: ${[...elsewhere].map(([file, times]) => `${file} ${times}`).join(', ') || 'none'}`)
await rm(folder, { recursive: true })
process.exit()
