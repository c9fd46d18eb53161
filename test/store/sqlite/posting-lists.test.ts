import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { makeFolder } from '../../run-cli.ts'
import { account, NOW, project, record } from '../suite/context.ts'

/** So many numbers that their lists are read in parts, with other work in between. */
const FIRST_SEQ = 200_000_000

test('a record that is saved while a long list is read is in the list of the next read', async () => {
  const folder = await makeFolder()
  const store = await openSqliteStore(folder, Date.now)
  onTestFinished(store.close)
  await store.control.write(async (tx) => {
    await tx.insert('accounts', account)
    await tx.insert('projects', project('p1'))
  })
  const records = store.project('p1')
  const save = (id: string, workspaceId: number) => records.write((tx) => tx.insertRecord(record(id, { workspaceId })))
  await records.write(async (tx) => {
    await tx.insertWorkspace('default', NOW)
    await tx.insertWorkspace('other', NOW)
  })
  await save('first', 1)
  await save('elsewhere', 2)
  {
    using file = new Database(`${folder}/projects/p1.db`)
    file.run('update records set seq = ? where id = ?', [FIRST_SEQ, 'elsewhere'])
  }
  const find = async () => {
    const query = { visible: ['*'], workspaceId: 1, groups: [['content']], most: 10_000 }
    return [...((await records.findPostings(query))[0] ?? [])]
  }
  const [, saved] = await Promise.all([find(), save('second', 1)])
  expect(await find()).toEqual([saved.seq, 1])
})
