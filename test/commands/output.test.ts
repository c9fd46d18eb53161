import { expect, test } from 'bun:test'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from '../is-root.ts'
import { makeFolder, openStartedCli } from '../run-cli.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
/** A device on which every write fails as on a full disk. */
const FULL = '/dev/full'

async function start() {
  const { folder } = await openStartedCli()
  /** Runs a command with its output into a file; or, without one, into a pipe that nobody reads. */
  const run = async (words: string[], file: string | undefined) => {
    const command = Bun.spawn([process.execPath, MAIN, ...words], {
      env: { ...process.env, SVC_DATA_DIR: folder },
      stdin: 'ignore',
      stdout: file === undefined ? 'pipe' : Bun.file(file),
      stderr: 'pipe',
    })
    if (file === undefined) await (command.stdout as ReadableStream).cancel()
    const err = await command.stderr.text()
    return { status: await command.exited, err }
  }
  return run
}

test.skipIf(!existsSync(FULL))('what cannot be written is said, with status 1', async () => {
  const run = await start()
  const refused = { status: 1, err: expect.stringMatching(/^memsvc: the output cannot be written: ENOSPC[^\n]*\n$/) }
  for (const words of [['project', 'list'], ['--help'], ['client', '--help']])
    expect(await run(words, FULL)).toEqual(refused)
})

test.skipIf(!existsSync(FULL))('a key that could not be printed is named, so that it can be ended', async () => {
  const run = await start()
  const issued = await run(['key', 'issue', '--project', 'default'], FULL)
  const [, id = ''] = /; a key was issued that nobody has; end it: memsvc key revoke (\S+)\n$/.exec(issued.err) ?? []
  expect((await run(['key', 'revoke', id], undefined)).status).toBe(0)
})

test('a reader that has closed the pipe is no failure', async () => {
  const run = await start()
  for (const words of [['project', 'list'], ['--help']])
    expect(await run(words, undefined)).toEqual({ status: 0, err: '' })
})

// A file system of its own needs the rights of root.
test.skipIf(!isRoot)('on a full disk a command says in one line that nothing was saved', async () => {
  const { folder, run } = await openStartedCli()
  const disk = await makeFolder()
  expect(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).exitCode).toBe(0)
  try {
    cpSync(folder, disk, { recursive: true })
    expect(() => {
      for (let at = 0; ; at++) writeFileSync(join(disk, `fill${at}`), new Uint8Array(4_096))
    }).toThrow('ENOSPC')
    expect(await run(['key', 'issue', '--project', 'default'], { environment: { SVC_DATA_DIR: disk } })).toEqual({
      status: 1,
      out: '',
      err: 'memsvc: the disk is full; nothing was saved\n',
    })
  } finally {
    Bun.spawnSync(['umount', '-l', disk])
  }
})
