import { expect, onTestFinished, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toBackupName } from '../../../src/maintenance/backup-names.ts'
import { verifyBackup } from '../../../src/store/open-store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { makeFolder } from '../../run-cli.ts'
import { embeddedTest } from '../../stored-data.ts'
import { waitUntil } from '../../wait-until.ts'
import { startOrganization } from './organization.ts'

const filesTest = embeddedTest('backups of files')

const PATH = '/console/backups'
const MADE = 'memsvc-20260115T120000Z.tar.zst'
const INCOMPLETE = 'memsvc-20260114T110000Z-incomplete.tar.zst'
const CONTENT = 'as good as an archive'

/** A service with a folder for backups that has an incomplete one, and what is none. */
async function startWithFolder() {
  const folder = await makeFolder()
  const backupDir = join(folder, 'backups')
  await Bun.write(join(backupDir, INCOMPLETE), CONTENT)
  await Bun.write(join(backupDir, 'notes.txt'), 'private')
  await writeFile(join(folder, 'outside.tar.zst'), 'private')
  await symlink(join(folder, 'outside.tar.zst'), join(backupDir, 'memsvc-20260113T110000Z.tar.zst'))
  const running = await startOrganization({ config: { backupDir } })
  const listActs = (act: string) => running.service.store.control.listAudit({ act, limit: 9 })
  const makeOne = async () => {
    const answer = await running.post(PATH)
    await waitUntil('the backup', () => existsSync(join(backupDir, MADE)) && !running.service.backupRuns.isUnderWay())
    return answer
  }
  return { ...running, backupDir, listActs, makeOne }
}

filesTest('an owner of the first account makes a backup in the background, and downloads it', async () => {
  const { get, makeOne, url, cookie, owner, account, backupDir, listActs } = await startWithFolder()
  expect(await makeOne()).toMatchObject({ status: 303, place: `${PATH}?done=backup.begun` })
  const { text } = await get(PATH)
  expect(text).toContain(`href="${PATH}/${MADE}"`)
  const response = await fetch(`${url}${PATH}/${MADE}`, { headers: { cookie: cookie() ?? '' } })
  const header = (name: string) => response.headers.get(name)
  const archive = join(await makeFolder(), 'downloaded.tar.zst')
  await Bun.write(archive, await response.arrayBuffer())
  expect([
    response.status,
    header('content-disposition'),
    header('x-content-type-options'),
    header('cache-control'),
  ]).toEqual([200, `attachment; filename="${MADE}"`, 'nosniff', 'no-store'])
  expect((await verifyBackup(archive)).counts).toMatchObject({ accounts: 2 })
  const bytes = Bun.file(join(backupDir, MADE)).size
  const by = { actor: `member:${owner.id}`, accountId: account.id, outcome: 'done' }
  expect(await listActs('backup.make')).toMatchObject([{ ...by, details: { bytes, incomplete: 0 } }])
  expect(await listActs('backup.download')).toMatchObject([{ ...by, target: MADE, details: { bytes } }])
})

filesTest('lists what is in the folder, says what is not complete, and leaves out what is no backup', async () => {
  const { get } = await startWithFolder()
  const { text } = await get(PATH)
  expect(text).toContain('<h2>In the folder <small class="quiet">1</small></h2>')
  expect(text).toContain(INCOMPLETE)
  expect(text).toContain('incomplete</span>')
  expect(text).not.toContain('notes.txt')
  expect(text).not.toContain('20260113')
  expect((await get(`${PATH}/${INCOMPLETE}`)).text).toBe(CONTENT)
})

filesTest('lists the newest 200, and says how many older ones there are', async () => {
  const backupDir = await makeFolder()
  const { get, service } = await startOrganization({ config: { backupDir } })
  const names = Array.from({ length: 201 }, (_, at) =>
    toBackupName({ now: service.clock.now() - at * 1_000, isComplete: true }),
  )
  for (const name of names) await Bun.write(join(backupDir, name), CONTENT)
  const { text } = await get(PATH)
  expect(text).toContain('1 older one not shown.')
  expect(names.filter((name) => !text.includes(`href="${PATH}/${name}"`))).toEqual(names.slice(200))
})

/** A worker that works until it is stopped. */
const ENDLESS =
  "self.onmessage = ({ data }) => data.kind === 'stop' && self.postMessage({ kind: 'failed', message: 'stopped', isRefusal: true })"

filesTest('one backup is made at a time, of which the page tells, and which ends with the service', async () => {
  const { get, post, service, listActs } = await startWithFolder()
  const [worker, begin] = [service.maintenanceWorker, async () => (await post(PATH)).status]
  service.maintenanceWorker = new URL(URL.createObjectURL(new Blob([ENDLESS], { type: 'text/javascript' })))
  expect([await begin(), (await get(PATH)).text.includes('A backup is being made')]).toEqual([303, true])
  service.maintenanceWorker = worker
  expect([await begin(), (await get(PATH)).text.includes('Back up now')]).toEqual([303, false])
  await service.backupRuns.stop()
  expect([await begin(), service.backupRuns.isUnderWay(), await listActs('backup.make')]).toEqual([303, false, []])
})

filesTest('nobody but owners of the first account learns that there is such a page', async () => {
  const { get, post, makeOne, asAdmin, asMember, asStranger, asNobody, listActs } = await startWithFolder()
  await makeOne()
  for (const other of [asAdmin, asMember, asStranger]) {
    const nowhere = await other.get('/console/nowhere')
    for (const { status, text } of [await other.get(PATH), await other.get(`${PATH}/${MADE}`), await other.post(PATH)])
      expect({ status, text }).toEqual({ status: 404, text: nowhere.text })
    expect((await other.get('/console/me')).text).not.toContain(PATH)
  }
  expect((await asNobody.get(`${PATH}/${MADE}`)).place).toContain('/console/sign-in')
  expect((await get('/console/me')).text).toContain(PATH)
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect((await post(PATH, {}, foreign)).status).toBe(403)
  expect([(await listActs('backup.make')).length, (await listActs('backup.download')).length]).toEqual([1, 0])
})

test.each([
  'notes.txt',
  '..%2foutside.tar.zst',
  '%2e%2e%2foutside.tar.zst',
  '%2fetc%2fpasswd',
  'memsvc-20260113T110000Z.tar.zst',
  'memsvc-20260115T120000Z.tar.zst%00',
  `${INCOMPLETE}%0a`,
  '..%2fbackups%2fmemsvc-20260114T110000Z-incomplete.tar.zst',
  'memsvc-20269999T110000Z.tar.zst',
])('hands out nothing by the name %s', async (name) => {
  const { get, listActs } = await startWithFolder()
  const { status, text } = await get(`${PATH}/${name}`)
  expect({ status, isPrivate: text.includes('private'), isArchive: text.includes(CONTENT) }).toEqual({
    status: 404,
    isPrivate: false,
    isArchive: false,
  })
  expect(await listActs('backup.download')).toEqual([])
})

filesTest('says why a backup was not made', async () => {
  const { get, post, service, logged } = await startOrganization({ config: { backupDir: '/dev/null/none' } })
  await post(PATH)
  await waitUntil('the failure', () => service.backupRuns.lastFailure() !== undefined)
  expect((await get(PATH)).text).toContain('The last backup failed: ')
  expect(logged.some((line) => line.includes('backup failed') && line.includes('ENOTDIR'))).toBeTrue()
})

filesTest(
  'says how a folder is set where there is none, and hands out nothing of what is made without any setting',
  async () => {
    const { get, post, service } = await startOrganization()
    await Bun.write(join(service.config.dataDir, 'backups', INCOMPLETE), CONTENT)
    expect((await get(`${PATH}/${INCOMPLETE}`)).status).toBe(404)
    const { status, text } = await get(PATH)
    expect([status, text.includes('SVC_BACKUP_DIR='), text.includes('Back up now')]).toEqual([200, true, false])
    expect((await post(PATH)).status).toBe(400)
  },
)

const programs = findPostgres()

test.skipIf(programs === undefined)(
  'says that a database is backed up by its own tools, and hands out nothing of the folder',
  async () => {
    const server = await startPostgres(programs ?? '')
    const { url: databaseUrl } = await server.createDatabase()
    const backupDir = await makeFolder()
    await Bun.write(join(backupDir, INCOMPLETE), CONTENT)
    const { get, post } = await startOrganization({
      config: { backupDir, databaseUrl, databasePool: 4, secretKeys: [new Uint8Array(32)] },
    })
    onTestFinished(server.stop)
    const { status, text } = await get(PATH)
    expect([status, text.includes('whose own tools back it up'), text.includes('Back up now')]).toEqual([
      200,
      true,
      false,
    ])
    expect([(await post(PATH)).status, (await get(`${PATH}/${INCOMPLETE}`)).status]).toEqual([400, 404])
  },
)
