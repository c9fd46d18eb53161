import { expect, onTestFinished, test } from 'bun:test'
import { join } from 'node:path'
import { openFile } from '../../../src/store/sqlite/file.ts'
import { createOpenFiles } from '../../../src/store/sqlite/open-files.ts'
import { createProjectStores } from '../../../src/store/sqlite/project/project-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { countTurns } from '../../count-turns.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder } from '../../run-cli.ts'

const NOW = Date.UTC(2026, 0, 15)

/** Projects of which at most so many are held open; `shrunk` are those that gave back what they had read. */
async function openProjects(most: number, given?: string) {
  const folder = given ?? (await makeFolder())
  const shrunk: string[] = []
  const open = async (id: string) => {
    const file = await openFile(join(folder, `${id}.db`), 'project', true, NOW)
    const shrink = () => {
      shrunk.push(id)
      file.shrink()
    }
    return { ...file, shrink }
  }
  const files = createOpenFiles(open, most)
  onTestFinished(files.close)
  return { folder, files, project: createProjectStores(files), shrunk }
}

test('more projects than are held open can be written to and read at once', async () => {
  const { project } = await openProjects(3)
  const ids = Array.from({ length: 20 }, (_, i) => `p${i}`)
  for (const name of ['one', 'two']) {
    await Promise.all(ids.map((id) => project(id).write((tx) => tx.insertWorkspace(name, NOW))))
    const read = await Promise.all(ids.map((id) => project(id).findWorkspace(name)))
    expect(read.map((workspace) => workspace?.name)).toEqual(ids.map(() => name))
  }
})

test('a project is closed once the acts on it have ended', async () => {
  const { files, project } = await openProjects(3)
  const writes = [1, 2, 3].map((i) => project('p').write((tx) => tx.insertWorkspace(`w${i}`, NOW)))
  await files.release('p')
  expect((await Promise.all(writes)).map(({ name }) => name)).toEqual(['w1', 'w2', 'w3'])
  expect(await project('p').listWorkspaces(undefined, { limit: 9 })).toHaveLength(3)
})

test('a write that comes after the store was closed fails, and is not left waiting', async () => {
  const store = await openSqliteStore(await makeFolder(), () => NOW)
  await store.close()
  const project = { id: 'p', accountId: 'a', name: 'p', createdAt: NOW, removedAt: null }
  for (let i = 0; i < 2; i++) expect(await rejectionOf(store.control.write((tx) => tx.insertProject(project)))).toBeString()
})

test('many projects that are asked for at once are opened one by one, and others are served between them', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => `p${i}`)
  const { folder, files, project } = await openProjects(30)
  for (const id of ids) await project(id).readUsage()
  await files.close()
  const again = await openProjects(30, folder)
  const stop = countTurns()
  await Promise.all(ids.map((id) => again.project(id).readUsage()))
  expect(stop()).toBeGreaterThan(2)
})

test('a project that has not been asked for lately gives back what it has read, and is read again', async () => {
  const { project, shrunk } = await openProjects(30)
  const ids = Array.from({ length: 20 }, (_, i) => `p${i}`)
  for (const id of ids) await project(id).write((tx) => tx.insertWorkspace('one', NOW))
  expect(shrunk).toEqual(['p0', 'p1', 'p2', 'p3'])
  expect(await project('p0').findWorkspace('one')).toMatchObject({ name: 'one' })
})
