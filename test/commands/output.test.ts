import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openStartedCli } from '../run-cli.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
/** A device on which every write fails as on a full disk. */
const FULL = '/dev/full'

async function start() {
  const { folder } = await openStartedCli()
  /** Runs a command with its output into a file; or, without one, into a pipe of which nothing is read. */
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
  for (const words of [
    ['project', 'list'],
    ['key', 'issue', '--project', 'default', '--json'],
    ['--help'],
    ['client', '--help'],
  ])
    expect(await run(words, FULL)).toEqual(refused)
})

test('a reader that has closed the pipe is no failure', async () => {
  const run = await start()
  for (const words of [['project', 'list'], ['--help']])
    expect(await run(words, undefined)).toEqual({ status: 0, err: '' })
})
