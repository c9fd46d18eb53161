import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { startProxy } from '../../durability/proxy.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { waitUntil } from '../../wait-until.ts'
import { account, NOW, project, record } from '../suite/context.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('a standby that is promoted without the last commits', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  test('gives nothing that an instance remembers of them to anybody else', async () => {
    const { url } = await server.createDatabase()
    const proxy = await startProxy(server.port)
    const store = await openPostgresStore(
      { url: url.replace(`:${server.port}`, `:${proxy.port}`), poolSize: 2 },
      Date.now,
    )
    const save = (projectId: string, id: string) =>
      store.project(projectId).write(async (tx) => {
        const workspace = (await tx.findWorkspace('default')) ?? (await tx.insertWorkspace('default', NOW))
        await tx.insertRecord(record(id, { workspaceId: workspace.id }))
      })
    const stateOf = async (projectId: string) => ({
      version: await store.project(projectId).version(),
      sequence: (await store.project(projectId).readIndexFacts(['*'], undefined)).sequence,
      control: await store.control.version(),
    })
    const insert = (id: string) => store.control.write((tx) => tx.save('projects', project(id)))
    await store.control.write((tx) => tx.insert('accounts', account))
    for (const id of ['old', 'lost', 'new']) await insert(id)
    const { port, promote } = await server.startStandby()
    await using standby = new SQL({ url: url.replace(/memsvc@.*\//, `postgres@127.0.0.1:${port}/`), max: 1 })
    const hasSaved = async () => (await standby`select from control_version where version > 0`).length > 0
    await waitUntil('the standby has what was saved', hasSaved)
    await save('old', 'kept')
    // Numbers that count up are written to the log 33 at once.
    for (let at = 1; at < 33; at++) {
      await insert(`old ${at}`)
      await store.project(`old ${at}`).version()
    }
    await waitUntil('the standby has what was saved', async () => (await standby`select from records`).length === 1)
    await standby.unsafe("alter system set primary_conninfo = ''")
    await standby`select pg_reload_conf()`
    await waitUntil('the standby is alone', async () => (await standby`select from pg_stat_wal_receiver`).length === 0)

    await save('lost', 'lost')
    await save('old', 'lost')
    await insert('other')
    const lost = await stateOf('old')
    await promote()
    proxy.leadTo(port)
    await save('new', 'new')
    await save('old', 'next')
    await insert('other')
    expect(await store.project('lost').listRecords({ visible: undefined })).toEqual([])
    const found = await stateOf('old')
    expect(found.version).not.toBe(lost.version)
    expect(found.sequence).not.toEqual(lost.sequence)
    expect(found.control).not.toBe(lost.control)
    expect(await rejectionOf(save('lost', 'again'))).toBe('the project was erased')
    await save('lost', 'again')
    expect(await store.project('lost').listRecords({ visible: undefined })).toMatchObject([{ id: 'again' }])
    await store.close()
    await proxy.stop()
  })
})
