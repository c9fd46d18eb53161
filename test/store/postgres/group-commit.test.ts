import { afterAll, describe, expect, test } from 'bun:test'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { account, NOW, project, record } from '../suite/context.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('saves that wait together', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  test('share a transaction, as many as are encoded in a short time', async () => {
    const { url } = await server.createDatabase()
    let together: number[] = []
    const committed = (acts: number) => void together.push(acts)
    const events = { committed, refused: () => {}, damaged: () => {} }
    const store = await openPostgresStore({ url, poolSize: 2 }, Date.now, events)
    await store.control.write(async (tx) => {
      await tx.insert('accounts', account)
      await tx.insert('projects', project('p1'))
    })
    const records = store.project('p1')
    await records.write((tx) => tx.insertWorkspace('default', NOW))
    const save = (at: number, content: string) => {
      const saved = record(`r${at}`, { content })
      return records.write((tx) => tx.insertRecord(saved), [{ ...saved, workspace: 'default' }])
    }
    const saveAll = async (first: number, content: string) => {
      together = []
      await Promise.all(Array.from({ length: 80 }, (_, at) => save(first + at, `${content} ${at}`)))
      return together
    }
    expect(await saveAll(0, 'short')).toEqual([64, 16])
    expect(await saveAll(80, 'long '.repeat(13_000))).toEqual(Array.from({ length: 10 }, () => 8))
    await store.close()
  })
})
