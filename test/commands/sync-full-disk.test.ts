import { expect, onTestFinished, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toLine, writeFileIn } from '../agent/histories/sync/machine.ts'
import { startHistories } from '../history/start-histories.ts'
import { isRoot } from '../is-root.ts'
import { makeFolder, runCommand } from '../run-cli.ts'

const isOfFill = (name: string) => name.startsWith('fill')

/**
 * A person's machine that uploads sessions, whose state folder is a small file system of its own, which then has no
 * room left.
 */
async function openFullMachine() {
  const { url, secret, service } = await startHistories()
  const home = await makeFolder()
  const [app, disk] = [join(home, 'app'), mkdtempSync(join(tmpdir(), 'memsvc-disk-'))]
  const environment = { HOME: home, SVC_STATE_DIR: join(home, 'state'), SVC_ENDPOINT: url, SVC_API_KEY: secret }
  const base = { environment, clock: { now: Date.now, ticks: () => performance.now() }, random: service.random }
  const session = crypto.randomUUID()
  mkdirSync(app)
  await writeFileIn(join(home, '.claude/projects/-app', `${session}.jsonl`), toLine(session, app, 'plans'))
  for (const words of [['enable', app, '--yes'], ['now']])
    expect(await runCommand(base, ['sync', ...words])).toMatchObject({ status: 0 })
  expect(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]).exitCode).toBe(0)
  onTestFinished(() => {
    Bun.spawnSync(['umount', '-l', disk])
    rmdirSync(disk)
  })
  cpSync(join(home, 'state'), disk, { recursive: true })
  environment.SVC_STATE_DIR = disk
  expect(() => {
    for (let at = 0; ; at++) writeFileSync(join(disk, `fill${at}`), new Uint8Array(4_096))
  }).toThrow('ENOSPC')
  const empty = () => {
    for (const name of readdirSync(disk).filter(isOfFill)) rmSync(join(disk, name))
  }
  return { app, disk, empty, run: (...words: string[]) => runCommand(base, words) }
}

test.skipIf(!isRoot)(
  'on a full disk uploads are paused and ended all the same, and what takes room is refused in words',
  async () => {
    const { app, disk, empty, run } = await openFullMachine()
    const fault = `the state folder '${disk}' cannot be used`
    for (const words of [['status'], ['now'], ['preview'], ['forget', '--all', '--yes'], ['enable', app, '--yes']]) {
      const { status, err } = await run('sync', ...words)
      expect([words[0], status, err]).toEqual([words[0], 1, expect.stringMatching(/^memsvc: [^\n]+\n$/)])
      expect(err).toStartWith(`memsvc: ${fault}`)
      expect(err).toEndWith('is its disk full or read-only?\n')
    }
    expect(await run('status')).toMatchObject({
      status: 0,
      out: expect.stringContaining('not uploaded, since the state folder'),
    })
    expect(await run('doctor')).toMatchObject({
      out: expect.stringContaining(fault),
      err: 'memsvc: 1 problem: histories\n',
    })
    expect(await run('sync', 'pause')).toMatchObject({
      status: 0,
      out: "Paused: nothing is uploaded until 'memsvc sync resume'.\n",
    })
    expect(await run('sync', 'status')).toMatchObject({ status: 1, out: expect.stringContaining('paused by user') })
    expect(await run('sync', 'resume')).toMatchObject({
      status: 1,
      err: expect.stringContaining('nothing was changed'),
    })
    empty()
    expect(await run('sync', 'resume')).toMatchObject({ status: 0, out: 'Uploads go on.\n' })
    expect(await run('sync', 'now')).toMatchObject({
      status: 0,
      out: expect.stringContaining('1 session with 1 record'),
    })
  },
)

test.skipIf(!isRoot)(
  'on a full disk an agreement is ended, and where not even the file can be overwritten, it is removed',
  async () => {
    const { app, disk, run } = await openFullMachine()
    expect(await run('sync', 'disable', app)).toMatchObject({ status: 0, out: expect.stringContaining(app) })
    expect(await Bun.file(join(disk, 'sync.json')).json()).toMatchObject({ folders: [] })
    const other = await openFullMachine()
    const file = join(other.disk, 'sync.json')
    const settings = await Bun.file(file).text()
    // Written by hand, so that one that says more does not fit into its place.
    writeFileSync(file, settings.replace('"isPaused":false,', ''))
    expect(await other.run('sync', 'pause')).toMatchObject({
      status: 0,
      out: expect.stringContaining('all that was agreed was removed'),
    })
    expect(await Bun.file(file).exists()).toBe(false)
    expect(await other.run('sync', 'pause')).toMatchObject({
      status: 1,
      err: expect.stringContaining('no session histories are uploaded'),
    })
  },
)
