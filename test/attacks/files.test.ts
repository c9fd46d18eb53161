import { expect, onTestFinished, test } from 'bun:test'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { takeServeLock } from '../../src/store/open-store.ts'
import { rejectionOf } from '../rejection-of.ts'
import { makeFolder, openStartedCli } from '../run-cli.ts'

test('an export follows nothing that was planted beside its file, and overwrites nothing there', async () => {
  const { run, remember } = await openStartedCli()
  await remember({ content: 'one' })
  const folder = await makeFolder()
  const [file, victim] = [join(folder, 'out.jsonl'), join(folder, 'victim')]
  await writeFile(victim, 'kept')
  await symlink(victim, `${file}.part`)
  expect(await run(['export', '--project', 'default', '--output', file])).toMatchObject({ status: 0 })
  expect(await readFile(victim, 'utf8')).toBe('kept')
  expect(await readFile(file, 'utf8')).toContain('"content":"one"')
  expect((await readdir(folder)).sort()).toEqual(['out.jsonl', 'out.jsonl.part', 'victim'])
})

test('every file and folder of the data folder is its owner’s alone, whatever the umask', async () => {
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  const { folder, remember } = await openStartedCli()
  await remember({ content: 'one' })
  onTestFinished(await takeServeLock({ dataDir: folder }))
  const entries = await readdir(folder, { recursive: true })
  const modes = await Promise.all(
    entries.map(async (name) => [name, (await stat(join(folder, name))).mode & 0o077] as const),
  )
  expect(modes.map(([name]) => name)).toContain('serve.lock')
  expect(modes.filter(([, others]) => others !== 0)).toEqual([])
})

test('a lock that an earlier version left readable is made private, and one that is a link is refused', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'serve.lock')
  await writeFile(path, '', { mode: 0o644 })
  const release = await takeServeLock({ dataDir: folder })
  release()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const other = await makeFolder()
  await symlink(path, join(other, 'serve.lock'))
  expect(await rejectionOf(takeServeLock({ dataDir: other }))).toContain('cannot be written')
})
