import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from 'drizzle-orm'
import type { Connection } from '../../../src/store/postgres/connection.ts'
import { createPool } from '../../../src/store/postgres/pool.ts'
import { FULL_BLOCK_RECORDS } from '../../../src/store/postgres/project/index/packed.ts'
import { createLongRun } from '../../../src/store/postgres/run.ts'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { account, NOW, project, record } from '../suite/context.ts'

const programs = findPostgres()
const RECORDS = 3 * FULL_BLOCK_RECORDS + 40
const SOUND = { records: RECORDS, missing: 0, orphaned: 0, miscounted: 0, sound: true }

/** Numbers that only look like chance. */
function createPick(seed: number) {
  let state = seed
  return <Value>(of: Value[]): Value => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return of[state % of.length] as Value
  }
}

describe.skipIf(programs === undefined)('posting lists of several blocks', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  async function openLists() {
    const { url } = await server.createDatabase()
    const store = await openPostgresStore({ url, poolSize: 2 }, Date.now)
    await store.control.write(async (tx) => {
      await tx.insert('accounts', account)
      await tx.insert('projects', project('p1'))
    })
    const records = store.project('p1')
    const entry = (at: number) => ({
      terms: `often ${at % 3 === 0 ? 'third' : 'other'} only${at}`,
      language: 'en' as const,
      length: 3,
      codes: null,
      rules: 1,
    })
    await records.write((tx) => tx.insertWorkspace('default', NOW))
    for (let at = 0; at < RECORDS; at += 100)
      await records.write(async (tx) => {
        for (let one = at; one < Math.min(at + 100, RECORDS); one++)
          await tx.insertRecord(record(`r${one}`, { entry: entry(one) }))
      })
    const find = async (terms: string[], most = 10_000, beside?: string[]) => {
      const [found = new Uint32Array()] = await records.findPostings({
        visible: ['*'],
        workspaceId: 1,
        groups: [terms],
        most,
        ...(beside && { beside }),
      })
      return [...found]
    }
    /** The numbers of the records that are there and hold a term, as records themselves say. */
    const expected = async (holds: (at: number) => boolean) =>
      (await records.listRecords({ visible: undefined, newestFirst: true }))
        .filter(({ id }) => holds(Number(id.slice(1))))
        .map(({ seq }) => seq)
    return { url, store, records, entry, find, expected }
  }

  test('records are found whatever of them was forgotten, restored and indexed again, and the newest first', async () => {
    const { store, records, entry, find, expected } = await openLists()
    const pick = createPick(7)
    const all = Array.from({ length: RECORDS }, (_, at) => at)
    const gone = new Set<number>()
    for (let round = 0; round < 12; round++) {
      const chosen = [...new Set(Array.from({ length: 60 }, () => pick(all)))]
      await records.write(async (tx) => {
        for (const at of chosen) {
          if (gone.delete(at)) await tx.restoreRecord(`r${at}`, { workspaceId: 1, audience: '*' }, entry(at))
          else {
            await tx.forgetRecord(`r${at}`, NOW)
            gone.add(at)
          }
        }
      })
      const live = all.filter((at) => !gone.has(at))
      const again = await records.listRecords({ visible: undefined, limit: 30 })
      await records.write(async (tx) => {
        for (const one of again) await tx.replaceEntry(one, entry(Number(one.id.slice(1))))
      })
      expect(await find(['often'])).toEqual(await expected(() => true))
      expect(await find(['third'], 50)).toEqual((await expected((at) => at % 3 === 0)).slice(0, 50))
      expect(await find(['often'], 40, ['third'])).toEqual((await expected((at) => at % 3 === 0)).slice(0, 40))
      expect(await find(['third', 'other'])).toEqual(await find(['often']))
      expect(live.length).toBe((await find(['often'])).length)
      expect(await records.checkIndex()).toMatchObject({ missing: 0, orphaned: 0, miscounted: 0, sound: true })
    }
    await store.close()
  })

  test('a record that is saved in the transaction of a sweep is counted and listed once', async () => {
    const { store, records, entry } = await openLists()
    await Promise.all([
      records.write((tx) => tx.insertRecord(record('r9000', { entry: entry(9000) }))),
      records.write((tx) => tx.sweepIndex()),
      records.write((tx) => tx.forgetRecord('r1', NOW)),
    ])
    expect(await records.checkIndex()).toEqual(SOUND)
    await store.close()
  })

  test('of more workspaces than blocks are read at first, the newest records are found', async () => {
    const { store, records, entry } = await openLists()
    const seqs = await records.write(async (tx) => {
      const added: number[] = []
      for (let at = 0; at < 60; at++) {
        const { id: workspaceId } = await tx.insertWorkspace(`w${at}`, NOW)
        const { seq } = await tx.insertRecord(record(`r${9000 + at}`, { workspaceId, entry: entry(9000 + at) }))
        added.unshift(seq)
      }
      return added
    })
    const found = await records.findPostings({ visible: ['*'], workspaceId: undefined, groups: [['often']], most: 10 })
    expect(found.map((numbers) => [...numbers])).toEqual([seqs.slice(0, 10)])
    await store.close()
  })

  test('an index that was swept says the same, and new records are found behind it', async () => {
    const { store, records, entry, find, expected } = await openLists()
    await records.write((tx) => tx.sweepIndex())
    await records.write((tx) => tx.insertRecord(record('r9000', { entry: entry(9000) })))
    expect(await find(['often'])).toEqual(await expected(() => true))
    expect(await records.checkIndex()).toMatchObject({ missing: 0, orphaned: 0, miscounted: 0, sound: true })
    expect(
      (await records.listTerms({ audience: '*', first: 'o', end: 'p', limit: 2 })).map(({ term, records: held }) => [
        term,
        held,
      ]),
    ).toEqual([
      ['often', RECORDS + 1],
      ['only0', 1],
    ])
    await store.close()
  })

  test('an index of many records is swept in parts, between which records are saved and forgotten', async () => {
    const { url, store, records, entry } = await openLists()
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    await admin.unsafe('update project_state set records = 50000')
    await admin.unsafe("update posting_lists set term = term || 'x' where term like 'only_0%'")
    let part = await records.write((tx) => tx.sweepIndex())
    for (const at of [1, 2]) {
      expect(part).toEqual({ at, of: 3 })
      expect(await records.checkIndex()).toMatchObject({ sound: false })
      await records.write((tx) => tx.insertRecord(record(`r${9000 + at}`, { entry: entry(9000) })))
      await records.write((tx) => tx.forgetRecord(`r${at}`, NOW))
      part = await records.write((tx) => tx.sweepIndex(part))
    }
    expect(part).toBeUndefined()
    expect(await records.checkIndex()).toEqual(SOUND)
    await store.close()
  })

  test('a check finds what is missing, what is of no record, what is miscounted, and what is in the wrong list; a sweep repairs it', async () => {
    const { url, store, records } = await openLists()
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    const check = async (damage: string) => {
      await admin.unsafe(damage)
      const found = await records.checkIndex()
      await records.write((tx) => tx.sweepIndex())
      expect(await records.checkIndex()).toEqual(SOUND)
      return found
    }
    const gone = "delete from posting_lists where term in ('often', 'other', 'only1')"
    expect(await check(gone)).toEqual({ ...SOUND, missing: 1, sound: false })
    const orphan =
      "insert into posting_lists select number, 1, 999999, '*', 'often', int4send(999999) from project_numbers"
    expect(await check(orphan)).toEqual({ ...SOUND, orphaned: 1, sound: false })
    expect(await check('update audience_stats set length = length + 1')).toEqual({ ...SOUND, miscounted: 2 })
    expect(await check("update posting_lists set term = 'onlyone' where term = 'only1'")).toEqual({
      ...SOUND,
      sound: false,
    })
    await store.close()
  })

  test('a check takes the time it takes, and leaves the time-outs of its connection as they were', async () => {
    const { url } = await server.createDatabase()
    const pool = createPool(url, 1)
    const read = async ({ db }: Connection) => {
      const [row] = await db.execute<{ limits: string }>(
        sql`select concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout')) as limits`,
      )
      return row?.limits
    }
    expect(await createLongRun(pool, 1)(read)).toBe('0 0')
    expect(await pool.use(1, read)).toBe('20s 10s')
    await pool.close()
  })
})
