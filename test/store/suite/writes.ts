import { describe, expect, test } from 'bun:test'
import type { Store } from '../../../src/store/store.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { idsOf, NOW, record, type Suite } from './context.ts'

/** What holds of every write: transactions, concurrency and errors. */
export function describeWrites(suite: Suite): void {
  describe('a write', () => {
    test('acts that are queued together each resolve with their own value, after the commit', async () => {
      const other = await suite.openAgain()
      const saved = await Promise.all(Array.from({ length: 300 }, (_, i) => suite.insert(`r${i}`)))
      expect(saved.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, i) => `r${i}`))
      expect(await other.project('p1').listRecords({ visible: undefined })).toHaveLength(300)
      expect((await other.project('p1').readUsage()).records).toBe(300)
      await other.close()
    })

    test('of an act that fails nothing is kept, and everything of the others', async () => {
      const acts = [
        suite.insert('one'),
        suite.store.project('p1').write(async (tx) => {
          await tx.insertRecord(record('two', { workspaceId: 1 }))
          throw new Error('on second thoughts')
        }),
        suite.insert('one'),
        suite.insert('three'),
      ]
      const outcomes = await Promise.allSettled(acts)
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
      expect(idsOf(await suite.store.project('p1').listRecords({ visible: undefined }))).toEqual(['one', 'three'])
      expect((await suite.store.project('p1').readUsage()).records).toBe(2)
      expect(await suite.store.project('p1').checkIndex()).toEqual({ records: 2, missing: 0, orphaned: 0, miscounted: 0, sound: true })
    })

    test('an act reads what the acts before it changed', async () => {
      const [, seen] = await Promise.all([
        suite.insert('one'),
        suite.store.project('p1').write(async (tx) => tx.findRecord(undefined, 'one')),
      ])
      expect(seen).toMatchObject({ id: 'one' })
    })

    test('two processes can write to one project at the same time', async () => {
      const other = await suite.openAgain()
      await suite.insert('first')
      const mine = Array.from({ length: 50 }, (_, i) => suite.insert(`mine${i}`))
      const theirs = Array.from({ length: 50 }, (_, i) => other.project('p1').write((tx) => tx.insertRecord(record(`theirs${i}`))))
      await Promise.all([...mine, ...theirs])
      expect(await suite.store.project('p1').listRecords({ visible: undefined })).toHaveLength(101)
      await other.close()
    })

    test('acts of two processes take effect one after the other', async () => {
      const other = await suite.openAgain()
      await suite.insert('first')
      const requireWorkspace = (store: Store, name: string) =>
        store.project('p1').write(async (tx) => (await tx.findWorkspace(name)) ?? (await tx.insertWorkspace(name, NOW)))
      const wished = Array.from({ length: 40 }, (_, at) => requireWorkspace(at % 2 === 0 ? suite.store : other, `w${at >> 2}`))
      const made = await Promise.all(wished)
      expect(new Set(made.map(({ id, name }) => `${id} ${name}`)).size).toBe(10)
      expect(await suite.store.project('p1').countWorkspaces()).toBe(11)
      await other.close()
    })

    test('a read during writes sees all of a write or nothing', async () => {
      await suite.insert('first')
      const reads = suite.store.project('p1')
      let isWriting = true
      const writing = Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          reads.write(async (tx) => {
            for (const half of ['a', 'b']) await tx.insertRecord(record(`${at}${half}`, { sourceId: 'pairs' }))
          }),
        ),
      ).finally(() => {
        isWriting = false
      })
      const seen: number[] = []
      while (isWriting) {
        seen.push((await reads.listIds({ visible: undefined, sourceId: 'pairs' })).length)
        await new Promise((resume) => setImmediate(resume))
      }
      await writing
      expect(seen).not.toBeEmpty()
      expect(seen.filter((count) => count % 2 !== 0)).toEqual([])
      expect(await reads.listIds({ visible: undefined, sourceId: 'pairs' })).toHaveLength(40)
    })

    test('is read by every process once it has resolved', async () => {
      const other = await suite.openAgain()
      for (let at = 0; at < 10; at++) {
        const { id } = await suite.insert(`r${at}`)
        const found = await Promise.all([suite.store, other].map((store) => store.project('p1').findHead(undefined, id)))
        expect(found.map((head) => head?.id)).toEqual([id, id])
      }
      await other.close()
    })

    test('rejects with what its act throws', async () => {
      const error = new Error('on second thoughts')
      const fail = () => Promise.reject(error)
      expect(await suite.store.control.write(fail).catch((thrown) => thrown)).toBe(error)
      expect(
        await suite.store
          .project('p1')
          .write(fail)
          .catch((thrown) => thrown),
      ).toBe(error)
    })

    test('changes the version of its project, which a read does not', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      const before = await reads.version()
      await reads.listRecords({ visible: undefined })
      expect(await reads.version()).toBe(before)
      await reads.write((tx) => tx.updateRecord('one', { status: 'verified' }))
      expect(await reads.version()).not.toBe(before)
    })

    test('background work is run where nobody else runs it', async () => {
      const seen: boolean[] = []
      const isRun = await suite.store.runAlone('work', async (isAlone) => {
        seen.push(isAlone())
      })
      expect([isRun, ...seen]).toEqual([true, true])
      expect(await rejectionOf(suite.store.runAlone('work', () => Promise.reject(new Error('no'))))).toBe('no')
      expect(await suite.store.runAlone('work', async () => {})).toBe(true)
    })
  })
}
