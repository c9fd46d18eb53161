// Histories as real assistants write them: each assistant runs in an empty home, with a scripted model on loopback, and
// its histories are found and read as the local agent does it. Prints the kinds of lines there were, how many of them
// are shown in a transcript, and what was left out; with SAMPLES, shortened lines are written into that folder. To be
// run when an assistant has a new release: what it prints then is what `verifiedWith` in src/transcripts/ speaks of.
// Usage: bun bench/histories.ts FOLDER [--samples test/transcripts/samples] [CLIENT …] (FOLDER: where the clients were
// installed by `bun bench/clients.ts FOLDER`, and `bun add @github/copilot@1.0.102` was run.)
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { discover, readHistory } from '../src/agent/histories/discover.ts'
import type { HistorySource } from '../src/agent/histories/source.ts'
import { FORMATS } from '../src/transcripts/formats.ts'
import { endLeftovers, PROGRAMS, type Program, runProgram, setUp } from './clients/programs.ts'
import { type Step, startScriptedModel } from './clients/scripted-model.ts'
import { COPILOT, PNG, RUNS, type Run } from './histories/runs.ts'
import { kindOf, toSample } from './histories/sample.ts'

const TIMEOUT_MS = 120_000
const PIECE_BYTES = 2 ** 20
/** Databases are read only a moment after they were written. */
const LATER_MS = 60_000

const { values, positionals } = parseArgs({ allowPositionals: true, options: { samples: { type: 'string' } } })
const [folder, ...chosen] = positionals
if (folder === undefined) throw new Error('usage: bun bench/histories.ts FOLDER [--samples FOLDER] [CLIENT …]')
const model = startScriptedModel()
try {
  for (const program of [...PROGRAMS, COPILOT].filter(({ clientId }) => clientId in RUNS)) {
    if (chosen.length === 0 || chosen.includes(program.clientId)) await tryProgram(program, folder)
  }
} finally {
  model.stop()
}

async function tryProgram(program: Program, installed: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  const work = join(home, 'harbour')
  await mkdir(work)
  await writeFile(join(work, 'crane.png'), Buffer.from(PNG, 'base64'))
  const place = { home, work, model: model.url, setup: '' }
  const path = join(resolve(installed), 'node_modules/.bin') + delimiter + (process.env.PATH ?? '')
  const env = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', ...program.environment(place) }
  try {
    await setUp({ ...program, isSetUpByCommand: false }, place, env)
    for (const run of RUNS[program.clientId] ?? []) await runOnce(run, work, env)
    console.log(`${program.name} (${program.package})`)
    await show(home)
  } finally {
    await endLeftovers(home)
    await rm(home, { recursive: true, force: true })
  }
}

async function runOnce({ words, steps }: Run, work: string, env: Record<string, string>): Promise<void> {
  const script = steps.map(
    ({ args, ...rest }): Step => ({ ...rest, args: JSON.parse(JSON.stringify(args).replaceAll('WORK', work)) }),
  )
  model.begin(script)
  const { status, said } = await runProgram(words, { cwd: work, env, timeoutMs: TIMEOUT_MS })
  if (status !== 0) console.error(`${words.join(' ')}: ${said.slice(-1_000)}`)
}

async function show(home: string): Promise<void> {
  const sources = await discover({ environment: {}, home }, new Map(), Date.now() + LATER_MS)
  const names = toNames(sources)
  for (const source of sources) {
    const lines = await readLines(source)
    const { sourceKey, kind, cwd, parentSessionId, appVersion } = source
    console.log(sourceKey.replaceAll(home, ''), {
      kind,
      cwd: cwd?.replace(home, ''),
      parentSessionId,
      appVersion,
      lines: lines.length,
    })
    console.table(countKinds(source, lines))
    if (values.samples === undefined) continue
    const text = lines.map((line) => `${toSample(line, home)}\n`).join('')
    await writeFile(join(values.samples, `${source.assistant}-${names.get(source)}.jsonl`), text)
  }
}

/** The first session is that which the others were forked from. */
function toNames(sources: HistorySource[]): Map<HistorySource, string> {
  const ordered = sources.toSorted((a, b) => a.mtimeMs - b.mtimeMs)
  const [first] = ordered.filter(({ kind }) => kind === 'main')
  return new Map(ordered.map((one) => [one, one.kind === 'subagent' ? 'subagent' : one === first ? 'session' : 'fork']))
}

async function readLines(source: HistorySource): Promise<string[]> {
  const lines: string[] = []
  for await (const piece of readHistory(source, null, PIECE_BYTES, { now: Date.now() + LATER_MS })) {
    if (piece !== 'rewritten') lines.push(...piece.lines)
  }
  return lines
}

function countKinds({ assistant }: HistorySource, lines: string[]): Record<string, object> {
  const format = FORMATS.get(assistant)
  return Object.fromEntries(
    [...Map.groupBy(lines, kindOf)].map(([kind, ofKind]) => {
      const shown = ofKind.filter((line) => format?.toEntry(JSON.parse(line)) != null).length
      return [
        kind,
        { lines: ofKind.length, shown, 'left out': ofKind.filter((line) => line.includes('$omitted')).length },
      ]
    }),
  )
}
