import { expect, onTestFinished, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, openCli } from '../run-cli.ts'

test('refuses a port that another program has, and makes no account whose key nobody would see', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, reusePort: true, fetch: () => new Response() })
  onTestFinished(() => other.stop(true))
  const cli = await openCli({ environment: { SVC_PORT: String(other.port) } })
  const { status, out, err } = await cli.run(['serve'])
  expect({ status, out, err }).toEqual({
    status: 1,
    out: '',
    err: `memsvc: cannot listen on 127.0.0.1:${other.port}; another program may have that port: set SVC_PORT to a free one\n`,
  })
  expect(await cli.json(['account', 'list'])).toEqual([])
})

test('says what is in the way of its data folder', async () => {
  const taken = join(await makeFolder(), 'taken')
  writeFileSync(taken, '')
  const cli = await openCli({ environment: { SVC_DATA_DIR: taken } })
  const { status, out, err } = await cli.run(['serve'])
  expect({ status, out }).toEqual({ status: 1, out: '' })
  expect(err).toMatch(/^memsvc: cannot make the folder '.*taken': EEXIST[^\n]*\n$/)
})

test('says which file of its data it cannot write', async () => {
  const cli = await openCli()
  mkdirSync(join(cli.folder, 'control.db', 'not a file'), { recursive: true })
  expect(await cli.run(['account', 'list'])).toEqual({
    status: 1,
    out: '',
    err: `memsvc: ${join(cli.folder, 'control.db')} cannot be written; memsvc must own it and its folder\n`,
  })
})
