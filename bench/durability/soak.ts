import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { type Ledger, work } from '../../test/durability/ledger.ts'
import type { Tried } from '../../test/durability/rounds.ts'
import { ask, Stopping, startExecutable } from '../../test/smoke/running.ts'

const ASSISTANTS = 6
/** Between two acts of one assistant: some 200 acts a second of all. */
const PAUSE_MS = 30
const SAMPLE_MS = 10_000
const MIB = 2 ** 20

/**
 * What a service takes at a time: memory, open files, bytes of write-ahead logs, and the longest that a look at it
 * waited since the last time.
 */
type Sample = { seconds: number; rssMib: number; descriptors: number; walMib: number; longestMs: number }

/** Of a soak: acts answered, the samples, and how memory and open files grew from its middle on, by the hour. */
export type Soaked = { answers: number; samples: Sample[]; rssMibAnHour: number; descriptorsAnHour: number }

/** Lets assistants save, forget, change and search at an even pace for a time, and ends the service by SIGTERM. */
export async function soak(ledger: Ledger, { command, folder, secret }: Tried, minutes: number): Promise<Soaked> {
  const started: Subprocess[] = []
  const { url, stop } = await startExecutable(command, '/', folder, started)
  const pid = started[0]?.pid ?? 0
  let answers = 0
  const told = () => {
    answers += 1
    return Bun.sleep(PAUSE_MS)
  }
  const assistants = Array.from({ length: ASSISTANTS }, (_, i) =>
    work(ledger, { url, key: secret, name: `assistant ${i}` }, told),
  )
  const end = performance.now() + minutes * 60_000
  const searching = search(url, secret, end)
  const samples = await sample(pid, url, folder, end)
  await searching
  const status = await stop()
  await Promise.all(assistants)
  if (status !== 0) throw new Error(`the service ended with status ${status}`)
  const later = samples.slice(Math.floor(samples.length / 2))
  return { answers, samples, rssMibAnHour: slopeOf(later, 'rssMib'), descriptorsAnHour: slopeOf(later, 'descriptors') }
}

async function search(url: string, key: string, end: number): Promise<void> {
  for (let i = 0; performance.now() < end; i++) {
    const args = { query: `which note has the number ${i}?`, limit: 5 }
    await ask(url, key, 'tools/call', { name: 'search', arguments: args }).catch((error) => {
      if (!(error instanceof Stopping)) throw error
    })
    await Bun.sleep(PAUSE_MS)
  }
}

async function sample(pid: number, url: string, folder: string, end: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const startedAt = performance.now()
  while (performance.now() < end) {
    const longestMs = await pingFor(url, Math.min(SAMPLE_MS, end - performance.now()))
    const [, rss = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const logs = [folder, join(folder, 'projects')].flatMap((at) =>
      readdirSync(at)
        .filter((name) => name.endsWith('-wal'))
        .map((name) => join(at, name)),
    )
    samples.push({
      seconds: (performance.now() - startedAt) / 1_000,
      rssMib: Number(rss) / 1_024,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      walMib: logs.reduce((sum, path) => sum + statSync(path).size, 0) / MIB,
      longestMs,
    })
  }
  return samples
}

/** The longest answer to `GET /healthz` in so many milliseconds, asked every 20. */
async function pingFor(url: string, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds
  let longest = 0
  while (performance.now() < end) {
    const askedAt = performance.now()
    await (await fetch(url.replace(/mcp$/, 'healthz'))).text()
    longest = Math.max(longest, performance.now() - askedAt)
    await Bun.sleep(20)
  }
  return longest
}

/** By least squares, for each hour. */
function slopeOf(samples: Sample[], of: 'rssMib' | 'descriptors'): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [hours, values] = [samples.map(({ seconds }) => seconds / 3_600), samples.map((one) => one[of])]
  const [middle, height] = [mean(hours), mean(values)]
  const spread = hours.reduce((sum, hour) => sum + (hour - middle) ** 2, 0)
  return spread === 0
    ? 0
    : hours.reduce((sum, hour, i) => sum + (hour - middle) * ((values[i] ?? 0) - height), 0) / spread
}
