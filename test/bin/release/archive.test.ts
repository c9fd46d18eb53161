import { expect, test } from 'bun:test'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, writeArchive } from '../../../bin/release/archive.ts'
import { makeFolder } from '../../run-cli.ts'

const DATE = new Date('2026-01-31T12:00:00Z')

/** A program and a text, last changed at this time. */
async function makeFiles(changedAt: Date): Promise<{ folder: string; contents: Record<string, string> }> {
  const folder = await makeFolder()
  const contents = { memsvc: join(folder, 'program'), LICENSE: join(folder, 'licence') }
  for (const [path, file] of Object.entries(contents)) {
    writeFileSync(file, `contents of ${path}\n`)
    utimesSync(file, changedAt, changedAt)
  }
  return { folder, contents }
}

test.each(['.tar.gz', '.zip'])('the same files make the same archive, whenever they were made: %s', async (ending) => {
  const archives = [new Date('2026-02-01'), new Date('2026-03-01')].map(async (changedAt) => {
    const { folder, contents } = await makeFiles(changedAt)
    const file = join(folder, `memsvc-1.2.3${ending}`)
    await writeArchive(file, contents, DATE)
    return { file, bytes: await Bun.file(file).bytes() }
  })
  const [one, other] = await Promise.all(archives)
  expect(one?.bytes.length).toBeGreaterThan(100)
  expect(one?.bytes).toEqual(other?.bytes ?? new Uint8Array())
})

test('an archive has one folder, in which the program is executable and nothing belongs to anybody', async () => {
  const { folder, contents } = await makeFiles(DATE)
  await writeArchive(join(folder, 'memsvc-1.2.3.tar.gz'), contents, DATE)
  const listed = await run(['tar', 'tvzf', join(folder, 'memsvc-1.2.3.tar.gz'), '--numeric-owner', '--utc'])
  const lines = listed
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '))
  expect(lines.slice(1)).toEqual([
    '-rw-r--r-- 0/0 20 2026-01-31 12:00 memsvc-1.2.3/LICENSE',
    '-rwxr-xr-x 0/0 19 2026-01-31 12:00 memsvc-1.2.3/memsvc',
  ])
})
