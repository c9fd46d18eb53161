// The time that the gateway adds to a call: one tool of one upstream is called directly and through the service, in
// turns, over open connections. Upstream, service and callers are processes of their own; the upstream takes 5 to 15 ms
// for a call, as a near one does, so that callers wait for it and not for a processor. Usage: bun bench/gateway.ts
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROUNDS = 15
const CALLS = 1_000
const CALLERS = [1, 20]
const MAIN = join(import.meta.dir, '../src/main.ts')
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Route = { url: string; name: string; headers: Record<string, string> }

if (process.argv[2] === 'upstream') serveUpstream()
else await measure()

function serveUpstream(): void {
  const tool = { name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
  const results: Record<string, object> = {
    'server/discover': {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 60_000,
      cacheScope: 'private',
    },
    'tools/list': { tools: [tool], ttlMs: 60_000, cacheScope: 'private' },
    'tools/call': { content: [{ type: 'text', text: 'hello' }] },
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { id, method } = (await request.json()) as { id: number; method: string }
      if (method === 'tools/call') await Bun.sleep(5 + Math.random() * 10)
      return Response.json({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...results[method] } })
    },
  })
  console.log(`http://127.0.0.1:${server.port}/mcp`)
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-bench-'))
  const env = {
    ...process.env,
    SVC_DATA_DIR: folder,
    SVC_PORT: '0',
    SVC_OUTBOUND_ALLOW: '127.0.0.1',
    SVC_PRINT_FIRST_KEY: '1',
    SVC_BACKUP_EVERY: 'off',
  }
  const upstream = Bun.spawn([process.execPath, import.meta.path, 'upstream'], { stdout: 'pipe' })
  const service = Bun.spawn([process.execPath, MAIN, 'serve'], { env, stdout: 'pipe', stderr: 'ignore' })
  try {
    const address = (await firstText(upstream.stdout)).trim()
    const output = await firstText(service.stdout)
    const [, url = '', key = ''] = /Endpoint\s+(\S+)\s+Key\s+(\S+)/.exec(output) ?? []
    memsvc(env, 'integration', 'add', 'bench', '--url', address)
    memsvc(env, 'integration', 'enable', 'bench', '--project', 'default')
    const direct: Route = { url: address, name: 'echo', headers: {} }
    const through: Route = { url, name: 'bench.echo', headers: { authorization: `Bearer ${key}` } }
    for (const callers of CALLERS) await compare(callers, direct, through)
  } finally {
    upstream.kill()
    service.kill()
    await service.exited
    await rm(folder, { recursive: true })
  }
}

function memsvc(env: Record<string, string | undefined>, ...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, MAIN, ...words], { env })
  if (exitCode !== 0) throw new Error(stderr.toString())
}

async function firstText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const { value } = await stream.getReader().read()
  return new TextDecoder().decode(value)
}

/** Prints medians of the rounds, since other programs may load the machine differently from round to round. */
async function compare(callers: number, direct: Route, through: Route): Promise<void> {
  await run(callers, direct)
  await run(callers, through)
  const rounds: { direct: number[]; through: number[] }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ direct: await run(callers, direct), through: await run(callers, through) })
  console.log(`${callers} callers, ${ROUNDS} rounds of ${rounds[0]?.direct.length} calls each way`)
  for (const part of [0.5, 0.99]) {
    const without = rounds.map((round) => at(round.direct, part))
    const having = rounds.map((round) => at(round.through, part))
    const added = having.map((time, round) => time - (without[round] ?? 0))
    const [a, b, c] = [without, having, added].map((times) => at(times, 0.5).toFixed(2))
    console.log(`  p${part * 100}: direct ${a} ms, through ${b} ms, added ${c} ms`)
  }
}

function at(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}

async function run(callers: number, route: Route): Promise<number[]> {
  const times: number[] = []
  const calls = Math.ceil(CALLS / callers / (callers === 1 ? 10 : 1))
  const one = async () => {
    for (let i = 0; i < calls; i++) {
      const started = performance.now()
      await call(route)
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: callers }, one))
  return times
}

async function call({ url, name, headers }: Route): Promise<void> {
  const usual = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const params = { name, arguments: { text: 'hello' }, _meta: META }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const answer = await fetch(url, { method: 'POST', headers: { ...usual, ...headers }, body })
  const { result } = (await answer.json()) as { result?: { isError?: boolean } }
  if (result === undefined || result.isError) throw new Error('the call failed')
}
