// The same work done with memsvc and with other memory programs for assistants, each by its own MCP interface, one
// after the other in one run. Each is installed from the package registry into FOLDER (once), works on an empty home
// that is gone afterwards, and is ended. Takes at most five minutes when all is installed. With `--wordings`, the notes
// of bench/wordings/other-teams, on which nothing of memsvc was tuned, are asked for in other words than theirs
// instead. Usage: bun run build && bun bench/peers.ts FOLDER [--only NAME …] [--wordings] [--markdown] [--json FILE]
// [--svg FILE]
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readMachine } from '../src/commands/bench/bench.ts'
import { toHeading, toPicture } from '../src/commands/bench/report.ts'
import { toTable } from '../src/commands/terminal/text.ts'
import { VERSION } from '../src/version.ts'
import { readDataset } from './peers/dataset.ts'
import { measure } from './peers/measure.ts'
import type { Peer, Place } from './peers/peer.ts'
import { PEERS } from './peers/programs/all.ts'
import { EXECUTABLE } from './peers/programs/memsvc.ts'
import { type Report, type Row, toFigures, toJson, toLeftOut, toMarkdown, toTables, toTitle } from './peers/report.ts'
import { type Tried, tryPeer } from './peers/try-peer.ts'
import { measureWordings, toWordingsMarkdown, type Ways } from './peers/wordings.ts'
import { OTHER_TEAMS, readSet } from './wordings/set.ts'

/** What one program may take of the time, and all of them without their installation; beyond, a program is left out. */
const [PEER_TIMEOUT_MS, TOTAL_MS] = [60_000, 290_000]
const WORDINGS_TIMEOUT_MS = 300_000
const ticks = () => performance.now()

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    wordings: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    json: { type: 'string' },
    svg: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined || !existsSync(EXECUTABLE))
  throw new Error(
    'usage: bun run build && bun bench/peers.ts FOLDER [--only NAME …] [--wordings] [--markdown] [--json FILE] [--svg FILE]',
  )

const cache = resolve(folder)
const began = ticks()
const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))
const peers = PEERS.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
await (values.wordings ? compareWordings() : compareWork())

async function compareWork(): Promise<void> {
  const dataset = readDataset()
  const rows: Row[] = []
  let leftMs = TOTAL_MS
  for (const peer of peers) {
    const toMeasured = async (place: Place, signal: AbortSignal) => {
      const start = ticks()
      const task = { ...dataset, ticks, step: sayOf(peer) }
      return measure(peer, place, task, signal).finally(() => {
        leftMs -= ticks() - start
      })
    }
    rows.push({ peer, ...(await tryOne(peer, Math.min(PEER_TIMEOUT_MS, leftMs), toMeasured)) })
  }
  const seconds = (ticks() - began) / 1_000
  const report: Report = {
    version: VERSION,
    at: Date.now(),
    machine: readMachine(),
    isInMemory: false,
    seconds,
    dataset,
    rows,
  }
  console.log(values.markdown ? toMarkdown(report) : toText(report))
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(toJson(report), null, 2)}\n`)
  if (values.svg !== undefined)
    await writeFile(
      values.svg,
      toPicture({ ...report, figures: toFigures(report) }, 'memsvc beside other memory programs'),
    )
}

async function compareWordings(): Promise<void> {
  const set = await readSet(OTHER_TEAMS)
  const rows: { name: string; ways: Ways }[] = []
  for (const peer of peers) {
    const { measured, reason } = await tryOne(peer, WORDINGS_TIMEOUT_MS, (place, signal) =>
      measureWordings(peer, place, set, signal),
    )
    if (measured === undefined) console.error(`Not measured: ${peer.name}: ${reason}`)
    else rows.push({ name: peer.name, ways: measured })
  }
  console.log(toWordingsMarkdown(rows))
}

async function tryOne<Of>(
  peer: Peer,
  timeoutMs: number,
  work: (place: Place, signal: AbortSignal) => Promise<Of>,
): Promise<Tried<Of>> {
  const tried = await tryPeer(peer, { cache, timeoutMs, interrupted: interrupted.signal, say: sayOf(peer) }, work)
  if (!interrupted.signal.aborted) return tried
  console.error('interrupted; nothing is left of it but what is installed')
  process.exit(1)
}

function sayOf(peer: Peer) {
  return (what: string) => console.error(`${Math.round((ticks() - began) / 1_000)} s: ${peer.name}: ${what}`)
}

function toText(of: Report): string {
  const tables = toTables(of).map(({ head, lines }) => toTable(head, lines, 'nothing was measured'))
  const uses = of.rows.map(({ peer }) => `${toTitle(peer).replaceAll(/[*`]/g, '')}: ${peer.use.replaceAll('`', '')}`)
  const leftOut = toLeftOut(of).map(({ name, reason }) => `Not measured: ${name}: ${reason}`)
  return [toHeading(of), ...tables, [...uses, ...leftOut].join('\n'), `Took ${of.seconds.toFixed(0)} s.`].join('\n\n')
}
