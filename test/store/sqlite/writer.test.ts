import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Kind } from '../../../src/store/sqlite/file.ts'
import { openFile } from '../../../src/store/sqlite/open-file.ts'
import { countTurns } from '../../count-turns.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder } from '../../run-cli.ts'

/** Milliseconds that each act of these tests keeps the processor busy. */
const ACT_MS = 2

async function open(kind: Kind) {
  const file = await openFile(join(await makeFolder(), `${kind}.db`), kind, true, 0)
  onTestFinished(file.close)
  return file
}

const openControl = () => open('control')
const openProject = () => open('project')

function keepBusy(): void {
  for (const end = performance.now() + ACT_MS; performance.now() < end; );
}

test('many acts that wait together are done in several transactions, and others are served between them', async () => {
  const { writer } = await openControl()
  const stop = countTurns()
  await Promise.all(Array.from({ length: 64 }, () => writer.write(async () => keepBusy())))
  expect(stop()).toBeGreaterThan(10)
})

test('acts that put much off to the end of their transaction have one of their own', async () => {
  const { writer, later } = await openControl()
  const together: number[] = []
  const save = () =>
    writer.write(async () => {
      later.push({ run: () => void together.push(later.length), bytes: 64_000 })
    })
  await Promise.all([save(), save(), save(), save()])
  expect(together).toEqual([1, 1, 1, 1])
})

test('small acts that wait together share a transaction', async () => {
  const { writer, later } = await openControl()
  const together: number[] = []
  const save = () =>
    writer.write(async () => {
      later.push({ run: () => void together.push(later.length), bytes: 100 })
    })
  await Promise.all(Array.from({ length: 8 }, save))
  expect(Math.max(...together)).toBeGreaterThan(1)
})

test('whoever waits for an act goes on before segments of the index are merged', async () => {
  const { writer, later, merging, connection } = await openProject()
  const insert = connection.query('insert into word_index (rowid, terms) values (?, ?)')
  const save = (seq: number) =>
    writer.write(async () => {
      later.push({ run: () => void insert.run(seq, 'word'), bytes: 100 })
    })
  for (let seq = 1; seq <= 8; seq++) await save(seq)
  // An answer is rendered in some steps, none of which waits for another turn of the event loop.
  for (let step = 0; step < 50; step++) await undefined
  expect(merging?.isDue()).toBe(true)
  await writer.settle()
  expect(merging?.isDue()).toBe(false)
})

test('a commit that fails while not even the folder can be looked at fails its acts, and the next one is tried', async () => {
  const { path, writer, later } = await openControl()
  const folder = dirname(path)
  const failing = () => {
    later.push({ run: () => void new Database('/nowhere/at all', { readonly: true }), bytes: 0 })
  }
  renameSync(folder, `${folder}.away`)
  symlinkSync(folder, folder)
  const refused = await rejectionOf(writer.write(async () => failing()))
  rmSync(folder)
  renameSync(`${folder}.away`, folder)
  expect(refused).toBe('the storage fails (ELOOP); nothing was saved')
  expect(await writer.write(async () => 'saved')).toBe('saved')
})
