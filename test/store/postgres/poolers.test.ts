import { afterAll, describe, expect, test } from 'bun:test'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { useConnection } from '../../../src/store/postgres/use-connection.ts'
import { findPgbouncer, startPgbouncer } from '../../pgbouncer.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { waitUntil } from '../../wait-until.ts'
import { account, member, NOW, project, record } from '../suite/context.ts'

const programs = findPostgres()
const pgbouncer = findPgbouncer()
const NO_SESSIONS =
  'the database is reached through a pooler that keeps no sessions; set it to keep them (PgBouncer: pool_mode = session), or connect without it'

describe.skipIf(programs === undefined || pgbouncer === null)('a pooler in front of the database', async () => {
  if (programs === undefined || pgbouncer === null) return
  const server = await startPostgres(programs)
  const pooler = await startPgbouncer(pgbouncer, (await server.createDatabase()).url)
  afterAll(async () => {
    await pooler.stop()
    await server.stop()
  })
  const open = (mode: 'session' | 'transaction' | 'statement') =>
    openPostgresStore({ url: pooler.toUrl(mode), poolSize: 4, isServing: true }, Date.now)

  test('is as good as the database if it keeps sessions: projects stay apart, changes are announced, work is done by one', async () => {
    const [one, two] = [await open('session'), await open('session')]
    await one.control.write(async (tx) => {
      await tx.insert('accounts', account)
      await tx.insert('members', member)
      for (const id of ['p1', 'p2']) await tx.insert('projects', project(id))
    })
    const save = (id: string) =>
      one.project(id).write(async (tx) => {
        await tx.insertWorkspace('default', NOW)
        await tx.insertRecord(record(`of ${id}`))
      })
    await Promise.all(['p1', 'p2'].map(save))
    const list = async (id: string) =>
      (await two.project(id).listRecords({ visible: undefined })).map((found) => found.id)
    const asked = Array.from({ length: 20 }, (_, at) => `p${1 + (at % 2)}`)
    expect(await Promise.all(asked.map(list))).toEqual(asked.map((id) => [`of ${id}`]))
    const nameAtTwo = async () => (await two.control.findAuthors([member.id]))[0]?.name
    await one.control.write((tx) => tx.update('members', { id: member.id }, { name: 'Another' }))
    await waitUntil('the other one has learned of it', async () => (await nameAtTwo()) === 'Another')
    await one.runAlone('purge', async () => expect(await two.runAlone('purge', async () => {})).toBe(false))
    await Promise.all([one.close(), two.close()])
  })

  test('is refused, with what to set, if it lends a session for each transaction or statement', async () => {
    expect(await rejectionOf(open('transaction'))).toBe(NO_SESSIONS)
    expect(await rejectionOf(open('statement'))).toBe(
      'the database cannot be used: transaction blocks not allowed in statement pooling mode',
    )
  })

  test('is noticed by a connection that comes to the session of another one, before rows of a project are read', async () => {
    const url = pooler.toUrl('transaction')
    await useConnection(url, (first) =>
      useConnection(url, async (second) => {
        await second.run('begin')
        expect(await rejectionOf(first.show(1))).toBe(NO_SESSIONS)
        expect(first.isClosed()).toBe(true)
      }),
    )
  })
})
