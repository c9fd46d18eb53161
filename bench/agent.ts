// What the local agent costs, beside a direct client and mcp-remote, in one run: connecting (start, handshake, list of
// tools), a call of `search`, and memory. Usage: bun run build && bun bench/agent.ts [--executable dist/memsvc]
// [--connects 15] [--calls 2000]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startService } from './servers/start.ts'

const { values } = parseArgs({
  options: {
    executable: { type: 'string', default: join(import.meta.dir, '../dist/memsvc') },
    connects: { type: 'string', default: '15' },
    calls: { type: 'string', default: '2000' },
  },
})

/** Calls in a row of one candidate before the next has its turn, so that other load on the machine falls on all. */
const TURN = 100
const WARM_UP_CALLS = 100

type Transport = StdioClientTransport | StreamableHTTPClientTransport
type Candidate = { name: string; open: () => Transport }

const folder = await mkdtemp(join(tmpdir(), 'memsvc-bench-'))
const server = await startService(join(folder, 'data'))
const candidates = toCandidates(server)
const connects = await measureConnects()
const { calls, memory } = await measureCalls()
report()
server.stop()
await rm(folder, { recursive: true })
process.exit()

function toCandidates({ url, key }: { url: string; key: string }): Candidate[] {
  const authorization = `Bearer ${key}`
  const path = { PATH: process.env.PATH ?? '', HOME: folder }
  const own = { ...path, SVC_ENDPOINT: url, SVC_API_KEY: key }
  const remote = [
    Bun.resolveSync('mcp-remote/dist/proxy.js', import.meta.dir),
    `${url}/mcp`,
    '--header',
    `Authorization: ${authorization}`,
  ]
  const node = Bun.which('node') ?? process.execPath
  return [
    {
      name: 'direct',
      open: () =>
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization } } }),
    },
    {
      name: 'memsvc agent',
      open: () => new StdioClientTransport({ command: values.executable, args: ['agent'], env: own, stderr: 'ignore' }),
    },
    {
      name: 'mcp-remote',
      open: () => new StdioClientTransport({ command: node, args: remote, env: path, stderr: 'ignore' }),
    },
  ]
}

async function connect({ open }: Candidate): Promise<{ client: Client; transport: Transport; ms: number }> {
  const startedAt = performance.now()
  const client = new Client({ name: 'bench', version: '1' })
  const transport = open()
  await client.connect(transport as Parameters<Client['connect']>[0])
  await client.listTools()
  return { client, transport, ms: performance.now() - startedAt }
}

async function measureConnects(): Promise<number[][]> {
  const times: number[][] = candidates.map(() => [])
  for (let round = 0; round <= Number(values.connects); round++) {
    for (const [at, candidate] of candidates.entries()) {
      const { client, ms } = await connect(candidate)
      await client.close()
      // The first fills the caches of files.
      if (round > 0) times[at]?.push(ms)
    }
  }
  return times
}

async function measureCalls(): Promise<{ calls: number[][]; memory: (string | undefined)[] }> {
  const opened = await Promise.all(candidates.map(connect))
  const times: number[][] = candidates.map(() => [])
  for (let done = 0; done < Number(values.calls) + WARM_UP_CALLS; done += TURN) {
    for (const [at, { client }] of opened.entries()) {
      for (let nth = 0; nth < TURN; nth++) {
        const ms = await call(client, done + nth)
        if (done >= WARM_UP_CALLS) times[at]?.push(ms)
      }
    }
  }
  const memory = await Promise.all(
    opened.map(({ transport }) => ('pid' in transport && transport.pid ? readMemory(transport.pid) : undefined)),
  )
  for (const { client } of opened) await client.close()
  return { calls: times, memory }
}

async function call(client: Client, nth: number): Promise<number> {
  const startedAt = performance.now()
  await client.callTool({ name: 'search', arguments: { query: `Bun runtime ${nth}` } })
  return performance.now() - startedAt
}

/** What the process holds in memory now, and the most that it held. */
async function readMemory(pid: number): Promise<string> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  const mib = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024).toFixed(0)
  return `${mib('VmRSS')} MiB, at most ${mib('VmHWM')} MiB`
}

function share(times: number[] | undefined, part: number): number {
  const sorted = (times ?? []).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}

function report(): void {
  for (const [at, { name }] of candidates.entries()) {
    const [connected, called] = [share(connects[at], 0.5), share(calls[at], 0.5)]
    const more = (value: number, base: number) => (at === 0 ? '' : ` (+ ${(value - base).toFixed(2)})`)
    console.log(
      `${name.padEnd(13)} connect p50 ${connected.toFixed(0)} ms${more(connected, share(connects[0], 0.5))}` +
        `  call p50 ${called.toFixed(2)} ms${more(called, share(calls[0], 0.5))}, p99 ${share(calls[at], 0.99).toFixed(2)} ms` +
        `  memory ${memory[at] ?? '-'}`,
    )
  }
  console.log('goals of the agent: connect + 100 ms, call + 1 ms at p50, memory 60 MiB')
}
