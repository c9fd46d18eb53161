import { expect, onTestFinished, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProjectWrites } from '../../../src/store/project.ts'
import type { NewRecord } from '../../../src/store/record.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { account, NOW, project as newProject, record } from '../suite/context.ts'

const CONTENT = { content: 'the same', factKey: 'k' }
const OF_EACH = 60

/**
 * A project in which very many records have one content: some of the sources `s0` to `s59`, some of nobody's, live and
 * superseded.
 */
async function openWithMany() {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-same-'))
  const store = await openSqliteStore(folder, Date.now)
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  await store.control.write(async (tx) => {
    await tx.insert('accounts', account)
    await tx.insert('projects', newProject('p1'))
  })
  const project = store.project('p1')
  await project.write(async (tx) => {
    await tx.insertWorkspace('default', NOW)
    for (let at = 0; at < OF_EACH; at++) {
      await tx.insertRecord(record(`of a source ${at}`, { ...CONTENT, sourceId: `s${at}` }))
      await tx.insertRecord(record(`of an author ${at}`, { ...CONTENT, authorId: `m${at}` }))
      await tx.insertRecord(
        record(`outdated ${at}`, { ...CONTENT, authorId: `m${at}`, status: 'superseded', supersededBy: 'x' }),
      )
    }
  })
  return (
    change: Partial<NewRecord>,
    find: (tx: ProjectWrites, saved: NewRecord) => Promise<{ id: string } | undefined>,
  ) => project.write(async (tx) => (await find(tx, record('new', { ...CONTENT, ...change })))?.id)
}

const findSame = (tx: ProjectWrites, saved: NewRecord) => tx.findSame(saved, NOW)
const findOutdated = (tx: ProjectWrites, saved: NewRecord) =>
  tx.findSame(saved, NOW, { outdatedBefore: Number.MAX_SAFE_INTEGER })

test('among very many records of one content, a write finds the one of its source or author, live or outdated, and no other', async () => {
  const find = await openWithMany()
  expect(await find({ authorId: 'm3' }, findSame)).toBe('of an author 3')
  expect(await find({ authorId: 'm3' }, findOutdated)).toBe('outdated 3')
  expect(await find({ sourceId: 's3' }, findSame)).toBe('of a source 3')
  for (const change of [
    { authorId: 'nobody' },
    { sourceId: 'another' },
    { sourceId: 's3', audience: 'd:1' },
    { authorId: 'm3', workspaceId: 2 },
  ])
    expect([await find(change, findSame), await find(change, findOutdated)]).toEqual([undefined, undefined])
  expect(await find({ authorId: 'm3', factKey: 'another' }, findSame)).toBeUndefined()
})
