import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { account, NOW, project, record } from '../suite/context.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('a project that another instance erases', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  async function openTwo() {
    const { url } = await server.createDatabase()
    const open = () => openPostgresStore({ url, poolSize: 2 }, Date.now)
    const [one, other] = [await open(), await open()]
    await one.control.write(async (tx) => {
      await tx.insert('accounts', account)
      await tx.insert('projects', project('p1'))
    })
    await one.project('p1').write(async (tx) => {
      await tx.insertWorkspace('default', NOW)
      await tx.insertRecord(record('r1'))
    })
    const admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    return {
      one,
      other,
      admin,
      close: async () => {
        await Promise.all([one.close(), other.close(), admin.close()])
      },
    }
  }

  const countRows = async (admin: SQL) => {
    const tables: { name: string }[] = await admin`select relname as name from pg_class where relrowsecurity`
    const counts = tables.map(({ name }) => admin.unsafe(`select count(*)::integer as n from ${name}`))
    return (await Promise.all(counts)).reduce((sum, [{ n }]) => sum + n, 0)
  }

  test('is not written to under its number by one that keeps it', async () => {
    const { one, other, admin, close } = await openTwo()
    await other.control.write((tx) => tx.update('projects', { id: 'p1' }, { removedAt: NOW }))
    await other.eraseProject('p1')
    const [records, history] = [one.project('p1'), one.history('p1')]
    expect(await rejectionOf(records.write((tx) => tx.insertRecord(record('r2'))))).toBe('the project was erased')
    expect(await rejectionOf(history.write(async () => {}))).toBe('the project was erased')
    expect(await rejectionOf(one.project('p1').write(async () => {}))).toBe("no project 'p1'")
    expect(await rejectionOf(other.project('p1').write(async () => {}))).toBe("no project 'p1'")
    expect(await countRows(admin)).toBe(0)
    await close()
  })

  test('keeps no row of a write that is under way meanwhile', async () => {
    const { one, other, admin, close } = await openTwo()
    const [underWay, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const save = one.project('p1').write(async (tx) => {
      await tx.insertRecord(record('r2'))
      underWay.resolve()
      await finished.promise
    })
    await underWay.promise
    const erased = other.eraseProject('p1')
    const waits = () => admin`select 1 from pg_stat_activity where wait_event_type = 'Lock'`
    while ((await waits()).length === 0) {}
    finished.resolve()
    await save
    await erased
    expect(await countRows(admin)).toBe(0)
    await close()
  })
})
