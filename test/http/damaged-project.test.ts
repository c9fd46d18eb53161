import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { purgeHistories } from '../../src/history/erase/purge.ts'
import { purgeTrash } from '../../src/memory/records/trash/purge.ts'
import { reindexOld } from '../../src/memory/search/index/reindex.ts'
import { openStartedCli } from '../run-cli.ts'
import { startService } from '../start-service.ts'
import { embeddedTest } from '../stored-data.ts'
import { waitUntil } from '../wait-until.ts'

const filesTest = embeddedTest('files of projects')

const DAMAGED = 'the data of this project is damaged; its operator has to restore it'
const PAGE_BYTES = 4_096

/** A data folder with two projects, whose files are closed. */
async function makeData() {
  const cli = await openStartedCli()
  for (let at = 0; at < 40; at++)
    await cli.remember({ content: `The build ${at} listens on port ${9_000 + at}`, fact_key: `port.${at}` })
  const { second, secret } = await cli.onOrganization(async (org) => {
    const second = await org.addProject('second')
    return { second, secret: (await org.issueKey({ project: second })).secret }
  })
  await cli.run(['record', 'save', 'Releases go out on Tuesdays', '--project', second.id])
  const pathOf = ({ id }: { id: string }) => join(cli.folder, 'projects', `${id}.db`)
  for (const project of [cli.project, second]) {
    using database = new Database(pathOf(project))
    database.run('pragma wal_checkpoint(truncate)')
  }
  return { cli, second, secretOfSecond: secret, path: pathOf(cli.project), pathOfSecond: pathOf(second) }
}

/** A service on such data after `change`; with `opened`, both projects were called before. */
async function startOn(change: (data: Awaited<ReturnType<typeof makeData>>) => void, { opened = false } = {}) {
  const data = await makeData()
  if (!opened) change(data)
  const running = await startService({ config: { dataDir: data.cli.folder }, first: data.cli })
  const other = running.as(data.secretOfSecond)
  const readiness = async () => {
    running.pass(1_000)
    const response = await fetch(`${running.url}/readyz`)
    const { damaged } = (await response.json()) as { damaged?: string[] }
    return { status: response.status, damaged }
  }
  const told = () =>
    running.logged.filter((line) => line.includes('a project is damaged')).map((line) => JSON.parse(line))
  if (opened) {
    for (const { call } of [running, other])
      expect(await call('search', { query: 'port releases' })).toMatchObject({ isError: false })
    expect((await readiness()).damaged).toBeUndefined()
    change(data)
  }
  return { ...data, ...running, other, readiness, told }
}

type Started = Awaited<ReturnType<typeof startOn>>

/**
 * Expects that every tool says that the project is damaged, that its operator is told so once, and that the other
 * project works.
 */
async function expectDamaged({ call, other, project, readiness, told, path }: Started): Promise<void> {
  for (const [tool, args] of [
    ['search', { query: 'port' }],
    ['remember', { content: 'Another note' }],
    ['forget', { id: crypto.randomUUID() }],
    ['validate_memory', { source_id: 'x' }],
  ] as const)
    expect(await call(tool, args)).toMatchObject({ isError: true, text: `Error executing tool ${tool}: ${DAMAGED}` })
  expect(await other.call('remember', { content: 'Tests run on Mondays' })).toMatchObject({ isError: false })
  expect(await readiness()).toMatchObject({ status: 200, damaged: [project.id] })
  const todo = `memsvc restore BACKUP --project ${project.id} --in-place`
  expect(told()).toMatchObject([{ level: 'error', project: project.id, fault: expect.stringContaining(path), todo }])
}

const removeAll = (path: string) =>
  ['', '-wal', '-shm'].forEach((suffix) => void rmSync(path + suffix, { force: true }))

/** Overwrites some pages of a file, from a page on, with what is there nowhere. */
function overwrite(path: string, from: number, pages: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, from * PAGE_BYTES, (from + pages) * PAGE_BYTES)
  writeFileSync(path, bytes)
}

filesTest('says that a project is damaged whose file is missing, also before anybody calls it', async () => {
  const started = await startOn(({ path }) => removeAll(path))
  expect(await started.readiness()).toMatchObject({ status: 200, damaged: [started.project.id] })
  await expectDamaged(started)
})

filesTest('upkeep passes over it, and adds nothing to what the operator was told', async () => {
  const { service, logged, readiness, told } = await startOn(({ path }) => removeAll(path))
  await readiness()
  await purgeTrash(service)
  await reindexOld(service)
  await purgeHistories(service)
  expect(told()).toHaveLength(1)
  expect(logged.join('')).not.toContain('failed')
})

filesTest(
  'says it of one whose beginning is overwritten, whose end is cut off, or that is the file of another project',
  async () => {
    await expectDamaged(await startOn(({ path }) => overwrite(path, 0, 1)))
    await expectDamaged(await startOn(({ path }) => writeFileSync(path, readFileSync(path).subarray(0, -PAGE_BYTES))))
    const swapped = await startOn(({ path, pathOfSecond }) => {
      removeAll(path)
      writeFileSync(path, readFileSync(pathOfSecond))
    })
    await expectDamaged(swapped)
    expect(JSON.stringify(await swapped.call('search', { query: 'releases' }))).not.toContain('Tuesdays')
  },
)

filesTest('says it of one that has lost its WAL, and with it everything, rather than begin it anew', async () => {
  const started = await startOn(({ path }) => {
    removeAll(path)
    using database = new Database(path)
    database.run('pragma journal_mode = wal')
  })
  await expectDamaged(started)
})

filesTest('says it of one whose middle is overwritten, wherever what is damaged is needed', async () => {
  const started = await startOn(({ path }) => overwrite(path, 2, readFileSync(path).length / PAGE_BYTES - 3))
  const answers = [
    await started.call('search', { query: 'port' }),
    await started.call('remember', { content: 'Another note' }),
  ]
  for (const { tool, isError, text } of answers)
    expect([isError, text]).toEqual([true, `Error executing tool ${tool}: ${DAMAGED}`])
  expect(await started.readiness()).toMatchObject({ status: 200, damaged: [started.project.id] })
  expect(started.logged.join('')).not.toContain('internal error')
})

filesTest('says it of one whose file was removed while it was open, and acknowledges nothing for it', async () => {
  const started = await startOn(({ path }) => removeAll(path), { opened: true })
  // A search may rely on a look at the file that is some milliseconds old.
  await waitUntil('the loss', async () => (await started.call('search', { query: 'port' })).text.includes(DAMAGED))
  await expectDamaged(started)
})

filesTest('what was acknowledged is there, whenever the file is removed and put back', async () => {
  const { call, path } = await startOn(() => {}, { opened: true })
  const acknowledged: string[] = []
  const save = async (at: number) => {
    const { isError, structured } = await call('remember', { content: `Note number ${at}`, fact_key: `note.${at}` })
    if (!isError) acknowledged.push(String(Object(structured?.result).id))
  }
  const saves = Array.from({ length: 60 }, (_, at) => save(at))
  await saves[5]
  for (const suffix of ['', '-wal', '-shm']) renameSync(path + suffix, `${path}.away${suffix}`)
  await Promise.all(saves)
  // A search may rely on a look at the file that is some milliseconds old.
  await waitUntil('the loss', async () => (await call('search', { query: 'note' })).text.includes(DAMAGED))
  for (const suffix of ['', '-wal', '-shm']) renameSync(`${path}.away${suffix}`, path + suffix)
  expect(acknowledged.length).toBeGreaterThan(5)
  for (const id of acknowledged)
    expect(await call('search', { query: id })).toMatchObject({ structured: { result: [{ id }] } })
})

filesTest('is ready again, and answers, once a whole file is in its place', async () => {
  const { path, call, readiness, project } = await startOn(({ path }) => renameSync(path, `${path}.whole`))
  expect(await call('search', { query: 'port' })).toMatchObject({ isError: true })
  expect(await readiness()).toMatchObject({ damaged: [project.id] })
  renameSync(`${path}.whole`, path)
  const { status, damaged } = await readiness()
  expect([status, damaged]).toEqual([200, undefined])
  expect(await call('search', { query: 'port' })).toMatchObject({ isError: false })
})

filesTest('is not ready while the whole folder of the projects is missing, and begins no new one', async () => {
  const { url, pass, call, as, path, org, logged } = await startOn(
    ({ path }) => rmSync(dirname(path), { recursive: true }),
    {
      opened: true,
    },
  )
  pass(1_000)
  const response = await fetch(`${url}/readyz`)
  expect([response.status, await response.json()]).toEqual([503, { status: 'the folder of the projects is missing' }])
  expect(logged.join('')).toContain('the folder of the projects is missing (ENOENT)')
  expect((await call('remember', { content: 'Another note' })).text).toContain(DAMAGED)
  const { secret } = await org.issueKey({ project: await org.addProject('third') })
  expect((await as(secret).call('remember', { content: 'The first note' })).text).toBe(
    'Error executing tool remember: the folder of the projects is missing; nothing was saved',
  )
  expect(existsSync(dirname(path))).toBe(false)
})
