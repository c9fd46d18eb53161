// The same work done with memsvc and with other memory programs for assistants, each by its own MCP interface, one after the other in one run. Each is installed from
// the package registry into FOLDER (once), works on an empty home that is gone afterwards, and is ended. Takes at most five minutes when all is installed.
// Usage: bun run build && bun bench/peers.ts FOLDER [--only NAME …] [--markdown] [--json FILE] [--svg FILE]
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readMachine } from '../src/commands/bench/bench.ts'
import { toPicture } from '../src/commands/bench/picture.ts'
import { toHeading } from '../src/commands/bench/report.ts'
import { toTable } from '../src/commands/terminal/text.ts'
import { VERSION } from '../src/version.ts'
import { readDataset } from './peers/dataset.ts'
import { install, readSize } from './peers/install.ts'
import { measure, type Task } from './peers/measure.ts'
import type { Peer } from './peers/peer.ts'
import { PEERS } from './peers/programs/all.ts'
import { EXECUTABLE } from './peers/programs/memsvc.ts'
import { type Report, type Row, toFigures, toJson, toLeftOut, toMarkdown, toTables, toTitle } from './peers/report.ts'

/** What one program may take of the time, and all of them without their installation; beyond, a program is left out. */
const [PEER_TIMEOUT_MS, TOTAL_MS] = [60_000, 290_000]
const ticks = () => performance.now()

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    markdown: { type: 'boolean', default: false },
    json: { type: 'string' },
    svg: { type: 'string' },
  },
})
const [cache] = positionals
if (cache === undefined || !existsSync(EXECUTABLE))
  throw new Error('usage: bun run build && bun bench/peers.ts FOLDER [--only NAME …] [--markdown] [--json FILE] [--svg FILE]')

const began = ticks()
const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))
const dataset = readDataset()
let measuredMs = 0
const rows: Row[] = []
for (const peer of PEERS.filter(({ name }) => values.only.length === 0 || values.only.includes(name))) {
  rows.push(await tryPeer(peer, resolve(cache)))
  if (!interrupted.signal.aborted) continue
  console.error('interrupted; nothing is left of it but what is installed')
  process.exit(1)
}
const report: Report = {
  version: VERSION,
  at: Date.now(),
  machine: readMachine(),
  isInMemory: false,
  seconds: (ticks() - began) / 1_000,
  dataset,
  rows,
}
console.log(values.markdown ? toMarkdown(report) : toText(report))
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(toJson(report), null, 2)}\n`)
if (values.svg !== undefined)
  await writeFile(values.svg, toPicture({ ...report, figures: toFigures(report) }, 'memsvc beside other memory programs'))

async function tryPeer(peer: Peer, folder: string): Promise<Row> {
  const say = (what: string) => console.error(`${Math.round((ticks() - began) / 1_000)} s: ${peer.name}: ${what}`)
  const home = await mkdtemp(join(tmpdir(), 'memsvc-peers-'))
  try {
    say('installing')
    const installed = await install(peer, folder)
    const installedMib = (await readSize(installed || EXECUTABLE)) / 2 ** 20
    const task: Task = { ...dataset, ticks, step: say }
    const limit = AbortSignal.timeout(Math.max(0, Math.min(PEER_TIMEOUT_MS, TOTAL_MS - measuredMs)))
    const signal = AbortSignal.any([interrupted.signal, limit])
    const start = ticks()
    const measured = await measure(peer, { installed, home }, task, signal)
      .catch((error: unknown) => Promise.reject(limit.aborted ? new Error('not ready within its time') : error))
      .finally(() => {
        measuredMs += ticks() - start
      })
    return { peer, installedMib, measured, reason: undefined }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { peer, installedMib: null, measured: undefined, reason: reason.replaceAll(/\s+/g, ' ') }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function toText(of: Report): string {
  const tables = toTables(of).map(({ head, lines }) => toTable(head, lines, 'nothing was measured'))
  const uses = of.rows.map(({ peer }) => `${toTitle(peer).replaceAll(/[*`]/g, '')}: ${peer.use.replaceAll('`', '')}`)
  const leftOut = toLeftOut(of).map(({ name, reason }) => `Not measured: ${name}: ${reason}`)
  return [toHeading(of), ...tables, [...uses, ...leftOut].join('\n'), `Took ${of.seconds.toFixed(0)} s.`].join('\n\n')
}
