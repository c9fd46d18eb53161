import { expect, test } from 'bun:test'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, openStartedCli } from '../run-cli.ts'

const exporting = (...words: string[]) => ['export', '--project', 'default', ...words]

test('prints one record a line, named as remember’s arguments, in their order of saving', async () => {
  const { run, remember } = await openStartedCli()
  await remember({ content: 'one', fact_key: 'a.b', source_id: 's', source_hash: 'h' })
  await remember({ content: 'two' })
  const { status, out, err } = await run(exporting())
  expect({ status, err }).toEqual({ status: 0, err: '2 records exported\n' })
  const [first, second] = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(first).toMatchObject({
    content: 'one',
    fact_key: 'a.b',
    workspace: 'default',
    scope: 'shared',
    source_id: 's',
    source_hash: 'h',
  })
  expect(first).toMatchObject({ status: 'unverified', author: 'Owner', created_at: '2026-01-15T12:00:00.000Z' })
  expect(second).not.toHaveProperty('fact_key')
})

test('writes a file that only its owner may read, and leaves nothing else beside it', async () => {
  const { run, remember } = await openStartedCli()
  await remember({ content: 'one' })
  const folder = await makeFolder()
  const file = join(folder, 'out.jsonl')
  await writeFile(file, 'what was there before')
  expect(await run(exporting('--output', file))).toEqual({ status: 0, out: '', err: '1 record exported\n' })
  expect(await readFile(file, 'utf8')).toContain('"content":"one"')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['out.jsonl'])
})

test('says why it cannot write, and leaves what was there', async () => {
  const { run } = await openStartedCli()
  const { status, err } = await run(exporting('--output', '/nowhere/out.jsonl'))
  expect(status).toBe(1)
  expect(err).toStartWith("memsvc: cannot write '/nowhere/out.jsonl': ENOENT")
})

test('refuses a workspace that is not active', async () => {
  const { run } = await openStartedCli()
  expect((await run(exporting('--workspace', 'nowhere'))).err).toContain("memsvc: workspace 'nowhere' is not active\n")
})
