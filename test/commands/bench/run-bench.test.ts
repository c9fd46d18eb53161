import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeBenchFolder } from '../../../src/commands/bench/bench.ts'
import type { Scale } from '../../../src/commands/bench/context.ts'
import { createProcesses } from '../../../src/commands/bench/processes.ts'
import { runBench } from '../../../src/commands/bench/run-bench.ts'
import { makeUpTexts } from '../../../src/commands/bench/texts.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder } from '../../run-cli.ts'
import { waitUntil } from '../../wait-until.ts'

const PROGRAM = [process.execPath, join(import.meta.dir, '../../../src/main.ts')]

/** Each measurement as short as it can be. */
const TINY: Scale = {
  keys: 2,
  starts: 1,
  savers: [1, 4],
  records: [20, 50],
  rateMs: 50,
  questions: 10,
  questionsMs: 2_000,
  callers: 4,
  togetherMs: 200,
  kills: 2,
  savesBeforeKill: [5, 10],
  importMs: 30_000,
}

test('every measurement has its figures, and whatever was acknowledged before a kill is there', async () => {
  const processes = createProcesses(PROGRAM, process.env, performance.now.bind(performance))
  const steps: string[] = []
  const run = {
    processes,
    ticks: () => performance.now(),
    texts: makeUpTexts(),
    scale: TINY,
    step: (name: string) => void steps.push(name),
  }
  const { figures, kept } = await runBench(run, await makeFolder())
  await processes.end()
  expect(kept.acknowledged).toBeGreaterThan(10)
  expect(kept).toEqual({ acknowledged: kept.acknowledged, kept: kept.acknowledged, doubled: 0 })
  expect(figures.map(({ group, name }) => `${group}: ${name}`)).toEqual([
    'Saves, on disk when answered: 1 client, 2 keys, empty project',
    'Saves, on disk when answered: 4 clients, 2 keys, empty project',
    'Saves, on disk when answered: 1 client, one key, 50 records',
    'Saves, on disk when answered: 4 clients, one key, 50 records',
    'Search, another question each time: 20 records, p50',
    'Search, another question each time: 20 records, p99',
    'Search, another question each time: 50 records, p50',
    'Search, another question each time: 50 records, p99',
    'Endpoint, 4 clients: search, 20 records',
    'Endpoint, 4 clients: tools/list',
    'Import, beside the service: 50 records',
    'Start-up: empty',
    'Start-up: 50 records',
    'Memory: empty',
    'Memory: 50 records, after searches',
    'A ping while 8 clients search and an import runs: p99',
    'A ping while 8 clients search and an import runs: longest',
    'kill -9, 2 times amid saves: acknowledged',
    'kill -9, 2 times amid saves: kept of these',
    'kill -9, 2 times amid saves: kept twice',
  ])
  expect(figures.filter(({ value, name }) => value === 0 && name !== 'kept twice')).toEqual([])
  expect(steps).toContain('saves, 4 clients, 2 keys, empty project')
})

test("processes get none of the settings of the person's own service", async () => {
  const folder = await makeFolder()
  const own = { SVC_DATA_DIR: '/none', SVC_DATABASE_URL: 'postgres://none', SVC_CONFIG: '/none', SVC_PORT: '1' }
  const processes = createProcesses(PROGRAM, { ...process.env, ...own }, () => performance.now())
  const { out } = await processes.run(folder, ['config', '--json'])
  await processes.end()
  const settings = JSON.parse(out) as { name: string; value: string }[]
  const settingOf = (wanted: string) => settings.find(({ name }) => name === wanted)?.value
  expect([settingOf('SVC_DATA_DIR'), settingOf('SVC_DATABASE_URL'), settingOf('SVC_PORT')]).toEqual([folder, '', '0'])
})

test('a bench that is interrupted ends its processes and leaves nothing in the folder', async () => {
  const folder = await makeFolder()
  const child = Bun.spawn([...PROGRAM, 'bench', '--folder', folder], { stdout: 'pipe', stderr: 'pipe' })
  const isServing = async () => (await readdir(folder, { recursive: true })).some((name) => name.endsWith('control.db'))
  await waitUntil('the bench has started a service', isServing)
  child.kill('SIGINT')
  const said = await child.stderr.text()
  expect({ status: await child.exited, out: await child.stdout.text() }).toEqual({ status: 1, out: '' })
  expect(said).toContain('memsvc: interrupted; nothing is left of the bench\n')
  expect(await readdir(folder)).toEqual([])
})

test('a folder that is not there is refused', async () => {
  expect(await rejectionOf(makeBenchFolder('/none'))).toStartWith("cannot work in '/none': ")
})
