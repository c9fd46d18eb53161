import { expect, onTestFinished } from 'bun:test'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/clock.ts'
import type { Config } from '../../src/config.ts'
import { findBackupPlan, findLastBackup } from '../../src/maintenance/back-up-in-folder.ts'
import { startSchedule } from '../../src/maintenance/schedule.ts'
import type { Service } from '../../src/service.ts'
import { verifyBackup } from '../../src/store/open-store.ts'
import { openTestService } from '../start-service.ts'
import { embeddedTest } from '../stored-data.ts'
import { waitUntil } from '../wait-until.ts'

const filesTest = embeddedTest('backups and checks of files')

const INTERVAL_MS = 5

async function openScheduled(config: Partial<Config> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-test-'))
  const backupDir = join(folder, 'backups')
  const running = await openTestService({ config: { backupDir, backupEvery: HOUR_MS, ...config } })
  await running.call('remember', { content: 'The build listens on port 9090' })
  const endSchedule = startSchedule(running.service, INTERVAL_MS)
  // In this order: a backup that is under way still writes into the folder.
  onTestFinished(async () => {
    await endSchedule()
    await running.stop()
    await rm(folder, { recursive: true })
  })
  const list = () => (existsSync(backupDir) ? readdirSync(backupDir).filter((name) => !name.startsWith('.')) : [])
  const listChecks = () => running.service.store.control.listAudit({ act: 'data.check', limit: 9 })
  return { ...running, backupDir, list, listChecks }
}

/** Returns a function that waits until the schedule has looked twice: each look ends with the last check of the data. */
function countLooks({ store: { control } }: Service): () => Promise<void> {
  const { listAudit } = control
  let looks = 0
  control.listAudit = (...args) => {
    looks += 1
    return listAudit(...args)
  }
  return () => {
    const enough = looks + 2
    return waitUntil('two looks', () => looks >= enough)
  }
}

filesTest('makes a backup once one is due, in a thread of its own, and deletes what nothing keeps', async () => {
  const { list, pass, backupDir } = await openScheduled({ backupKeep: [{ unit: 'd', count: 1 }] })
  await waitUntil('the first backup', () => list().length === 1)
  expect((await verifyBackup(join(backupDir, list()[0] ?? ''))).counts).toMatchObject({ accounts: 1, records: 1 })
  pass(HOUR_MS)
  await waitUntil('the second in its place', () => list()[0] === 'memsvc-20260115T130000Z.tar.zst')
  await waitUntil('the first deleted', () => list().length === 1)
})

filesTest(
  'where nothing is set, one a day is made in the data folder, the first a minute after the start, and seven are kept',
  async () => {
    const { service, pass, logged } = await openScheduled({
      backupDir: undefined,
      backupEvery: undefined,
      checkDays: 0,
    })
    const folder = join(service.config.dataDir, 'backups')
    const list = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.zst')) : [])
    pass(MINUTE_MS)
    await waitUntil('the first backup', () => list().length === 1)
    expect(list()).toEqual(['memsvc-20260115T120100Z.tar.zst'])
    pass(DAY_MS)
    const file = join(folder, 'memsvc-20260116T120100Z.tar.zst')
    const line = () => logged.find((one) => one.includes('a backup was made') && one.includes(file))
    await waitUntil('the next one, and its line', () => line() !== undefined)
    expect(JSON.parse(line() ?? '')).toMatchObject({ level: 'info', bytes: expect.any(Number), deleted: 0 })
    expect(findBackupPlan(service.config)).toMatchObject({ folder, keep: [{ unit: 'd', count: 7 }] })
  },
)

filesTest('no backup is made that could fill the disk of the data', async () => {
  const { service, pass, logged, list } = await openScheduled({ checkDays: 0 })
  await waitUntil('the first backup', () => list().length === 1)
  service.store.measure = async () => ({ control: 2 ** 60, projects: 0 })
  pass(HOUR_MS)
  await waitUntil('the failure', () => logged.some((line) => line.includes('is on the disk of the data')))
  expect(list()).toHaveLength(1)
})

filesTest('a file of the future, and an empty one, are no last backup: what is due is made, and once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-test-'))
  const [future, empty] = ['memsvc-20360101T000000Z.tar.zst', 'memsvc-20260115T115900Z.tar.zst']
  const [first, second] = ['memsvc-20260115T120000Z.tar.zst', 'memsvc-20260115T130000Z.tar.zst']
  await writeFile(join(folder, future), new Uint8Array([0x28, 0xb5, 0x2f, 0xfd]))
  await writeFile(join(folder, empty), '')
  const { service, pass, logged } = await openScheduled({ backupDir: folder })
  const list = () => readdirSync(folder).filter((name) => !name.startsWith('.'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await waitUntil('the first backup', () => list().includes(first))
  expect(findLastBackup(service)).toMatchObject({ name: first })
  pass(HOUR_MS)
  await waitUntil('the second backup', () => list().includes(second))
  expect(list().sort()).toEqual([empty, first, second, future])
  expect(logged.join('')).not.toContain('backup failed')
})

filesTest('a backup that cannot be written is logged, and tried again an hour later', async () => {
  const { list, pass, logged, backupDir } = await openScheduled({ backupDir: '/dev/null/none' })
  await waitUntil('the failure', () =>
    logged.some((line) => line.includes('backup failed') && line.includes('ENOTDIR')),
  )
  pass(HOUR_MS)
  await waitUntil('the second failure', () => logged.filter((line) => line.includes('backup failed')).length === 2)
  expect([existsSync(backupDir), list()]).toEqual([false, []])
})

filesTest(
  'what is damaged does not keep the rest out, and deletes no older backup; the next is made when it is due',
  async () => {
    const { list, pass, logged, service, project } = await openScheduled({ backupKeep: [{ unit: 'd', count: 1 }] })
    const twoLooks = countLooks(service)
    await waitUntil('the first backup', () => list().length === 1)
    await service.store.eraseProject(project.id)
    pass(HOUR_MS)
    await waitUntil('the second', () => list().length === 2)
    expect(list()).toEqual(['memsvc-20260115T120000Z.tar.zst', 'memsvc-20260115T130000Z-incomplete.tar.zst'])
    const lines = () => logged.filter((line) => line.includes('a backup is not complete')).length
    await waitUntil('the line', () => lines() === 1)
    await twoLooks()
    pass(MINUTE_MS)
    await twoLooks()
    expect(list()).toHaveLength(2)
    expect(logged.join('')).not.toContain('backup failed')
    pass(HOUR_MS)
    await waitUntil('the third', () => list().length === 3)
  },
)

filesTest('looks for damage after the start, and again a week later; every fault is logged', async () => {
  const { pass, listChecks, logged, service, project } = await openScheduled({ backupEvery: 'off' })
  pass(HOUR_MS)
  await waitUntil('the first check', async () => (await listChecks()).length === 1)
  expect(await listChecks()).toMatchObject([{ outcome: 'done', details: { files: 2, faults: 0 } }])
  const path = join(service.config.dataDir, 'projects', `${project.id}.db`)
  await service.store.eraseProject(project.id)
  await writeFile(path, 'no database at all, but long enough to be looked at as if it were one')
  pass(6 * DAY_MS)
  pass(DAY_MS)
  await waitUntil('the second check', async () => (await listChecks()).length === 2)
  expect(await listChecks()).toMatchObject([{ outcome: 'failed', details: { files: 2, faults: 1 } }, {}])
  expect(logged.join('')).toContain('the data is damaged')
  rmSync(path)
})

filesTest('never looks for damage where the settings say so', async () => {
  const { pass, list, listChecks } = await openScheduled({ checkDays: 0 })
  pass(DAY_MS)
  await waitUntil('a backup, which is made before', () => list().length === 1)
  pass(HOUR_MS)
  await waitUntil('the next backup', () => list().length === 2)
  expect(await listChecks()).toEqual([])
})
