// Requests per second of POST /mcp beside (a) a server that only returns the same bytes and (b) the SDK's server for
// each request, with the same operations behind it; then what metrics, lines of requests and spans cost. Each runs in a
// process of its own; wrk makes the load (Debian: apt-get install wrk). Usage: bun bench/endpoint.ts [seconds a
// measurement]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOTES } from './servers/notes.ts'

/** Measured rounds, after one that warms the servers up. */
const ROUNDS = 3
const CONNECTIONS = 32
const seconds = Number(process.argv[2] ?? 3)

const toSearch = (query: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query } },
})

const WORDS = NOTES.flatMap((note) => note.split(' '))

type Measurement = { requests: unknown[]; goal: string }

/**
 * The requests of each measurement in turn, and the ratios to reach. The service caches answers, so one measurement
 * asks more questions than the cache holds.
 */
const MEASUREMENTS: Record<string, Measurement> = {
  'tools/call search, one question': { requests: [toSearch('Bun runtime')], goal: '0.3 of bare, 5 times the SDK' },
  'tools/call search, 3 000 questions in turn': {
    requests: Array.from({ length: 3_000 }, (_, at) =>
      toSearch(
        `Bun runtime ${WORDS[at % WORDS.length]} ${WORDS[(at * 7 + Math.floor(at / WORDS.length)) % WORDS.length]}`,
      ),
    ),
    goal: '3 times the SDK',
  },
  'tools/list': { requests: [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }], goal: 'none' },
}

type Started = { url: string; key: string; pid: number; stop: () => void }

async function start(
  kind: 'service' | 'sdk' | 'bare',
  folder: string,
  env: Record<string, string> = {},
): Promise<Started> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'servers', `${kind}.ts`), folder], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: env.SVC_LOG === undefined ? 'inherit' : 'ignore',
  })
  for await (const chunk of child.stdout) {
    return {
      ...(JSON.parse(new TextDecoder().decode(chunk)) as { url: string; key: string }),
      pid: child.pid,
      stop: () => child.kill(),
    }
  }
  throw new Error(`${kind} did not start`)
}

const headersWith = (key: string) => ({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  Authorization: `Bearer ${key}`,
})

async function post({ url, key }: Started, request: unknown): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: headersWith(key),
    body: JSON.stringify(request),
  })
  return response.text()
}

/** Requests per second; throws when an answer was not a success. */
async function load({ url, key }: Started, requests: unknown[], folder: string): Promise<number> {
  const script = join(folder, 'load.lua')
  const headers = Object.entries(headersWith(key)).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  const bodies = requests.map((request) => `[[${JSON.stringify(request)}]]`).join(',')
  const next = `local bodies = {${bodies}}; local at = 0; request = function() at = at % #bodies + 1; return wrk.format(nil, nil, nil, bodies[at]) end`
  await Bun.write(script, ['wrk.method = "POST"', ...headers, next].join('\n'))
  const ran = Bun.spawn(['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, `${url}/mcp`], {
    stdout: 'pipe',
  })
  const output = await new Response(ran.stdout).text()
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(output)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type Round = { service: number; bare: number; sdk: number }

/** Ratios are taken within a round, since other programs may load the machine differently from round to round. */
async function compare(name: string, { requests, goal }: Measurement, folder: string): Promise<void> {
  const service = await start('service', await mkdtemp(join(folder, 'data-')))
  const sdk = await start('sdk', await mkdtemp(join(folder, 'data-')))
  const answer = join(folder, 'answer.json')
  await Bun.write(answer, await post(service, requests[0]))
  const bare = await start('bare', answer)
  const rounds: Round[] = []
  const rate = (server: Started) => load(server, requests, folder)
  for (let round = 0; round <= ROUNDS; round++) {
    const rates = { service: await rate(service), bare: await rate(bare), sdk: await rate(sdk) }
    if (round > 0) rounds.push(rates)
  }
  for (const server of [service, sdk, bare]) server.stop()
  report(name, rounds, goal)
}

function report(name: string, rounds: Round[], goal: string): void {
  console.log(`${name}, requests per second`)
  for (const { service, bare, sdk } of rounds)
    console.log(`  service ${service.toFixed(0)}  bare ${bare.toFixed(0)}  sdk ${sdk.toFixed(0)}`)
  const toBare = median(rounds.map(({ service, bare }) => service / bare))
  const toSdk = median(rounds.map(({ service, sdk }) => service / sdk))
  console.log(`  ${toBare.toFixed(2)} of bare, ${toSdk.toFixed(1)} times the SDK (goal: ${goal})\n`)
}

/** What an operator may want to be told, by the settings for it. */
const toTold = (collector: string): Record<string, Record<string, string>> => ({
  nothing: {},
  metrics: { SVC_METRICS_TOKEN: 'bench-0123456789' },
  'lines of requests': { SVC_LOG: 'access' },
  spans: { SVC_TRACES_ENDPOINT: collector },
})

/** Time that a process took of the processor, in microseconds. On Linux, in steps of 10 ms. */
async function processorTime(pid: number): Promise<number> {
  const [, fields = ''] = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10_000
}

/** Prints what each answer takes of the processor, which other programs on the machine change less than the rate. */
async function compareTold(requests: unknown[], folder: string): Promise<void> {
  const collector = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 64 * 2 ** 20,
    fetch: () => Response.json({}),
  })
  const told = toTold(`http://127.0.0.1:${collector.port}`)
  const names = Object.keys(told)
  const servers = await Promise.all(
    names.map(async (name) => start('service', await mkdtemp(join(folder, 'data-')), told[name])),
  )
  const costs: number[][] = servers.map(() => [])
  for (let round = 0; round <= ROUNDS * 2; round++) {
    for (const [at, server] of servers.entries()) {
      const before = await processorTime(server.pid)
      const rate = await load(server, requests, folder)
      if (round > 0) costs[at]?.push(((await processorTime(server.pid)) - before) / (rate * seconds))
    }
  }
  console.log('tools/call search, one question: microseconds of the processor for each, by what the operator is told')
  for (const [at, name] of names.entries())
    console.log(
      `  ${name.padEnd(18)} ${median(costs[at] ?? []).toFixed(1)}  least ${Math.min(...(costs[at] ?? [])).toFixed(1)}`,
    )
  for (const server of servers) server.stop()
  await collector.stop(true)
}

const folder = await mkdtemp(join(tmpdir(), 'memsvc-bench-'))
for (const [name, measurement] of Object.entries(MEASUREMENTS)) await compare(name, measurement, folder)
await compareTold([toSearch('Bun runtime')], folder)
await rm(folder, { recursive: true })
