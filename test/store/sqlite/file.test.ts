import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DamagedProject } from '../../../src/errors.ts'
import { migrations } from '../../../src/store/sqlite/migrations.ts'
import { isOutdated, openFile } from '../../../src/store/sqlite/open-file.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder, openStartedCli } from '../../run-cli.ts'
import { account } from '../suite/context.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

/** A folder with one project that was saved into, all closed. */
async function makeData() {
  const { folder, project, remember } = await openStartedCli()
  await remember({ content: 'one' })
  return {
    folder,
    control: join(folder, 'control.db'),
    project: join(folder, 'projects', `${project.id}.db`),
    projectId: project.id,
  }
}

/** Changes a file as nobody of ours would. */
function meddle(path: string, ...statements: string[]): void {
  const database = new Database(path)
  for (const statement of statements) database.run(statement)
  database.close()
}

const open = (folder: string) => openSqliteStore(folder, Date.now)

/** What the first use of the project is refused with, for the operator. */
async function refusalOf(folder: string, projectId: string): Promise<unknown> {
  const store = await open(folder)
  const toFault = (error: unknown) => (error instanceof DamagedProject ? error.fault : String(error))
  const reason = await store.project(projectId).listWorkspaces(undefined, { limit: 9 }).catch(toFault)
  await store.close()
  return reason
}

test('keeps its files and folders to their owner, also in a folder that everyone may read', async () => {
  const { control, project, folder, projectId } = await makeData()
  const modeOf = (path: string) => statSync(path).mode & 0o777
  expect([control, project, join(folder, 'projects')].map(modeOf)).toEqual([0o600, 0o600, 0o700])
  const store = await open(folder)
  await store.project(projectId).write((tx) => tx.insertWorkspace('other', 0))
  const beside = [control, project].flatMap((path) => [`${path}-wal`, `${path}-shm`])
  expect(beside.map(modeOf)).toEqual(beside.map(() => 0o600))
  await store.close()
})

test('refuses data of a newer version, and leaves it as it is', async () => {
  const { folder, control, project, projectId } = await makeData()
  const newer = "insert into migrations (name, hash, applied_at) values ('9999_future', 'x', 0)"
  meddle(project, newer)
  expect(await refusalOf(folder, projectId)).toContain("written by a newer memsvc (it has '9999_future')")
  meddle(control, newer)
  expect(await rejectionOf(open(folder))).toContain(
    "the data was written by a newer memsvc (it has '9999_future'); use that version or a backup",
  )
})

test('refuses data whose history was edited', async () => {
  const { folder, control } = await makeData()
  meddle(control, "update migrations set hash = 'x' where name = '0000_start'")
  expect(await rejectionOf(open(folder))).toContain("the data has another history than this memsvc ('0000_start')")
})

test('a file that a restore replaces while its opening waits for another process is not opened', async () => {
  const { folder, project } = await makeData()
  copyFileSync(project, join(folder, 'restored.db'))
  const newer = { name: '9999_made_up', hash: 'made up', sql: "update records set source_id = 'made up'" }
  migrations.project.push(newer)
  onTestFinished(() => void migrations.project.splice(migrations.project.indexOf(newer), 1))
  const other = new Database(project)
  other.run('begin exclusive')
  const opening = rejectionOf(openFile(project, 'project', false, 0))
  for (const suffix of ['', '-wal', '-shm']) renameSync(project + suffix, join(folder, `aside.db${suffix}`))
  renameSync(join(folder, 'restored.db'), project)
  other.run('rollback')
  expect(await opening).toBe(`${project} was removed or replaced while it was open`)
})

test('refuses a database that is not its own', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'control.db')
  meddle(path, 'create table theirs (x)')
  expect(await rejectionOf(open(folder))).toContain(`${path} is not a control file of memsvc`)
  meddle(path, 'drop table theirs', 'pragma application_id = 77')
  expect(await rejectionOf(open(folder))).toContain(`${path} is not a control file of memsvc`)
})

test('does not take a project’s file for the control file', async () => {
  const { folder, control, project } = await makeData()
  for (const suffix of ['', '-wal', '-shm']) rmSync(control + suffix, { force: true })
  meddle(project, `vacuum into '${control}'`)
  expect(await rejectionOf(open(folder))).toContain('is not a control file of memsvc')
})

test('refuses a file that is no database', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'control.db')
  writeFileSync(path, 'no database at all, but long enough to be looked at as if it were one')
  expect(await rejectionOf(open(folder))).toContain(`${path} is damaged; restore it from a backup`)
})

test('refuses a file whose end is missing, or was never written', async () => {
  const { folder, control, project, projectId } = await makeData()
  for (const path of [control, project]) meddle(path, 'pragma wal_checkpoint(truncate)')
  const whole = readFileSync(project)
  writeFileSync(project, whole.subarray(0, -4096))
  expect(await refusalOf(folder, projectId)).toContain(
    `${project} is damaged: its end is missing; restore it from a backup`,
  )
  writeFileSync(project, Buffer.concat([whole.subarray(0, -4096), Buffer.alloc(4096)]))
  expect(await refusalOf(folder, projectId)).toContain(
    `${project} is damaged: its end is missing; restore it from a backup`,
  )
  writeFileSync(project, whole)
  writeFileSync(control, readFileSync(control).fill(0, 16, 32))
  expect(await rejectionOf(open(folder))).toContain(`${control} is damaged; restore it from a backup`)
})

test('refuses a project whose file is missing or empty, rather than begin it anew', async () => {
  const { folder, project, projectId } = await makeData()
  for (const suffix of ['', '-wal', '-shm']) rmSync(project + suffix, { force: true })
  expect(await refusalOf(folder, projectId)).toContain(`${project} is missing or empty; restore it from a backup`)
  expect(existsSync(project)).toBe(false)
  writeFileSync(project, '')
  expect(await refusalOf(folder, projectId)).toContain('is missing or empty')
})

test('refuses the file of another project in the place of a project’s own, and shows nothing of it', async () => {
  const folder = await makeFolder()
  const store = await open(folder)
  await store.control.write((tx) => tx.insert('accounts', account))
  for (const id of ['p1', 'p2']) {
    await store.control.write((tx) =>
      tx.insert('projects', {
        id,
        accountId: 'a1',
        name: id,
        createdAt: 0,
        removedAt: null,
        credentialRules: null,
        keepsQuestions: false,
      }),
    )
    await store.project(id).write((tx) => tx.insertWorkspace(`of ${id}`, 0))
  }
  await store.close()
  const [first, second] = ['p1', 'p2'].map((id) => join(folder, 'projects', `${id}.db`)) as [string, string]
  copyFileSync(first, second)
  expect(await refusalOf(folder, 'p2')).toBe(
    `${second} is the file of project 'p1' of account 'a1'; put back the one of project 'p2'`,
  )
  const again = await open(folder)
  onTestFinished(again.close)
  expect(await again.project('p1').listWorkspaces(undefined, { limit: 9 })).toMatchObject([{ name: 'of p1' }])
})

test('refuses to begin anew where projects say that there was a control file', async () => {
  const { folder, control } = await makeData()
  for (const suffix of ['', '-wal', '-shm']) rmSync(control + suffix, { force: true })
  expect(await rejectionOf(open(folder))).toContain(
    `${control} is missing, and files of projects are there; put it back with its -wal`,
  )
})

test('opens the file of a project that a crash left unmarked', async () => {
  const { folder, control, projectId } = await makeData()
  meddle(control, 'update projects set made_at = null')
  const store = await open(folder)
  expect(await store.project(projectId).listRecords({ visible: undefined })).toHaveLength(1)
  await store.close()
})

test('several processes can open the same new folders at once', async () => {
  const folder = await makeFolder()
  const script = `const { openSqliteStore } = await import(${JSON.stringify(join(import.meta.dir, '../../../src/store/sqlite/store.ts'))})
    console.log('ready')
    for await (const _ of Bun.stdin.stream()) break
    for (let at = 0; at < 30; at++) {
      const store = await openSqliteStore(${JSON.stringify(folder)} + '/' + at, Date.now)
      await store.check()
      await store.close()
    }`
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' }),
  )
  await Promise.all(children.map(({ stdout }) => stdout.getReader().read()))
  for (const { stdin } of children) {
    stdin.write('go')
    await stdin.end()
  }
  const ends = await Promise.all(
    children.map(async (child) => ({ status: await child.exited, said: await new Response(child.stderr).text() })),
  )
  expect(ends).toEqual(ends.map(() => ({ status: 0, said: '' })))
})

test('refuses a second server on one folder; the command line works beside the first', async () => {
  const { folder } = await makeData()
  const environment = { SVC_DATA_DIR: folder, SVC_PORT: '0' }
  const first = Bun.spawn([process.execPath, MAIN, 'serve'], { env: environment, stderr: 'pipe' })
  for await (const chunk of first.stderr) if (new TextDecoder().decode(chunk).includes('"serving"')) break
  const second = Bun.spawnSync([process.execPath, MAIN, 'serve'], { env: environment })
  expect(second.exitCode).toBe(1)
  expect(second.stderr.toString()).toBe(`memsvc: another memsvc already serves the folder '${folder}'\n`)
  expect(Bun.spawnSync([process.execPath, MAIN, 'project', 'list'], { env: environment }).exitCode).toBe(0)
  first.kill('SIGKILL')
  await first.exited
})

test('the look at whether a file has to be migrated leaves its log beside it, without which it could not be read on a full disk', async () => {
  const path = join(await makeFolder(), 'p.db')
  const file = await openFile(path, 'project', true, 0)
  file.close()
  expect(isOutdated(path, 'project')).toBe(false)
  expect(readdirSync(dirname(path)).sort()).toEqual(['p.db', 'p.db-shm', 'p.db-wal'])
})

test('a damaged project is named until it is removed, by another process too', async () => {
  const { folder, project, projectId } = await makeData()
  const [store, other] = [await open(folder), await open(folder)]
  onTestFinished(async () => {
    await store.close()
    await other.close()
  })
  const damaged = async () => (await store.check()).damaged
  rmSync(project)
  expect(await damaged()).toEqual([projectId])
  await other.control.write((tx) => tx.update('projects', { id: projectId }, { removedAt: 0 }))
  await other.eraseProject(projectId)
  expect(await damaged()).toEqual([])
})

test('a project that another process erases during a call is erased, and not damaged', async () => {
  const { folder, projectId } = await makeData()
  const told: string[] = []
  const damaged = ({ fault }: DamagedProject) => void told.push(fault)
  const store = await openSqliteStore(folder, Date.now, { events: { refused: () => {}, committed: () => {}, damaged } })
  const other = await open(folder)
  onTestFinished(async () => {
    await store.close()
    await other.close()
  })
  const save = store.project(projectId).write(async (tx) => {
    await tx.insertWorkspace('new', 0)
    await other.control.write((tx) => tx.update('projects', { id: projectId }, { removedAt: 0 }))
    await other.eraseProject(projectId)
  })
  expect(await rejectionOf(save)).toBe('the project was erased')
  expect((await store.check()).damaged).toEqual([])
  expect(told).toEqual([])
})
