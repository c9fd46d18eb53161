import { afterAll, describe, expect, onTestFinished, test } from 'bun:test'
import { SQL } from 'bun'
import { listen } from '../../../src/store/postgres/announcements.ts'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { startProxy } from '../../durability/proxy.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { waitUntil } from '../../wait-until.ts'
import { account, member } from '../suite/context.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('announcements of the database', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  /** Listens through a proxy; `heard` counts what was announced or may have been missed. */
  async function startListening() {
    const { url } = await server.createDatabase()
    const proxy = await startProxy(server.port)
    const heard = { count: 0 }
    const onAnnounced = () => {
      heard.count += 1
    }
    const announcements = listen(url.replace(`:${server.port}/`, `:${proxy.port}/`), 'changes', onAnnounced, 20)
    const other = new SQL({ url, max: 1 })
    onTestFinished(async () => {
      await announcements.close()
      await other.close()
      await proxy.stop()
    })
    return { announcements, heard, other, proxy, url }
  }

  test('those of its channel are heard, and no others', async () => {
    const { announcements, heard, other } = await startListening()
    await waitUntil('it listens', announcements.isListening)
    const before = heard.count
    await other.notify('other changes')
    await other.notify('changes')
    await waitUntil('one is heard', () => heard.count > before)
    expect(heard.count).toBe(before + 1)
  })

  test('where the connection breaks, some may have been missed, and it listens again', async () => {
    const { announcements, heard, other, proxy } = await startListening()
    await waitUntil('it listens', announcements.isListening)
    const before = heard.count
    proxy.cut()
    await waitUntil('it knows that the connection is lost', () => heard.count > before)
    await other.notify('changes')
    await waitUntil('it listens again', announcements.isListening)
    const listening = heard.count
    expect(listening).toBeGreaterThan(before + 1)
    await other.notify('changes')
    await waitUntil('one is heard', () => heard.count > listening)
  })

  test('listening begins once there is a database', async () => {
    const { url } = await server.createDatabase()
    const [database] = url.split('/').reverse()
    const admin = new SQL({ url: `postgres://postgres@127.0.0.1:${server.port}/postgres`, max: 1 })
    await admin.unsafe(`drop database ${database}`)
    const announcements = listen(url, 'changes', () => {}, 20)
    expect(announcements.isListening()).toBe(false)
    await admin.unsafe(`create database ${database} owner memsvc`)
    await waitUntil('it listens', announcements.isListening)
    await announcements.close()
    await admin.close()
  })

  test('an instance shows the names that another one changed', async () => {
    const { url } = await server.createDatabase()
    const open = () => openPostgresStore({ url, poolSize: 1, isServing: true }, Date.now)
    const [one, two] = [await open(), await open()]
    await one.control.write(async (tx) => {
      await tx.insert('accounts', account)
      await tx.insert('members', member)
    })
    const nameAt = async ({ control }: typeof one) => (await control.findAuthors([member.id])).map(({ name }) => name)
    expect(await nameAt(two)).toEqual([member.name])
    await one.control.write((tx) => tx.update('members', { id: member.id }, { name: 'Another' }))
    expect(await nameAt(one)).toEqual(['Another'])
    await waitUntil('the other one has learned of it', async () => (await nameAt(two))[0] === 'Another')
    await Promise.all([one.close(), two.close()])
  })
})
