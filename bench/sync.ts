// What an upload of session histories costs the agent that makes it, against a whole service in a process of its own:
// memory, and how long a call that is relayed meanwhile takes, beside the same calls made directly at the same time,
// and while nothing is uploaded. Usage: bun run build && bun bench/sync.ts [--executable dist/memsvc] [--megabytes 500]
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readStatus } from '../src/commands/status.ts'
import { startService } from './servers/start.ts'

const { values } = parseArgs({
  options: {
    executable: { type: 'string', default: join(import.meta.dir, '../dist/memsvc') },
    megabytes: { type: 'string', default: '500' },
  },
})

/** Sizes of histories, in bytes: one of every kind that people have. */
const SIZES = [40e6, 2e5, 1e6, 5e6, 2e4, 20e6]
const IDLE_CALLS = 300
const PAUSE_MS = 10
/** How long after an upload the memory of an agent at rest is read. */
const REST_MS = 3_000

type Agent = { call: () => Promise<number>; readMemory: () => Promise<{ now: number; most: number }>; stop: () => void }

const folder = await mkdtemp(join(tmpdir(), 'memsvc-bench-'))
const server = await startService(join(folder, 'data'))
const environment = {
  HOME: folder,
  PATH: process.env.PATH ?? '',
  SVC_STATE_DIR: join(folder, 'state'),
  SVC_ENDPOINT: server.url,
  SVC_API_KEY: server.key,
}
const total = await writeHistories(Number(values.megabytes) * 1e6)
const idle = await measureIdle()
await agree()
await measureUpload()
server.stop()
await rm(folder, { recursive: true })
process.exit()

/**
 * Sessions of Claude Code whose tools have read the sources and documents of this repository. Returns how many bytes
 * they have.
 */
async function writeHistories(wanted: number): Promise<number> {
  const root = join(import.meta.dir, '..')
  const files = [...new Bun.Glob('{src,docs,test}/**/*.{ts,md}').scanSync(root)]
  const texts = await Promise.all(files.map((file) => Bun.file(join(root, file)).text()))
  const projects = join(folder, '.claude/projects/-app')
  await mkdir(projects, { recursive: true })
  await mkdir(join(folder, 'app'))
  let written = 0
  for (let nth = 0; written < wanted; nth++) {
    const session = crypto.randomUUID()
    const writer = Bun.file(join(projects, `${session}.jsonl`)).writer()
    const end = written + Math.min(wanted - written, SIZES[nth % SIZES.length] ?? 1e6)
    for (let at = nth; written < end; at++) {
      const line = `${toLine(session, texts[at % texts.length] ?? '', at)}\n`
      writer.write(line)
      written += Buffer.byteLength(line)
      if (at % 100 === 0) await writer.flush()
    }
    await writer.end()
  }
  return written
}

/** Each line is another one: no record is there twice. */
function toLine(sessionId: string, text: string, nth: number): string {
  const content = [{ type: 'tool_result', tool_use_id: `toolu_${nth}`, content: `${nth} ${text.slice(0, 8_000)}` }]
  const timestamp = new Date().toISOString()
  const rest = {
    sessionId,
    cwd: join(folder, 'app'),
    timestamp,
    version: '2.1.330',
    message: { role: 'user', content },
  }
  return JSON.stringify({ type: 'user', uuid: crypto.randomUUID(), ...rest })
}

async function agree(): Promise<void> {
  const enabling = Bun.spawn([values.executable, 'sync', 'enable', join(folder, 'app'), '--yes'], {
    env: environment,
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await enabling.exited) !== 0) throw new Error('sync enable failed')
}

function startAgent(): Agent {
  const agent = Bun.spawn([values.executable, 'agent'], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  let answered = () => {}
  let lastId = 0
  void (async () => {
    for await (const chunk of agent.stdout) if (chunk.includes(0x0a)) answered()
  })()
  return {
    call: async () => {
      const startedAt = performance.now()
      const { promise, resolve } = Promise.withResolvers<void>()
      answered = resolve
      lastId += 1
      const params = { name: 'search', arguments: { query: `Bun runtime ${lastId}` } }
      agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params })}\n`)
      await agent.stdin.flush()
      await promise
      const took = performance.now() - startedAt
      await Bun.sleep(PAUSE_MS)
      return took
    },
    readMemory: async () => {
      const status = await Bun.file(`/proc/${agent.pid}/status`).text()
      const mib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
      return { now: mib('VmRSS'), most: mib('VmHWM') }
    },
    stop: () => agent.kill(),
  }
}

async function measureIdle(): Promise<number[]> {
  const agent = startAgent()
  const times: number[] = []
  while (times.length < IDLE_CALLS) times.push(await agent.call())
  agent.stop()
  return times
}

/** The same call without an agent between. */
async function callDirectly(): Promise<number> {
  const startedAt = performance.now()
  const params = { name: 'search', arguments: { query: `Bun runtime ${startedAt}` } }
  const headers = {
    authorization: `Bearer ${server.key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await (await fetch(`${server.url}/mcp`, { method: 'POST', headers, body })).text()
  return performance.now() - startedAt
}

async function measureUpload(): Promise<void> {
  const agent = startAgent()
  const startedAt = performance.now()
  const [times, direct]: [number[], number[]] = [[], []]
  let shownAt = startedAt
  for (let pending = 1; pending > 0; ) {
    times.push(await agent.call())
    direct.push(await callDirectly())
    if (performance.now() - shownAt < 5_000) continue
    shownAt = performance.now()
    const { histories } = (await readStatus(environment, { now: Date.now, ticks: () => performance.now() })).status
    pending = histories.last_success_at === null ? 1 : histories.totals.sessions.pending
    console.log(
      `${((shownAt - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${toMb(histories.totals.bytes.uploaded)} MB  ${histories.state}`,
    )
  }
  const seconds = (performance.now() - startedAt) / 1_000
  await Bun.sleep(REST_MS)
  const { now, most } = await agent.readMemory()
  console.log(
    `${toMb(total)} MB in ${seconds.toFixed(0)} s; at most ${most.toFixed(0)} MiB (goal 120), ${now.toFixed(0)} MiB at rest afterwards (goal 60)`,
  )
  console.log(
    `a call meanwhile: ${toShares(times)} (goal 20 at p99); directly: ${toShares(direct)}; without an upload: ${toShares(idle)}`,
  )
  agent.stop()
}

function toMb(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

function toShares(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}`
}
