import { expect, onTestFinished, test } from 'bun:test'
import { cpSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { actingAs } from '../../../src/account/auth/caller.ts'
import { openService } from '../../../src/service.ts'
import { rememberAs } from '../../as-caller.ts'
import { canMakeDisk, makeDisk } from '../../durability/disk.ts'
import { isRoot } from '../../is-root.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { openStartedCli } from '../../run-cli.ts'
import { ask, startExecutable } from '../../smoke/running.ts'
import { startService } from '../../start-service.ts'
import { embeddedTest } from '../../stored-data.ts'
import { waitUntil } from '../../wait-until.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

test('on a full disk it says so, goes on answering, and keeps what was acknowledged', async () => {
  const { folder, secret, json } = await openStartedCli()
  const started: Subprocess[] = []
  // No file may grow beyond 1 MiB: to whoever writes, that is what a full disk looks like.
  const limited = ['bash', '-c', `trap '' XFSZ; ulimit -f 1024; exec "$0" "$@"`, process.execPath, MAIN]
  const { url } = await startExecutable(limited, folder, folder, started)
  const call = (name: string, args: object) => ask(url, secret, 'tools/call', { name, arguments: args })
  const save = (i: number) => call('remember', { content: `note ${i} ${'x'.repeat(60_000)}` })

  let saved = 0
  let answer = await save(saved)
  for (; saved < 100 && answer.isError !== true; answer = await save(saved)) saved += 1
  expect(answer).toMatchObject({
    content: [{ text: 'Error executing tool remember: the disk is full; nothing was saved' }],
  })
  expect(await call('search', { query: 'note', limit: 50 })).toMatchObject({ isError: false })
  started[0]?.kill('SIGTERM')
  expect(await started[0]?.exited).toBe(0)
  expect(await json<unknown[]>(['record', 'list', '--project', 'default'])).toHaveLength(saved)
})

// A file system of its own needs the rights of root; without them the test above stands alone.
const mount = (...args: string[]) => expect(Bun.spawnSync(['mount', ...args]).exitCode).toBe(0)

/**
 * A service on a copy of a data folder with a record, and with another project that is empty, in a small file system of
 * its own, which was made what `change` makes of it before the start.
 */
async function startOnSmallDisk(change: (disk: string) => void) {
  const { folder, secret, remember, json } = await openStartedCli()
  await remember({ content: 'The build runs on port 9090' })
  await json(['project', 'add', 'new'])
  const { key } = await json<{ key: string }>(['key', 'issue', '--project', 'new'])
  const disk = mkdtempSync(join(tmpdir(), 'memsvc-disk-'))
  mount('-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk)
  onTestFinished(() => {
    Bun.spawnSync(['umount', '-l', disk])
    rmdirSync(disk)
  })
  cpSync(folder, join(disk, 'data'), { recursive: true })
  change(disk)
  const started: Subprocess[] = []
  const { url, stop } = await startExecutable([process.execPath, MAIN], disk, join(disk, 'data'), started)
  const callAs = (key: string) => (name: string, args: object) => ask(url, key, 'tools/call', { name, arguments: args })
  const ready = async () => {
    const answer = await fetch(url.replace(/mcp$/, 'readyz'))
    return [answer.status, await answer.json()]
  }
  return { disk, call: callAs(secret), callNew: callAs(key), ready, stop }
}

function fill(disk: string): void {
  expect(() => {
    for (let at = 0; ; at++) writeFileSync(join(disk, `fill${at}`), new Uint8Array(at < 7 ? 1 << 20 : 4096))
  }).toThrow('ENOSPC')
}

test.skipIf(!isRoot)(
  'starts on a full disk, finds what is there, says why it saves nothing, and goes on by itself when there is room',
  async () => {
    const { disk, call, ready, stop } = await startOnSmallDisk(fill)
    expect(await call('search', { query: 'build port' })).toMatchObject({
      structuredContent: { result: [{ content: 'The build runs on port 9090' }] },
    })
    const refused = {
      isError: true,
      content: [{ text: 'Error executing tool remember: the disk is full; nothing was saved' }],
    }
    expect(await call('remember', { content: 'one more' })).toMatchObject(refused)
    expect(await ready()).toEqual([503, { status: 'the disk is full' }])
    for (let at = 0; at < 7; at++) rmSync(join(disk, `fill${at}`))
    expect(await call('remember', { content: 'one more' })).toMatchObject({
      structuredContent: { result: { created: true } },
    })
    expect(await ready()).toMatchObject([200, { status: 'ok' }])
    expect(await stop()).toBe(0)
  },
)

test.skipIf(!isRoot).each([
  ['a full disk', fill, 'the disk is full'],
  ['a read-only folder', (disk: string) => mount('-o', 'remount,ro', disk), 'the data folder is read-only'],
] as const)('a project that nothing was saved into yet says on %s why nothing is', async (_name, change, reason) => {
  const { callNew, stop } = await startOnSmallDisk(change)
  for (const [tool, args] of [
    ['remember', { content: 'The first' }],
    ['search', { query: 'first' }],
  ] as const)
    expect(await callNew(tool, args)).toMatchObject({
      isError: true,
      content: [{ text: `Error executing tool ${tool}: ${reason}; nothing was saved` }],
    })
  expect(await stop()).toBe(0)
})

test.skipIf(!canMakeDisk('ext4'))(
  'a file system that has failed is said to fail, to who saves, searches or asks for the state',
  async () => {
    const disk = makeDisk('ext4')
    onTestFinished(disk.remove)
    const { folder, secret, remember } = await openStartedCli()
    await remember({ content: 'The build runs on port 9090' })
    const data = join(disk.folder, 'data')
    cpSync(folder, data, { recursive: true })
    const started: Subprocess[] = []
    const { url } = await startExecutable([process.execPath, MAIN], tmpdir(), data, started)
    const call = (name: string, args: object) => ask(url, secret, 'tools/call', { name, arguments: args })
    expect(await call('search', { query: 'build port' })).toMatchObject({ isError: false })
    disk.fail()
    const texts: Record<string, string>[] = []
    for (let round = 0; round < 3; round++)
      for (const [tool, args] of [
        ['remember', { content: `note ${round}` }],
        ['search', { query: `port ${round}` }],
      ] as const) {
        const { isError, content } = (await call(tool, args)) as { isError: boolean; content: [{ text: string }] }
        if (isError) texts.push({ tool, text: content[0].text })
      }
    const saves = texts.filter(({ tool }) => tool === 'remember')
    expect(saves).toEqual(
      Array(3).fill({
        tool: 'remember',
        text: 'Error executing tool remember: the storage fails (EIO); nothing was saved',
      }),
    )
    for (const { text } of texts) expect(text).toContain('the storage fails (EIO)')
    const ready = await fetch(url.replace(/mcp$/, 'readyz'))
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'the storage fails (EIO)' }])
    const doctor = Bun.spawnSync([process.execPath, MAIN, 'doctor'], {
      env: { SVC_DATA_DIR: data, HOME: folder },
      stdout: 'pipe',
    })
    expect([doctor.exitCode, doctor.stdout.toString()]).toEqual([
      1,
      expect.stringContaining(`nothing can be saved in ${data}: the storage fails (EIO)`),
    ])
    expect(doctor.stdout.toString()).not.toContain('restore')
    started[0]?.kill('SIGKILL')
    await started[0]?.exited
  },
)

test.skipIf(!isRoot)(
  'serves a read-only folder: what is there is found, and nothing is saved until the folder takes writes',
  async () => {
    const { disk, call, ready, stop } = await startOnSmallDisk((disk) => mount('-o', 'remount,ro', disk))
    expect(await call('search', { query: 'build port' })).toMatchObject({
      structuredContent: { result: [{ content: 'The build runs on port 9090' }] },
    })
    const refused = {
      isError: true,
      content: [{ text: 'Error executing tool remember: the data folder is read-only; nothing was saved' }],
    }
    expect(await call('remember', { content: 'one more' })).toMatchObject(refused)
    expect(await ready()).toEqual([503, { status: 'the data folder is read-only' }])
    mount('-o', 'remount,rw', disk)
    // Refused connections are those of the moment in which the store is opened anew.
    await waitUntil('it is ready', async () => (await ready().catch(() => []))[0] === 200)
    expect(await call('remember', { content: 'one more' })).toMatchObject({
      structuredContent: { result: { created: true } },
    })
    expect(await stop()).toBe(0)
  },
)

test.skipIf(!isRoot)('serves a read-only control file, and writes to it once it takes writes', async () => {
  let remount = (_options: string) => {}
  const { ready, stop } = await startOnSmallDisk((disk) => {
    const control = join(disk, 'data', 'control.db')
    mount('--bind', control, control)
    remount = (options) => mount('-o', `remount,bind,${options}`, control)
    remount('ro')
  })
  expect(await ready()).toEqual([503, { status: 'the data folder is read-only' }])
  remount('rw')
  await waitUntil('it is ready', async () => (await ready().catch(() => []))[0] === 200)
  expect(await stop()).toBe(0)
})

embeddedTest("a project's file", isRoot)(
  'a project whose file was opened while its folder was read-only is saved into again once the folder takes writes',
  async () => {
    const { service, account, project, owner } = await startService()
    const caller = actingAs(account, project, owner)
    await rememberAs(service, caller, { content: 'The build runs on port 9090' })
    const projects = join(service.config.dataDir, 'projects')
    mount('--bind', projects, projects)
    // The first service has the file open for writing; this one opens it through the read-only mount.
    const { config, clock, random, log } = service
    const other = await openService({ config, clock, random, log, version: '0.0.0' })
    const save = () => rememberAs(other, caller, { content: 'one more' })
    try {
      mount('-o', 'remount,bind,ro', projects)
      expect(await rejectionOf(save())).toBe('the data folder is read-only; nothing was saved')
      mount('-o', 'remount,bind,rw', projects)
      expect(await rejectionOf(save())).toBe('the data folder is read-only; nothing was saved')
      expect(await save()).toMatchObject({ created: true })
    } finally {
      await other.close()
      Bun.spawnSync(['umount', '-l', projects])
    }
  },
)
