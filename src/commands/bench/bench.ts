import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { Refusal } from '../../errors.ts'
import { VERSION } from '../../version.ts'
import type { Cli } from '../cli.ts'
import { ownProgram } from '../restart.ts'
import { writeFile } from '../terminal/files.ts'
import { createProgress } from '../terminal/progress.ts'
import { toPlainText, toTable } from '../terminal/text.ts'
import { FULL } from './context.ts'
import type { Kept } from './kills.ts'
import { createProcesses } from './processes.ts'
import { IN_MEMORY_NOTE, type Report, toFigureText, toHeading, toJson, toMarkdown, toPicture } from './report.ts'
import { runBench } from './run-bench.ts'
import { makeUpTexts } from './texts.ts'

type Options = { folder?: string; json?: boolean; markdown?: boolean; svg?: string }

/** Interval at which the progress line is updated. */
const TICK_MS = 200

/** `memsvc bench`: measures a service on this machine, in a temporary folder that is removed afterwards. */
export function benchCommand(cli: Cli): Command {
  return new Command('bench')
    .description('measure the service on this machine, in a temporary folder, in about a minute and a half')
    .option('--folder <folder>', 'where to create the temporary folder: on the disk to measure')
    .option('--json', 'print one JSON value')
    .addOption(new Option('--markdown', 'print a Markdown table').conflicts('json'))
    .option('--svg <file>', 'also write a picture of the figures')
    .action(async (options: Options) => {
      const { report, kept } = await measure(cli, options.folder ?? tmpdir())
      await cli.out(`${toText(report, options)}\n`)
      if (options.svg !== undefined) await writeFile(options.svg, pieces(toPicture(report)))
      if (kept.kept < kept.acknowledged)
        throw new Refusal(`${kept.acknowledged - kept.kept} acknowledged saves are not there`)
    })
}

async function measure(cli: Cli, parent: string): Promise<{ report: Report; kept: Kept }> {
  const { ticks, now } = cli.clock
  const began = ticks()
  const processes = createProcesses(ownProgram(), cli.environment, ticks)
  const interrupted = cli
    .interrupted()
    .then(() => Promise.reject(new Refusal('interrupted; nothing is left of the bench')))
  interrupted.catch(() => {})
  const folder = await makeBenchFolder(parent)
  const progress = showProgress(cli)
  const run = { processes, ticks, texts: makeUpTexts(), scale: FULL, step: progress.step }
  const running = runBench(run, folder.path)
  try {
    const { figures, kept } = await Promise.race([running, interrupted])
    const seconds = (ticks() - began) / 1_000
    return {
      report: { version: VERSION, at: now(), machine: readMachine(), isInMemory: folder.isInMemory, seconds, figures },
      kept,
    }
  } finally {
    progress.end()
    await processes.end()
    // With its processes ended it soon fails, and creates no more files.
    await running.catch(() => {})
    await folder.remove()
  }
}

/** A line with the current measurement and its elapsed time. */
function showProgress(cli: Cli): { step: (name: string) => void; end: () => void } {
  const { ticks } = cli.clock
  const progress = createProgress(cli)
  const began = ticks()
  let now = ''
  const timer = setInterval(() => progress.show(`${Math.round((ticks() - began) / 1_000)} s: ${now}`), TICK_MS)
  return {
    step: (name) => {
      now = name
    },
    end: () => {
      clearInterval(timer)
      progress.end()
    },
  }
}

function toText(report: Report, { json, markdown }: Options): string {
  if (json) return JSON.stringify(toJson(report))
  if (markdown) return toMarkdown(report)
  const rows = report.figures.map((figure, at) => {
    const isFirst = report.figures[at - 1]?.group !== figure.group
    return [isFirst ? figure.group : '', figure.name, toFigureText(figure)]
  })
  const table = toTable(['MEASURED', '', 'FIGURE'], rows, '')
  const foot = `Took ${report.seconds.toFixed(0)} s.${report.isInMemory ? ` ${IN_MEMORY_NOTE}` : ''}`
  return `${toHeading(report)}\n\n${table}\n\n${foot}`
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text
}

/** Describes this machine for the report. */
export function readMachine(): Report['machine'] {
  const processors = cpus()
  const processor = toPlainText(processors[0]?.model ?? '').trim() || 'unknown processor'
  return { system: `${type()} ${release()}`, processor, cores: processors.length, memoryGib: totalmem() / 2 ** 30 }
}

/** Free disk space required for a run, with a margin. */
const MIN_FREE_BYTES = 512 * 2 ** 20
/** Type of the file system `tmpfs`, as Linux numbers them. */
const TMPFS = 0x01021994

type BenchFolder = { path: string; isInMemory: boolean; remove: () => Promise<void> }

/**
 * Creates a temporary folder inside the given one.
 *
 * @throws Refusal if that is not a folder, not writable, or has too little free space.
 */
export async function makeBenchFolder(parent: string): Promise<BenchFolder> {
  const inside = resolve(parent)
  try {
    const { bavail, bsize, type } = await statfs(inside)
    if (bavail * bsize < MIN_FREE_BYTES)
      throw new Refusal(`there is too little room in '${inside}': the bench needs 512 MiB`)
    const path = await mkdtemp(join(inside, 'memsvc-bench-'))
    return {
      path,
      isInMemory: process.platform === 'linux' && type === TMPFS,
      remove: () => rm(path, { recursive: true, force: true }),
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`cannot work in '${inside}': ${error.message}`)
    throw error
  }
}
