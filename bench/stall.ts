import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildModules } from '../bin/release/bundle.ts'
import { ATTACKS, type Attack } from './stall/attacks.ts'
import { type Dataset, prepareDataset, toDataFolder } from './stall/dataset.ts'
import { type Link, LOOPBACK, openNetwork } from './stall/link.ts'
import type { Waits } from './stall/pinger.ts'
import {
  FRONT,
  forgetPeak,
  type Running,
  readPeak,
  signIn,
  startServer,
  type Tally,
  type Target,
} from './stall/target.ts'
import { startHostileUpstream } from './stall/upstream.ts'

// How long another account's `ping` waits, and how much memory the service takes, while it is attacked: one attack
// after the other, then all together. `bun bench/stall.ts [--cache FOLDER] [--only NAME …] [--seconds 15] [--service
// PATH] [--network] [--json]`; `--prepare FOLDER` only makes the data set (some 900 MB), which `--cache` then takes.
// `--service` is an executable; without it the bundle of the npm package is run, and `turn` is the longest turn of its
// event loop in time of the processor, without the disk and whatever else the machine does. `--network` puts the
// service at the other end of a virtual network cable (root, iproute2); without it, its turns include what the system
// does of the attackers' sending.

const { values } = parseArgs({
  options: {
    cache: { type: 'string' },
    prepare: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '15' },
    service: { type: 'string' },
    network: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

/** What is promised. */
const MAX_WAIT_MS = 25
const MAX_RSS_MIB = 400
const IDLE_MS = 3_000
/** After each attack, before the next: what it set off is to be over, or to count as its own. */
const AFTER_MS = 500

type Result = Waits & {
  name: string
  by: Attack['by'] | ''
  turn: number | undefined
  rss: number
  seconds: number
  answers: Tally
}

const say = (line: string) => process.stderr.write(`${line}\n`)

if (values.prepare !== undefined) {
  const { distinctTerms } = await prepareDataset(values.prepare, say)
  say(`ready: ${distinctTerms} distinct terms`)
} else {
  const scratch = mkdtempSync(join(tmpdir(), 'memsvc-stall-'))
  const link = values.network ? openNetwork() : LOOPBACK
  try {
    process.exitCode = await measure(values.cache ?? join(scratch, 'set'), scratch, link)
  } finally {
    link.close()
    rmSync(scratch, { recursive: true })
  }
}

/** Runs the attacks on a copy of the data set. Answers with the status to exit with: 1 where a bound was broken. */
async function measure(cache: string, scratch: string, link: Link): Promise<number> {
  const dataset = await prepareDataset(cache, say)
  const dataDir = join(scratch, 'data')
  await cp(toDataFolder(cache), dataDir, { recursive: true })
  // What is copied is on the disk before anything is measured: the first checkpoint would wait for hundreds of
  // megabytes.
  await Bun.spawn(['sync']).exited
  const isProbed = values.service === undefined
  const command = values.service === undefined ? await bundle(join(scratch, 'program')) : [resolve(values.service)]
  const upstream = startHostileUpstream(link.attackers)
  await connectUpstream(command, dataDir, upstream.url.href)
  const service = await startServer(isProbed ? withProbe(command) : command, link, dataDir, isProbed)
  try {
    const results = await attackAll(service, link, dataset)
    if (values.json) console.log(JSON.stringify(results, null, 2))
    return results.some(({ max, rss }) => max > MAX_WAIT_MS || rss > MAX_RSS_MIB) ? 1 : 0
  } finally {
    await service.stop()
    await upstream.stop(true)
  }
}

/**
 * The command that runs the program as it is published: from source it has 30 000 objects more, which the engine looks
 * at whenever it collects garbage.
 */
async function bundle(folder: string): Promise<string[]> {
  await buildModules(folder)
  return [process.execPath, join(folder, 'main.js')]
}

function withProbe([bun = '', ...words]: string[]): string[] {
  return [bun, '--preload', join(import.meta.dir, 'stall', 'probe.ts'), ...words]
}

/** Makes the hostile server known to the attackers' account, by the command line. */
async function connectUpstream(command: string[], dataDir: string, url: string): Promise<void> {
  const { hostname, href } = new URL('mcp', url)
  const environment = { ...process.env, SVC_DATA_DIR: dataDir, SVC_OUTBOUND_ALLOW: hostname }
  for (const words of [
    ['integration', 'add', 'hostile', '--account', 'default', '--url', href, '--max-answer', `${16 * 2 ** 20}`],
    ['integration', 'enable', 'hostile', '--account', 'default', '--project', 'empty'],
  ]) {
    const ran = Bun.spawn([...command, ...words], { env: environment, stdout: 'ignore', stderr: 'inherit' })
    if ((await ran.exited) !== 0) throw new Error(`${words.join(' ')} failed`)
  }
}

async function attackAll(service: Running, link: Link, dataset: Dataset): Promise<Result[]> {
  const { port } = service
  const url = `http://${link.service}:${port}`
  const cookies = { owner: await signIn(url, dataset.owner), member: await signIn(url, dataset.member) }
  const target = { dataset, host: link.service, port, url, cookies }
  const pinger = startPinger([link.service, `${port}`, link.pinger, dataset.keys.quiet])
  if (!values.json) printHead()
  const measureOne = async (name: string, by: Result['by'], act: (signal: AbortSignal) => Promise<Tally>) => {
    const result = { ...(await during(service, pinger, act)), name, by }
    if (!values.json) print(result)
    return result
  }
  const results = [await measureOne('idle', '', () => Bun.sleep(IDLE_MS).then(() => ({})))]
  for (const { name, by, run } of ATTACKS) {
    if (values.only.length > 0 && !values.only.includes(name)) continue
    results.push(await measureOne(name, by, (signal) => run({ ...target, signal } satisfies Target)))
  }
  pinger.stop()
  return results
}

async function during(
  { pid, takeLongestTurn }: Running,
  pinger: Pinger,
  act: (signal: AbortSignal) => Promise<Tally>,
): Promise<Omit<Result, 'name' | 'by'>> {
  await pinger.take()
  await takeLongestTurn()
  forgetPeak(pid)
  const start = performance.now()
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), Number(values.seconds) * 1_000)
  const answers = await act(over.signal)
  clearTimeout(timer)
  const seconds = (performance.now() - start) / 1_000
  await Bun.sleep(AFTER_MS)
  const waits = await pinger.take()
  return { ...waits, turn: await takeLongestTurn(), rss: readPeak(pid), seconds, answers }
}

type Pinger = { take: () => Promise<Waits>; stop: () => void }

function startPinger(args: string[]): Pinger {
  const command = [...FRONT.realTime, process.execPath, join(import.meta.dir, 'stall', 'pinger.ts'), ...args]
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const lines = readLines(child.stdout)
  return {
    take: async () => {
      child.stdin.write('take\n')
      child.stdin.flush()
      const { value } = await lines.next()
      return JSON.parse(value ?? '') as Waits
    },
    stop: () => child.kill(),
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = ''
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk)
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}

function printHead(): void {
  console.log(
    `${'attack'.padEnd(24)}${'by'.padEnd(12)}   pings   p50 ms   p99 ms   max ms  turn ms  peak MiB  seconds  answers`,
  )
}

function print({ name, by, pings, refused, p50, p99, max, turn, rss, seconds, answers }: Result): void {
  const number = (value: number, digits = 1) => value.toFixed(digits).padStart(9)
  const broken = max > MAX_WAIT_MS || rss > MAX_RSS_MIB ? ' !' : '  '
  const said = Object.entries({ ...answers, ...(refused > 0 && { 'pings refused': refused }) }).map(
    ([outcome, count]) => `${count}× ${outcome}`,
  )
  const cells = [
    String(pings).padStart(8),
    number(p50),
    number(p99),
    number(max),
    turn === undefined ? '        –' : number(turn),
    number(rss, 0).padStart(10),
    number(seconds),
  ]
  console.log(name.padEnd(24) + by.padEnd(12) + cells.join('') + broken + said.join(', '))
}
