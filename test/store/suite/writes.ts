import { describe, expect, test } from 'bun:test'
import type { ProjectWrites } from '../../../src/store/project.ts'
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
      expect(await suite.store.project('p1').checkIndex()).toEqual({
        records: 2,
        missing: 0,
        orphaned: 0,
        miscounted: 0,
        sound: true,
      })
    })

    test('a record whose texts change is found by the new ones, and counts by their bytes, whether it is forgotten or not', async () => {
      const project = suite.store.project('p1')
      await suite.insert('kept', { content: 'the old text', factKey: 'Old', factKeyGiven: true, sourceId: 'docs/old' })
      await suite.insert('gone', { content: 'the old text' })
      await project.write((tx) => tx.forgetRecord('gone', NOW))
      const entry = { terms: 'new', language: 'en' as const, length: 1, codes: null, rules: 1 }
      const texts = { content: 'new', factKey: 'New', sourceId: 'docs/new' }
      await project.write(async (tx) => {
        await tx.updateRecord('kept', texts)
        const [kept] = await tx.listRecords({ visible: undefined })
        if (kept !== undefined) await tx.replaceEntry(kept, entry)
        await tx.updateRecord('gone', { content: 'new' })
      })
      await project.scrub(() => false)
      expect(await project.readUsage()).toEqual({ records: 1, contentBytes: 3 })
      expect(await project.findRecord(undefined, 'gone', { forgotten: true })).toMatchObject({ content: 'new' })
      const saved = record('again', { ...texts, workspaceId: 1 })
      expect(await project.write((tx) => tx.findSame(saved, NOW))).toMatchObject({ id: 'kept' })
      expect(idsOf(await project.listVersions({ workspaceId: 1, audience: '*', factKey: 'new' }, 9))).toEqual(['kept'])
      const part = { limit: 9, offset: 0 }
      expect(idsOf(await project.listLatest({ visible: undefined, named: 'docs/new' }, part))).toEqual(['kept'])
      expect(idsOf(await project.listLatest({ visible: undefined, named: 'docs/old' }, part))).toEqual([])
      expect(await project.checkIndex()).toEqual({ records: 1, missing: 0, orphaned: 0, miscounted: 0, sound: true })
    })

    test('an act reads what the acts before it changed', async () => {
      const [, seen] = await Promise.all([
        suite.insert('one'),
        suite.store.project('p1').write(async (tx) => tx.findRecord(undefined, 'one')),
      ])
      expect(seen).toMatchObject({ id: 'one' })
    })

    test('acts take effect in the order in which they were given, the first of a process too', async () => {
      const insert = (at: number) => suite.store.project('p2').write((tx) => tx.insertRecord(record(`r${at}`)))
      await Promise.all(Array.from({ length: 20 }, (_, at) => insert(at)))
      const found = await suite.store.project('p2').listRecords({ visible: undefined })
      expect(idsOf(found)).toEqual(Array.from({ length: 20 }, (_, at) => `r${at}`))
    })

    describe('that names the records it is about to save', () => {
      const fact = { content: 'pnpm 9', factKey: 'manager', factKeyGiven: true, sourceId: 'docs/a' }
      const expected = { ...fact, audience: '*', authorId: 'm1', workspace: 'default' }
      const find = async (tx: ProjectWrites, content = fact.content) => {
        const workspace = await tx.findWorkspace('default')
        const saved = record('again', { ...fact, content, workspaceId: workspace?.id ?? 1 })
        return {
          workspace: workspace?.name,
          same: (await tx.findSame(saved, NOW))?.id,
          outdated: (await tx.findSame(saved, NOW, { outdatedBefore: Number.MAX_SAFE_INTEGER }))?.id,
          rivals: idsOf(await tx.listRivals(saved, { status: 'unverified', limit: 5 })),
          hash: (
            await tx.findCurrentHashes(undefined, [{ workspaceId: saved.workspaceId, sourceId: fact.sourceId }])
          )[0],
        }
      }
      const insert = (id: string) => (tx: ProjectWrites) => saveAs(tx, id)
      async function saveAs(tx: ProjectWrites, id: string): Promise<string> {
        const { id: workspaceId } = (await tx.findWorkspace('default')) ?? (await tx.insertWorkspace('default', NOW))
        await tx.saveSourceState({ workspaceId, sourceId: fact.sourceId, audience: '*' }, { hash: 'h1', at: NOW })
        return (await tx.insertRecord(record(id, { ...fact, workspaceId }))).id
      }
      const nothing = { same: undefined, outdated: undefined, rivals: [], hash: undefined }

      test('finds what acts before it in the same transaction saved, and nothing that was not', async () => {
        await suite.insert('first')
        const { write } = suite.store.project('p1')
        const found = await Promise.all([
          write((tx) => find(tx), [expected]),
          write(insert('one'), [expected]),
          write((tx) => find(tx), [expected]),
          write((tx) => find(tx, 'yarn'), [{ ...expected, content: 'yarn' }]),
        ])
        expect(found).toEqual([
          { ...nothing, workspace: 'default' },
          'one',
          { workspace: 'default', same: 'one', outdated: undefined, rivals: [], hash: 'h1' },
          { workspace: 'default', same: undefined, outdated: undefined, rivals: ['one'], hash: 'h1' },
        ])
      })

      test('finds what other processes saved, and what came back from the trash', async () => {
        const other = await suite.openAgain()
        await other.project('p1').write(insert('one'), [expected])
        const { write } = suite.store.project('p1')
        const there = { workspace: 'default', same: 'one', outdated: undefined, rivals: [], hash: 'h1' }
        expect(await write((tx) => find(tx), [expected])).toEqual(there)
        await other.project('p1').write((tx) => tx.forgetRecord('one', NOW))
        expect(await write((tx) => find(tx, 'yarn'), [expected])).toEqual({
          ...nothing,
          workspace: 'default',
          hash: 'h1',
        })
        const entry = record('one', fact).entry
        const [, found] = await Promise.all([
          write((tx) => tx.restoreRecord('one', { workspaceId: 1, audience: '*' }, entry), [expected]),
          write((tx) => find(tx, 'yarn'), [{ ...expected, content: 'yarn' }]),
        ])
        expect(found).toEqual({
          workspace: 'default',
          same: undefined,
          outdated: undefined,
          rivals: ['one'],
          hash: 'h1',
        })
        await other.close()
      })

      test('knows no workspace that an act made which failed', async () => {
        await suite.insert('first')
        const { write } = suite.store.project('p1')
        const named = { ...expected, workspace: 'new' }
        const make = async (tx: ProjectWrites) => {
          await tx.insertWorkspace('new', NOW)
          if ((await tx.findWorkspace('new')) !== undefined) throw new Error('on second thoughts')
        }
        const [, found] = await Promise.allSettled([
          write(make, [named]),
          write((tx) => tx.findWorkspace('new'), [named]),
        ])
        expect(found).toEqual({ status: 'fulfilled', value: undefined })
      })
    })

    test('two processes can write to one project at the same time', async () => {
      const other = await suite.openAgain()
      await suite.insert('first')
      const mine = Array.from({ length: 50 }, (_, i) => suite.insert(`mine${i}`))
      const theirs = Array.from({ length: 50 }, (_, i) =>
        other.project('p1').write((tx) => tx.insertRecord(record(`theirs${i}`))),
      )
      await Promise.all([...mine, ...theirs])
      expect(await suite.store.project('p1').listRecords({ visible: undefined })).toHaveLength(101)
      await other.close()
    })

    test('acts of two processes take effect one after the other', async () => {
      const other = await suite.openAgain()
      await suite.insert('first')
      const requireWorkspace = (store: Store, name: string) =>
        store.project('p1').write(async (tx) => (await tx.findWorkspace(name)) ?? (await tx.insertWorkspace(name, NOW)))
      const wished = Array.from({ length: 40 }, (_, at) =>
        requireWorkspace(at % 2 === 0 ? suite.store : other, `w${at >> 2}`),
      )
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
        seen.push((await reads.listRecords({ visible: undefined, sourceId: 'pairs' })).length)
        await new Promise((resume) => setImmediate(resume))
      }
      await writing
      expect(seen).not.toBeEmpty()
      expect(seen.filter((count) => count % 2 !== 0)).toEqual([])
      expect(await reads.listRecords({ visible: undefined, sourceId: 'pairs' })).toHaveLength(40)
    })

    test('is read by every process once it has resolved', async () => {
      const other = await suite.openAgain()
      for (let at = 0; at < 10; at++) {
        const { id } = await suite.insert(`r${at}`)
        const found = await Promise.all(
          [suite.store, other].map((store) => store.project('p1').findHead(undefined, id)),
        )
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

    test('an act that nobody stops waiting for reads and writes as any other', async () => {
      const { signal } = new AbortController()
      const { untilAborted = (_signal, act) => act() } = suite.store
      const version = await untilAborted(signal, async () => {
        await suite.insert('one')
        return suite.store.project('p1').version()
      })
      expect(version).toBe(await suite.store.project('p1').version())
    })

    test('an act beside another thread that reads comes to what it comes to', async () => {
      expect(await suite.store.besideReader(async () => 'read')).toBe('read')
      expect(await rejectionOf(suite.store.besideReader(() => Promise.reject(new Error('no'))))).toBe('no')
    })
  })
}
