import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeBackup } from '../../../src/store/sqlite/backup/write-backup.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { makeFolder } from '../../run-cli.ts'
import { account, NOW, project, record } from '../suite/context.ts'

test('a backup is whole where a project is removed once it is in it, and another one before', async () => {
  const folder = await makeFolder()
  const store = await openSqliteStore(folder, Date.now)
  onTestFinished(store.close)
  const ids = ['p1', 'p2', 'p3']
  await store.control.write(async (tx) => {
    await tx.insert('accounts', account)
    await tx.insert(
      'projects',
      ids.map((id) => project(id)),
    )
  })
  for (const id of ids)
    await store.project(id).write(async (tx) => {
      await tx.insertWorkspace('default', NOW)
      await tx.insertRecord(record('r1'))
    })
  const removeTwo = (done: number) => {
    if (done !== 1) return
    using control = new Database(join(folder, 'control.db'))
    control.run("update projects set removed_at = 1 where id in ('p1', 'p2')")
    for (const id of ['p1', 'p2']) rmSync(join(folder, 'projects', `${id}.db`))
  }
  const target = join(await makeFolder(), 'backup')
  const request = { target, incompleteTarget: `${target}-incomplete`, version: '1', now: NOW }
  const { path, manifest } = await writeBackup(
    folder,
    { ...request, key: { secret_key: 'none' } },
    { isStopped: () => false, onProgress: removeTwo },
  )
  expect([path, manifest.incomplete]).toEqual([target, []])
  expect(manifest.files.map(({ name }) => name)).toContain('projects/p3.db')
})
