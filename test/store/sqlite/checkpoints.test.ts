import { expect, onTestFinished, test } from 'bun:test'
import { copyFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createCheckpoints } from '../../../src/store/sqlite/checkpoints/checkpoints.ts'
import { openFile } from '../../../src/store/sqlite/open-file.ts'
import { createOpenFiles } from '../../../src/store/sqlite/open-files.ts'
import { createProjectOpening } from '../../../src/store/sqlite/project/open-project.ts'
import { createProjectStores } from '../../../src/store/sqlite/project/project-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { makeFolder } from '../../run-cli.ts'

const NOW = Date.UTC(2026, 0, 15)
const WORKER = new URL('../../../src/store/sqlite/checkpoints/main.ts', import.meta.url)
const ids = Array.from({ length: 12 }, (_, i) => `p${i}`)

/** Projects of which at most so many are held open; a thread empties the logs of those that are closed. */
async function openProjects(most: number, worker = WORKER) {
  const folder = await makeFolder()
  const toPath = (id: string) => join(folder, `${id}.db`)
  const checkpoints = createCheckpoints(worker)
  const open = (id: string) => openFile(toPath(id), 'project', true, NOW)
  const files = createOpenFiles(open, createProjectOpening(), most, checkpoints.closeFile)
  const close = async () => {
    await checkpoints.close()
    await files.close()
  }
  onTestFinished(close)
  return {
    project: createProjectStores(files),
    checkpoints,
    close,
    toPath,
    logSize: (id: string) => statSync(`${toPath(id)}-wal`).size,
  }
}

async function hasWorkspace(path: string, name: string): Promise<boolean> {
  const file = await openFile(path, 'project', false, NOW)
  try {
    return file.reader.query('select 1 from workspaces where name = ?').get(name) !== null
  } finally {
    file.close()
  }
}

test('what was saved in a file that was closed since is in the file itself', async () => {
  const { project, checkpoints, toPath, logSize } = await openProjects(2)
  for (const id of ids) await project(id).write((tx) => tx.insertWorkspace('one', NOW))
  for (const id of ids.slice(0, -2)) {
    await checkpoints.whenDone(toPath(id))
    expect(logSize(id)).toBe(0)
    copyFileSync(toPath(id), toPath('copy'))
    expect(await hasWorkspace(toPath('copy'), 'one')).toBe(true)
  }
})

test('files that are opened again while their logs are emptied keep every save', async () => {
  const { project, close, logSize } = await openProjects(1)
  const names = Array.from({ length: 20 }, (_, i) => `w${i}`)
  const some = ids.slice(0, 3)
  for (const name of names) for (const id of some) await project(id).write((tx) => tx.insertWorkspace(name, NOW))
  for (const id of some) expect(await project(id).countWorkspaces()).toBe(names.length)
  await close()
  expect(some.map(logSize)).toEqual([0, 0, 0])
})

test('a file whose log was not emptied, because the process was killed, has every save', async () => {
  const path = join(await makeFolder(), 'p.db')
  const file = await openFile(path, 'project', true, NOW)
  await file.writer.write(
    async () =>
      void file.connection.run("insert into workspaces (name, folded_name, created_at) values ('one', 'one', 1)"),
  )
  file.closeWithLog()
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  expect(await hasWorkspace(path, 'one')).toBe(true)
  expect(statSync(`${path}-wal`).size).toBe(0)
})

test('where the thread cannot run, files are emptied as they are closed', async () => {
  const { project, checkpoints, toPath, logSize } = await openProjects(
    1,
    new URL('./no-such-worker.ts', import.meta.url),
  )
  await project('p0').write((tx) => tx.insertWorkspace('one', NOW))
  await project('p1').write((tx) => tx.insertWorkspace('one', NOW))
  await checkpoints.whenDone(toPath('p0'))
  await project('p2').write((tx) => tx.insertWorkspace('one', NOW))
  expect(logSize('p1')).toBe(0)
  for (const id of ['p0', 'p1', 'p2']) expect(await project(id).countWorkspaces()).toBe(1)
})

test('of a project that is erased while its log is emptied nothing stays', async () => {
  const folder = await makeFolder()
  const store = await openSqliteStore(folder, () => NOW, { checkpointWorker: WORKER })
  const limits = {
    subscribedAt: null,
    subscribedUntil: null,
    suspendedAt: null,
    removedAt: null,
    credentialPolicy: 'reject' as const,
    markedPolicy: 'caution' as const,
    limits: {},
  }
  const many = Array.from({ length: 120 }, (_, i) => `p${i}`)
  await store.control.write(async (tx) => {
    await tx.insert('accounts', { id: 'a', name: 'a', plan: 'self-hosted', createdAt: NOW, ...limits })
    for (const id of many)
      await tx.insert('projects', {
        id,
        accountId: 'a',
        name: id,
        createdAt: NOW,
        removedAt: null,
        credentialRules: null,
        keepsQuestions: false,
      })
  })
  for (const id of many) await store.project(id).write((tx) => tx.insertWorkspace('one', NOW))
  const closed = many.slice(0, 120 - store.openFiles().records)
  expect(closed).not.toBeEmpty()
  for (const id of closed) await store.eraseProject(id)
  await store.close()
  const kept = new Set(readdirSync(join(folder, 'projects')).map((name) => name.replace(/\.db.*$/, '')))
  expect([...kept].sort()).toEqual(many.slice(closed.length).sort())
})
