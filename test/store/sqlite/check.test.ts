import { expect, onTestFinished, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckedPart } from '../../../src/store/check.ts'
import { checkFolder } from '../../../src/store/sqlite/check/check-folder.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { makeFolder } from '../../run-cli.ts'
import { account, NOW, project } from '../suite/context.ts'

test('a project that is removed while the data is checked is not damaged, and another one without its file is', async () => {
  const folder = await makeFolder()
  const ids = ['first', 'kept', 'removed']
  const store = await openSqliteStore(folder, Date.now)
  onTestFinished(store.close)
  await store.control.write(async (tx) => {
    await tx.insert('accounts', account)
    for (const id of ids) await tx.insert('projects', project(id))
  })
  for (const id of ids) await store.project(id).write((tx) => tx.insertWorkspace('default', NOW))
  const parts: CheckedPart[] = []
  let isDone = false
  // Between the control file, with the list of projects, and the first of them.
  const pause = async () => {
    if (isDone || parts.length === 0) return
    isDone = true
    await store.control.write((tx) => tx.update('projects', { id: 'removed' }, { removedAt: NOW }))
    await store.eraseProject('removed')
    rmSync(join(folder, 'projects/kept.db'))
  }
  for await (const part of checkFolder(folder, { pause })) parts.push(part)
  const damaged = parts.filter(({ holds, faults }) => holds !== 'unknown' && faults.length > 0)
  expect(damaged.map(({ name, faults }) => [name, faults[0]?.text])).toEqual([
    ['projects/kept.db', 'the file is missing or empty'],
  ])
})
