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

/** A project in which very many records have one content: some of the sources `s0` to `s59`, some of nobody's, live and superseded. */
async function openWithMany() {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-same-'))
  const store = await openSqliteStore(folder, Date.now)
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  await store.control.write(async (tx) => {
    await tx.insertAccount(account)
    await tx.insertProject(newProject('p1'))
  })
  const project = store.project('p1')
  await project.write(async (tx) => {
    await tx.insertWorkspace('default', NOW)
    for (let at = 0; at < OF_EACH; at++) {
      await tx.insertRecord(record(`of a source ${at}`, { ...CONTENT, sourceId: `s${at}` }))
      await tx.insertRecord(record(`of an author ${at}`, { ...CONTENT, authorId: `m${at}` }))
      await tx.insertRecord(record(`outdated ${at}`, { ...CONTENT, authorId: `m${at}`, status: 'superseded', supersededBy: 'x' }))
    }
  })
  /** What a write finds, and how often it ran: once more after records were examined outside of it. */
  return async (change: Partial<NewRecord>, find: (tx: ProjectWrites, saved: NewRecord) => Promise<{ id: string } | undefined>) => {
    let runs = 0
    const found = await project.write((tx) => {
      runs += 1
      return find(tx, record('new', { ...CONTENT, ...change }))
    })
    return { id: found?.id, runs }
  }
}

const findSame = (tx: ProjectWrites, saved: NewRecord) => tx.findSame(saved, NOW)
const findOutdated = (tx: ProjectWrites, saved: NewRecord) => tx.findOutdated(saved, NOW, Number.MAX_SAFE_INTEGER)

test('a write that would have to examine very many records of one content runs again once they were examined outside of it', async () => {
  const find = await openWithMany()
  expect(await find({ authorId: 'm3' }, findSame)).toEqual({ id: 'of an author 3', runs: 2 })
  expect(await find({ authorId: 'nobody' }, findSame)).toEqual({ id: undefined, runs: 2 })
  expect(await find({ authorId: 'm3' }, findOutdated)).toEqual({ id: 'outdated 3', runs: 2 })
  expect(await find({ authorId: 'nobody' }, findOutdated)).toEqual({ id: undefined, runs: 2 })
})

test('few records of the source, or few that are current under the fact key, are examined at once', async () => {
  const find = await openWithMany()
  expect(await find({ sourceId: 's3' }, findSame)).toEqual({ id: 'of a source 3', runs: 1 })
  expect(await find({ sourceId: 'another' }, findSame)).toEqual({ id: undefined, runs: 1 })
  expect(await find({ sourceId: 'another' }, findOutdated)).toEqual({ id: undefined, runs: 1 })
  expect(await find({ factKey: 'another' }, findSame)).toEqual({ id: undefined, runs: 1 })
})
