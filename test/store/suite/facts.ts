import { describe, expect, test } from 'bun:test'
import type { NewRecord } from '../../../src/store/record.ts'
import { idsOf, NOW, type Suite } from './context.ts'

/** Rivals, superseded records, same saves and hashes of sources. */
export function describeFacts(suite: Suite): void {
  describe('facts and sources', () => {
    test('lists the records that a record superseded', async () => {
      const fact = { factKey: 'k', factKeyGiven: true }
      const old = { ...fact, status: 'superseded' as const, supersededBy: 'new' }
      await suite.insert('a', old)
      await suite.insert('b', old)
      await suite.insert('gone', old)
      await suite.insert('other', { ...old, supersededBy: 'b' })
      const newer = await suite.insert('new', fact)
      const reads = suite.store.project('p1')
      await reads.write((tx) => tx.forgetRecord('gone', NOW))
      expect(idsOf(await reads.listSupersededBy(newer, 9))).toEqual(['b', 'a'])
      expect(idsOf(await reads.listSupersededBy(newer, 1))).toEqual(['b'])
      expect(await reads.listSupersededBy({ ...newer, audience: 'a:m1' }, 9)).toEqual([])
    })

    test('lists verified records with their rivals, each pair once and within visible audiences', async () => {
      const pair = async (name: string, change: Partial<NewRecord>, other: Partial<NewRecord> = {}) => {
        const fact = { factKey: name, factKeyGiven: true, ...change }
        await suite.insert(`${name}1`, { ...fact, status: 'verified' })
        await suite.insert(`${name}2`, { ...fact, ...other })
      }
      await pair('plain', {})
      await pair('both', {}, { status: 'verified' })
      await pair('draft', { audience: 'a:m1' })
      await pair('same', { content: 'the same' })
      await pair('derived', { factKeyGiven: false })
      await pair('settled', {}, { status: 'superseded' })
      await pair('elsewhere', {}, { workspaceId: 2 })
      await pair('readers', {}, { audience: 'a:m1' })
      await pair('gone', {})
      const reads = suite.store.project('p1')
      await reads.write((tx) => tx.forgetRecord('gone2', NOW))
      const ids = new Map((await reads.listRecords({ visible: undefined })).map(({ seq, id }) => [seq, id]))
      const list = async (visible: string[] | undefined) => {
        const pairs: (string | undefined)[][] = []
        for (let beforeSeq: number | undefined = Number.MAX_SAFE_INTEGER; beforeSeq !== undefined; ) {
          const slice: Awaited<ReturnType<typeof reads.listConflictsSlice>> = await reads.listConflictsSlice({
            visible,
            beforeSeq,
            examine: 2,
          })
          pairs.push(...slice.conflicts.map(({ verified, other }) => [ids.get(verified), ids.get(other)]))
          beforeSeq = slice.next
        }
        return pairs
      }
      expect(await list(['*', 'a:m2'])).toEqual([
        ['both1', 'both2'],
        ['plain1', 'plain2'],
      ])
      expect(await list(['*', 'a:m1'])).toEqual([['draft1', 'draft2'], ...(await list(['*']))])
    })

    test('finds records saved with the same fields, and rivals of a fact', async () => {
      await suite.insert('a', { content: 'same', factKey: 'k', factKeyGiven: true })
      await suite.insert('b', { content: 'same', audience: 'a:m1', factKey: 'k' })
      const reads = suite.store.project('p1')
      const [a] = await reads.listRecords({ visible: ['*'] })
      if (a === undefined) throw new Error('no record')
      const sameAs = async (change: Partial<typeof a>) => idsOf(await reads.write((tx) => tx.listSame({ ...a, ...change })))
      expect(await sameAs({})).toEqual(['a'])
      for (const change of [{ content: 'Same' }, { authorId: 'm9' }, { factKey: 'l' }, { factKeyGiven: false }, { sourceId: 's' }]) {
        expect(await sameAs(change)).toEqual([])
      }
      const same = async (now: number) => (await reads.write((tx) => tx.findSame(a, now)))?.id
      expect(await same(NOW)).toBe('a')
      await reads.write((tx) => tx.updateRecord('a', { expiresAt: NOW }))
      expect([await same(NOW), await same(NOW - 1)]).toEqual([undefined, 'a'])
      const other = { workspaceId: 1, audience: '*', factKey: 'k', content: 'other' }
      const rivalsOf = (fact: typeof other) => reads.listRivals(fact, { status: 'unverified', limit: 9 })
      expect(idsOf(await rivalsOf(other))).toEqual(['a'])
      expect(await rivalsOf({ ...other, content: 'same' })).toEqual([])
      const ofEach = await reads.listRivalsOfEach(
        [
          { ...other, factKeyGiven: true },
          { ...other, factKeyGiven: false },
        ],
        { statuses: ['verified', 'unverified'], limit: 9 },
      )
      expect(ofEach.map(idsOf)).toEqual([['a'], []])
      expect(await reads.countRivals(other, 'unverified', 9)).toBe(1)
      expect(await reads.countRivals(other, 'verified', 9)).toBe(0)
      expect(await reads.findNewerRival(other, NOW - 1)).toMatchObject({ id: 'a' })
      expect(await reads.findNewerRival(other, NOW)).toBeUndefined()
      await reads.write((tx) => tx.updateRecord('a', { status: 'superseded', supersededBy: 'b' }))
      expect(await rivalsOf(other)).toEqual([])
    })

    test('the current hash of a source is the one last saved by a visible save, for one source or many', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      await reads.write((tx) => tx.saveSourceHash(1, 's', '*', 'h1'))
      await reads.write((tx) => tx.saveSourceHash(1, 's', 'a:m1', 'h2'))
      expect(await reads.findCurrentHash(['*', 'a:m2'], 1, 's')).toBe('h1')
      expect(await reads.findCurrentHash(['*', 'a:m1'], 1, 's')).toBe('h2')
      await reads.write((tx) => tx.saveSourceHash(1, 's', '*', 'h1'))
      expect(await reads.findCurrentHash(['*', 'a:m1'], 1, 's')).toBe('h1')
      expect(await reads.findSourceState(1, 'a:m1', 's')).toEqual({ hash: 'h2', saveSequence: 2 })
      expect(await reads.findCurrentHash(undefined, 1, 'other')).toBeUndefined()
      const sources = ['other', 's'].map((sourceId) => ({ workspaceId: 1, sourceId }))
      expect(await reads.findCurrentHashes(['*'], sources)).toEqual([undefined, 'h1'])
      const states = await reads.findSourceStates(sources.map((source) => ({ ...source, audience: 'a:m1' })))
      expect(states).toEqual([undefined, { hash: 'h2', saveSequence: 2 }])
    })

    test('a hash with a given save sequence never replaces a later one', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      await reads.write((tx) => tx.saveSourceState(1, 's', '*', { hash: 'h7', saveSequence: 7 }))
      await reads.write((tx) => tx.saveSourceState(1, 's', '*', { hash: 'h3', saveSequence: 3 }))
      expect(await reads.findSourceState(1, '*', 's')).toEqual({ hash: 'h7', saveSequence: 7 })
      await reads.write((tx) => tx.saveSourceHash(1, 's', '*', 'h8'))
      expect(await reads.findSourceState(1, '*', 's')).toEqual({ hash: 'h8', saveSequence: 8 })
    })
  })
}
