import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openFile } from '../../../src/store/sqlite/open-file.ts'
import { createOpenFiles } from '../../../src/store/sqlite/open-files.ts'
import { createProjectOpening } from '../../../src/store/sqlite/project/open-project.ts'
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
  const files = createOpenFiles(open, createProjectOpening(), most)
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
  const project = {
    id: 'p',
    accountId: 'a',
    name: 'p',
    createdAt: NOW,
    removedAt: null,
    credentialRules: null,
    keepsQuestions: false,
  }
  for (let i = 0; i < 2; i++)
    expect(await rejectionOf(store.control.write((tx) => tx.insert('projects', project)))).toBeString()
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

test('where all that may be open are in use, the next file waits for one to be closed', async () => {
  const { project } = await openProjects(2)
  const ids = Array.from({ length: 12 }, (_, i) => `p${i}`)
  const before = countDescriptors()
  await Promise.all(
    ids.flatMap((id) => ['one', 'two'].map((name) => project(id).write((tx) => tx.insertWorkspace(name, NOW)))),
  )
  expect(countDescriptors() - before).toBeLessThanOrEqual(2 * DESCRIPTORS_OF_FILE)
  const read = await Promise.all(ids.map((id) => project(id).countWorkspaces()))
  expect(read).toEqual(ids.map(() => 2))
})

test('a closed file leaves no descriptor open, whatever was prepared on it', async () => {
  const before = countDescriptors()
  const { project, files } = await openProjects(5)
  for (const id of ['a', 'b', 'c']) {
    await project(id).write((tx) => tx.insertWorkspace('one', NOW))
    await project(id).listReleases({}, { limit: 1 })
  }
  await files.close()
  expect(countDescriptors()).toBe(before)
})

test('a file whose making cannot be noted is closed again, and opened at the next try', async () => {
  const folder = await makeFolder()
  const store = await openSqliteStore(folder, () => NOW)
  onTestFinished(store.close)
  const project = {
    id: 'p',
    accountId: 'a',
    name: 'p',
    createdAt: NOW,
    removedAt: null,
    credentialRules: null,
    keepsQuestions: false,
  }
  await store.control.write((tx) => tx.insert('projects', project))
  using beside = new Database(join(folder, 'control.db'))
  beside.run("create trigger refuse before update of made_at on projects begin select raise(abort, 'not now'); end")
  const before = countDescriptors()
  expect(await rejectionOf(store.project('p').countWorkspaces())).toBe('not now')
  expect(countDescriptors()).toBe(before)
  beside.run('drop trigger refuse')
  expect(await store.project('p').countWorkspaces()).toBe(0)
})

test('a process that may open few files goes on with fewer projects open', async () => {
  const script = join(import.meta.dir, 'many-projects.ts')
  const limited = ['bash', '-c', 'ulimit -n 120; exec "$0" "$@"', process.execPath, script, await makeFolder(), '60']
  const run = Bun.spawnSync(limited, { stderr: 'inherit' })
  expect(run.stdout.toString()).toBe('60 projects written and read\n')
})

/** Of the database, its log and their index, for two connections. */
const DESCRIPTORS_OF_FILE = 5

const countDescriptors = () => readdirSync('/proc/self/fd').filter((fd) => isProjectFile(fd)).length

/** Other tests of the process, and the runtime, have descriptors of their own. */
function isProjectFile(fd: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).includes('/memsvc-')
  } catch {
    return false
  }
}
