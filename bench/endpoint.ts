// Requests per second of POST /mcp beside (a) a server that only returns the same bytes and (b) the SDK's server for each request,
// with the same acts behind it. Each runs in a process of its own; the load comes from wrk (Debian: apt-get install wrk).
// Usage: bun bench/endpoint.ts [seconds a measurement]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOTES } from './servers/notes.ts'

/** Measured ones; one before them warms every server up. */
const ROUNDS = 3
const CONNECTIONS = 32
const seconds = Number(process.argv[2] ?? 3)

const toSearch = (query: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query } } })

const WORDS = NOTES.flatMap((note) => note.split(' '))

/** What each measurement asks in turn. The service gives a known answer again, so one measurement asks what was not asked lately. */
const REQUESTS = {
  'tools/call search, one question': [toSearch('Bun runtime')],
  'tools/call search, 3 000 questions in turn': Array.from({ length: 3_000 }, (_, at) =>
    toSearch(`Bun runtime ${WORDS[at % WORDS.length]} ${WORDS[(at * 7 + Math.floor(at / WORDS.length)) % WORDS.length]}`),
  ),
  'tools/list': [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
}

type Started = { url: string; key: string; stop: () => void }

async function start(kind: 'service' | 'sdk' | 'bare', folder: string): Promise<Started> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'servers', `${kind}.ts`), folder], { stdout: 'pipe', stderr: 'inherit' })
  for await (const chunk of child.stdout) {
    return { ...(JSON.parse(new TextDecoder().decode(chunk)) as { url: string; key: string }), stop: () => child.kill() }
  }
  throw new Error(`${kind} did not start`)
}

const headersWith = (key: string) => ({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  Authorization: `Bearer ${key}`,
})

async function ask({ url, key }: Started, request: unknown): Promise<string> {
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers: headersWith(key), body: JSON.stringify(request) })
  return response.text()
}

/** Requests per second; throws when an answer was not a success. */
async function load({ url, key }: Started, requests: unknown[], folder: string): Promise<number> {
  const script = join(folder, 'load.lua')
  const headers = Object.entries(headersWith(key)).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  const bodies = requests.map((request) => `[[${JSON.stringify(request)}]]`).join(',')
  const turn = `local bodies = {${bodies}}; local at = 0; request = function() at = at % #bodies + 1; return wrk.format(nil, nil, nil, bodies[at]) end`
  await Bun.write(script, ['wrk.method = "POST"', ...headers, turn].join('\n'))
  const ran = Bun.spawn(['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, `${url}/mcp`], { stdout: 'pipe' })
  const said = await new Response(ran.stdout).text()
  if (/Non-2xx|Socket errors/.test(said)) throw new Error(said)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1])
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type Round = { service: number; bare: number; sdk: number }

/** Rates of one round come from the same minute of a machine that others may use, so ratios are taken within it. */
async function compare(name: string, requests: unknown[], folder: string): Promise<void> {
  const service = await start('service', await mkdtemp(join(folder, 'data-')))
  const sdk = await start('sdk', await mkdtemp(join(folder, 'data-')))
  const answer = join(folder, 'answer.json')
  await Bun.write(answer, await ask(service, requests[0]))
  const bare = await start('bare', answer)
  const rounds: Round[] = []
  const rate = (server: Started) => load(server, requests, folder)
  for (let round = 0; round <= ROUNDS; round++) {
    const rates = { service: await rate(service), bare: await rate(bare), sdk: await rate(sdk) }
    if (round > 0) rounds.push(rates)
  }
  for (const server of [service, sdk, bare]) server.stop()
  report(name, rounds)
}

function report(name: string, rounds: Round[]): void {
  console.log(`${name}, requests per second`)
  for (const { service, bare, sdk } of rounds)
    console.log(`  service ${service.toFixed(0)}  bare ${bare.toFixed(0)}  sdk ${sdk.toFixed(0)}`)
  const toBare = median(rounds.map(({ service, bare }) => service / bare))
  const toSdk = median(rounds.map(({ service, sdk }) => service / sdk))
  console.log(`  ${toBare.toFixed(2)} of bare (goal 0.5), ${toSdk.toFixed(1)} times the SDK (goal 5)\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'memsvc-bench-'))
for (const [name, request] of Object.entries(REQUESTS)) await compare(name, request, folder)
await rm(folder, { recursive: true })
