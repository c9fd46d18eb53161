import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { openStartedCli } from '../../run-cli.ts'
import { ask, startExecutable } from '../../smoke/running.ts'

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
  expect(answer).toMatchObject({ content: [{ text: 'Error executing tool remember: the disk of the service is full; nothing was saved' }] })
  expect(await call('search', { query: 'note', limit: 50 })).toMatchObject({ isError: false })
  started[0]?.kill('SIGTERM')
  expect(await started[0]?.exited).toBe(0)
  expect(await json<unknown[]>(['record', 'list', '--project', 'default'])).toHaveLength(saved)
})
