import { describe, expect, test } from 'bun:test'
import type { ProjectWrites } from '../../../src/store/project.ts'
import type { NewRecord } from '../../../src/store/record.ts'
import { idsOf, NOW, record, type Suite } from './context.ts'

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
      expect(idsOf(await reads.listSupersededBy(newer.id, { limit: 9 }))).toEqual(['b', 'a'])
      expect(idsOf(await reads.listSupersededBy(newer.id, { limit: 1 }))).toEqual(['b'])
    })

    test('lists the versions of a fact: the last that hold or held, and the last that were forgotten', async () => {
      const fact = { factKey: 'Port', factKeyGiven: true }
      await suite.insert('first', { ...fact, status: 'superseded', supersededBy: 'second', createdAt: NOW })
      await suite.insert('second', { ...fact, createdAt: NOW + 1 })
      await suite.insert('confirmed', { ...fact, createdAt: NOW - 9, verifiedAt: NOW + 5, status: 'verified' })
      await suite.insert('gone', fact)
      await suite.insert('gone too', { ...fact, factKey: ' port' })
      await suite.insert('derived', { factKey: 'port' })
      await suite.insert('draft', { ...fact, audience: 'a:m1' })
      await suite.insert('elsewhere', { ...fact, workspaceId: 2 })
      await suite.insert('of p2', fact, 'p2')
      const reads = suite.store.project('p1')
      await reads.write((tx) => tx.forgetRecord('gone', NOW + 7))
      await reads.write((tx) => tx.forgetRecord('gone too', NOW + 8))
      const list = async (limit: number, audience = '*') =>
        idsOf(await reads.listVersions({ workspaceId: 1, audience, factKey: 'PORT' }, limit)).sort()
      expect(await list(9)).toEqual(['confirmed', 'first', 'gone', 'gone too', 'second'])
      expect(await list(1)).toEqual(['confirmed', 'gone too'])
      expect(await list(9, 'a:m1')).toEqual(['draft'])
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
      const named = async (name: string) => {
        const found = await reads.listContradictions([(await reads.findHead(undefined, name))?.seq ?? 0])
        return found.map(({ verified, other }) => [ids.get(verified), ids.get(other)])
      }
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
      expect([await named('plain1'), await named('plain2')]).toEqual([[['plain1', 'plain2']], [['plain1', 'plain2']]])
      expect([await named('both2'), await named('derived2'), await named('gone1')]).toEqual([
        [['both1', 'both2']],
        [],
        [],
      ])
      expect(await list(['*', 'a:m2'])).toEqual([
        ['both1', 'both2'],
        ['plain1', 'plain2'],
      ])
      expect(await list(['*', 'a:m1'])).toEqual([['draft1', 'draft2'], ...(await list(['*']))])
    })

    test('finds the same records of several contents in one write, however many others say the same', async () => {
      const { write } = suite.store.project('p1')
      const fact = { factKeyGiven: true, factKey: 'k' }
      const outdated = { ...fact, status: 'superseded' as const, supersededBy: 'nobody' }
      for (const content of ['first', 'second']) {
        await suite.insert(`${content}, oldest`, { ...outdated, content, authorId: 'm2' })
        await suite.insert(`${content}, live`, { ...fact, content, authorId: 'm2' })
        await suite.insert(`${content}, outdated`, { ...outdated, content, authorId: 'm2' })
        for (let at = 0; at < 40; at++) await suite.insert(`${content}, ${at}`, { ...fact, content })
      }
      const saved = { ...record('sought', fact), workspaceId: 1 }
      const find = async (tx: ProjectWrites, content: string, authorId: string) => {
        const sought = { ...saved, content, authorId }
        const newest = await tx.findSame(sought, NOW, { outdatedBefore: Number.MAX_SAFE_INTEGER })
        const next = newest === undefined ? undefined : await tx.findSame(sought, NOW, { outdatedBefore: newest.seq })
        return [(await tx.findSame(sought, NOW))?.id, newest?.id, next?.id]
      }
      const found = await write(async (tx) => [
        await find(tx, 'first', 'm2'),
        await find(tx, 'second', 'm2'),
        await find(tx, 'second', 'm3'),
      ])
      expect(found).toEqual([
        ['first, live', 'first, outdated', 'first, oldest'],
        ['second, live', 'second, outdated', 'second, oldest'],
        [undefined, undefined, undefined],
      ])
    })

    test('finds records saved with the same fields, and rivals of a fact', async () => {
      await suite.insert('a', { content: 'same', factKey: 'k', factKeyGiven: true })
      await suite.insert('b', { content: 'same', audience: 'a:m1', factKey: 'k' })
      const reads = suite.store.project('p1')
      const [a] = await reads.listRecords({ visible: ['*'] })
      if (a === undefined) throw new Error('no record')
      const sameAs = async (change: Partial<typeof a>) =>
        (await reads.write((tx) => tx.findSame({ ...a, ...change }, NOW)))?.id
      expect(await sameAs({})).toBe('a')
      for (const change of [{ content: ' same.' }, { factKey: ' K ' }]) expect(await sameAs(change)).toBe('a')
      for (const change of [{ content: 'Same' }, { authorId: 'm9' }, { factKey: 'l' }, { sourceId: 's' }]) {
        expect(await sameAs(change)).toBeUndefined()
      }
      const same = async (now: number) => (await reads.write((tx) => tx.findSame(a, now)))?.id
      expect(await same(NOW)).toBe('a')
      await reads.write((tx) => tx.updateRecord('a', { expiresAt: NOW }))
      expect([await same(NOW), await same(NOW - 1)]).toEqual([undefined, 'a'])
      const outdated = async (now: number, beforeSeq = a.seq + 1) =>
        (await reads.write((tx) => tx.findSame(a, now, { outdatedBefore: beforeSeq })))?.id
      expect([await outdated(NOW), await outdated(NOW, a.seq), await outdated(NOW - 1)]).toEqual([
        'a',
        undefined,
        undefined,
      ])
      const other = { workspaceId: 1, audience: '*', factKey: 'k', content: 'other' }
      const rivalsOf = (fact: typeof other) => reads.listRivals(fact, { status: 'unverified', limit: 9 })
      expect(idsOf(await rivalsOf(other))).toEqual(['a'])
      expect(await rivalsOf({ ...other, content: 'same' })).toEqual([])
      expect(await reads.countRivals(other, 'unverified', 9)).toBe(1)
      expect(await reads.countRivals(other, 'verified', 9)).toBe(0)
      const later = async (at: number, seq: number, isVerified = false) =>
        (await reads.findLater(other, { after: { at, seq }, isVerified }))?.id
      expect([
        await later(NOW - 1, 9),
        await later(NOW, 0),
        await later(NOW, a.seq),
        await later(NOW - 1, 0, true),
      ]).toEqual(['a', 'a', undefined, undefined])
      await reads.write((tx) => tx.updateRecord('a', { verifiedAt: NOW + 5 }))
      expect([await later(NOW + 4, 0, true), await later(NOW + 5, a.seq)]).toEqual(['a', undefined])
      await reads.write((tx) => tx.supersede('a', 'b'))
      expect(await rivalsOf(other)).toEqual([])
    })

    test('lists what names a record as its superseder, and what names none that is there', async () => {
      const old = { status: 'superseded' as const, supersededBy: 'new' }
      for (const id of ['a', 'b', 'c']) await suite.insert(id, old)
      await suite.insert('stray', { ...old, supersededBy: 'nobody' })
      await suite.insert('new')
      const reads = suite.store.project('p1')
      const orphans = async () => {
        const found: string[] = []
        let after: Awaited<ReturnType<typeof reads.listOrphans>>['next']
        do {
          const slice = await reads.listOrphans({ after, examine: 2 })
          found.push(...slice.ids)
          after = slice.next
        } while (after !== undefined)
        return found
      }
      const [c, b] = await reads.listSupersededBy('new', { limit: 2 })
      expect([c?.id, b?.id]).toEqual(['c', 'b'])
      expect(idsOf(await reads.listSupersededBy('new', { beforeSeq: b?.seq, limit: 9 }))).toEqual(['a'])
      expect(await orphans()).toEqual(['stray'])
      await reads.write(async (tx) => {
        await tx.forgetRecord('new', NOW)
        await tx.forgetRecord('b', NOW)
      })
      expect(idsOf(await reads.listSupersededBy('new', { limit: 9 }))).toEqual(['c', 'a'])
      expect(await orphans()).toEqual(['a', 'c', 'stray'])
    })

    test('no record is superseded by itself, directly or through others, and the superseders of any one lead to a current record', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await suite.insert(id)
      const reads = suite.store.project('p1')
      const supersede = (id: string, by: string) => reads.write((tx) => tx.supersede(id, by))
      expect([await supersede('a', 'a'), await supersede('a', 'b'), await supersede('b', 'a')]).toEqual([
        false,
        true,
        false,
      ])
      expect([await supersede('b', 'c'), await supersede('c', 'a'), await supersede('c', 'd')]).toEqual([
        true,
        false,
        true,
      ])
      expect([await supersede('d', 'b'), await supersede('d', 'not there yet')]).toEqual([false, true])
      await expect(suite.insert('not there yet', { status: 'superseded', supersededBy: 'a' })).rejects.toThrow(
        'superseded by itself',
      )
      expect(await reads.findHead(undefined, 'd')).toMatchObject({
        status: 'superseded',
        supersededBy: 'not there yet',
      })
      expect(await reads.findHead(undefined, 'a')).toMatchObject({ status: 'superseded', supersededBy: 'b' })
    })

    test('a fact key is compared by its folded form, and one that was derived can be superseded', async () => {
      await suite.insert('a', { factKey: ' Straße', factKeyGiven: true })
      await suite.insert('b', { factKey: 'strasse', audience: 'a:m1' })
      await suite.insert('c', { factKey: 'STRASSE' })
      const fact = { workspaceId: 1, audience: '*', factKey: 'ｓtrasse', content: 'other' }
      const rivals = await suite.store.project('p1').listRivals(fact, { status: 'unverified', limit: 9 })
      expect(idsOf(rivals).sort()).toEqual(['a', 'c'])
      const before = { at: NOW, seq: Math.max(...rivals.map(({ seq }) => seq)) }
      expect(
        idsOf(await suite.store.project('p1').listRivals(fact, { status: 'unverified', before, limit: 9 })),
      ).toEqual(['a'])
    })

    test('counts the records of a state of a source, and finds the workspaces that have some of it', async () => {
      const state = { sourceId: 's', sourceHash: 'h' }
      await suite.insert('a', state)
      await suite.insert('b', { ...state, audience: 'a:m1' })
      await suite.insert('expired', { ...state, expiresAt: NOW })
      await suite.insert('superseded', { ...state, status: 'superseded' })
      await suite.insert('other', { ...state, sourceHash: 'i' })
      const reads = suite.store.project('p1')
      const count = (visible: string[] | undefined, most = 9) =>
        reads.countInState({ visible, workspaceId: 1, sourceId: 's', hash: 'h' }, NOW, most)
      expect([await count(['*']), await count(undefined), await count(undefined, 1), await count([])]).toEqual([
        1, 2, 1, 0,
      ])
      expect(await reads.findWorkspacesOfSource(['*'], 's', [1, 2])).toEqual([1])
      expect(await reads.findWorkspacesOfSource(['a:m2'], 's', [1, 2])).toEqual([])
    })

    test('knows for a while when a record was first saved under a hash of its source', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      const note = (hash: string, savedAt: number) =>
        reads.write((tx) => tx.saveRecentState('one', { hash, savedAt, since: savedAt - 10 }))
      await note('h1', NOW)
      await note('h1', NOW + 1)
      await note('h2', NOW + 5)
      expect([await reads.findRecentState('one', 'h1'), await reads.findRecentState('one', 'h2')]).toEqual([
        NOW,
        NOW + 5,
      ])
      await note('h3', NOW + 12)
      expect(await reads.findRecentState('one', 'h1')).toBeUndefined()
    })

    test('drops some times of saves with each that it stores, and knows of a hash again that was saved before', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      const note = (hash: string, savedAt: number, since: number) =>
        reads.write((tx) => tx.saveRecentState('one', { hash, savedAt, since }))
      for (let at = 0; at < 100; at++) await note(`h${at}`, NOW + at, 0)
      const later = NOW + 1_000
      await note('h99', later, later)
      expect([await reads.findRecentState('one', 'h99'), await reads.findRecentState('one', 'h98')]).toEqual([
        later,
        NOW + 98,
      ])
      for (let at = 0; at < 3; at++) await note('h99', later + 1, later)
      expect([await reads.findRecentState('one', 'h99'), await reads.findRecentState('one', 'h98')]).toEqual([
        later,
        undefined,
      ])
    })

    test('keeps the last hashes of a source, with when each was first saved, of what is visible', async () => {
      const reads = suite.store.project('p1')
      const save = (hash: string, at: number, audience = '*') =>
        reads.write((tx) => tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience }, { hash, at }))
      const list = async (visible: string[] | undefined) =>
        (await reads.listSourceHashes(visible, { workspaceId: 1, sourceId: 's' })).map(
          ({ hash, at }) => `${hash} ${at}`,
        )
      expect(await list(undefined)).toEqual([])
      await save('h1', 1)
      await save('h1', 2)
      await save('h2', 3)
      await save('draft', 4, 'a:m1')
      await save('h1', 5)
      expect(await list(['*'])).toEqual(['h1 1', 'h2 3', 'h1 5'])
      expect(await list(['*', 'a:m1'])).toEqual(['h1 1', 'h2 3', 'draft 4', 'h1 5'])
      await reads.write((tx) =>
        tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: '*' }, { hash: 'older', saveSequence: 1 }),
      )
      for (let at = 6; at < 20; at++) await save(`h${at}`, at)
      expect(await list(['*'])).toEqual(Array.from({ length: 10 }, (_, at) => `h${at + 10} ${at + 10}`))
      expect(await list([])).toEqual([])
    })

    test('knows what imports of a folder brought', async () => {
      const source = (sourceId: string, workspaceId = 1) => ({ root: '/notes', workspaceId, sourceId })
      await suite.insert('one')
      const reads = suite.store.project('p1')
      await reads.write(async (tx) => {
        for (const one of [source('b'), source('a'), source('a', 2), { ...source('c'), root: '/other' }, source('b')])
          await tx.saveImportedSource(one)
      })
      expect(await reads.listImportedSources('/notes', { limit: 2 })).toEqual([source('a'), source('b')])
      expect(await reads.listImportedSources('/notes', { after: source('b'), limit: 9 })).toEqual([source('a', 2)])
      await reads.write((tx) => tx.deleteImportedSource(source('a')))
      expect(await reads.listImportedSources('/notes', { limit: 9 })).toEqual([source('b'), source('a', 2)])
    })

    test('lists marked records that a person is to look at, newest first', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e'])
        await suite.insert(id, { audience: id === 'b' ? 'a:m1' : '*', marked: id !== 'd' })
      const reads = suite.store.project('p1')
      await reads.write((tx) => tx.forgetRecord('e', NOW))
      expect(idsOf(await reads.listToReview(undefined, 'marked', 9))).toEqual(['c', 'b', 'a'])
      expect(idsOf(await reads.listToReview(['*', 'a:m2'], 'marked', 1))).toEqual(['c'])
      await reads.write(async (tx) => {
        await tx.updateRecord('a', { marked: false })
        await tx.supersede('c', 'd')
      })
      expect(idsOf(await reads.listToReview(undefined, 'marked', 9))).toEqual(['b'])
    })

    test('lists forgotten records that a person is to look at', async () => {
      for (const id of ['a', 'b', 'c']) await suite.insert(id, { audience: id === 'b' ? 'a:m1' : '*' })
      const reads = suite.store.project('p1')
      await reads.write(async (tx) => {
        for (const [at, id] of ['c', 'b', 'a'].entries()) {
          await tx.forgetRecord(id, NOW + at)
          await tx.updateRecord(id, { needsReview: true })
        }
      })
      expect(idsOf(await reads.listToReview(undefined, 'forgotten', 9))).toEqual(['a', 'b', 'c'])
      expect(idsOf(await reads.listToReview(['*', 'a:m2'], 'forgotten', 1))).toEqual(['a'])
      await reads.write((tx) => tx.updateRecord('a', { needsReview: false }))
      expect(idsOf(await reads.listToReview(['*'], 'forgotten', 9))).toEqual(['c'])
    })

    test('the current hash of a source is the one last saved by a visible save, for one source or many', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      await reads.write((tx) =>
        tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: '*' }, { hash: 'h1', at: NOW }),
      )
      await reads.write((tx) =>
        tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: 'a:m1' }, { hash: 'h2', at: NOW + 1 }),
      )
      expect(await reads.findCurrentHashes(['*', 'a:m2'], [{ workspaceId: 1, sourceId: 's' }])).toEqual(['h1'])
      expect(await reads.findCurrentHashes(['*', 'a:m1'], [{ workspaceId: 1, sourceId: 's' }])).toEqual(['h2'])
      await reads.write((tx) =>
        tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: '*' }, { hash: 'h1', at: NOW + 2 }),
      )
      expect(await reads.findCurrentHashes(['*', 'a:m1'], [{ workspaceId: 1, sourceId: 's' }])).toEqual(['h1'])
      expect(await stateOf(suite, 'a:m1')).toEqual([{ hash: 'h2', saveSequence: NOW + 1 }])
      expect(await reads.findCurrentHashes(undefined, [{ workspaceId: 1, sourceId: 'other' }])).toEqual([undefined])
      const sources = ['other', 's'].map((sourceId) => ({ workspaceId: 1, sourceId }))
      expect(await reads.findCurrentHashes(['*'], sources)).toEqual([undefined, 'h1'])
      const states = await reads.findSourceStates(sources.map((source) => ({ ...source, audience: 'a:m1' })))
      expect(states).toEqual([undefined, { hash: 'h2', saveSequence: NOW + 1 }])
    })

    test('each save of an audience is later than the one before, also if the clock is not, whatever others save', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      const save = (audience: string, hash: string, at: number) =>
        reads.write((tx) => tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience }, { hash, at }))
      await save('*', 'h1', NOW)
      for (const hash of ['h2', 'h3', 'h4']) await save('a:m1', hash, NOW)
      await save('*', 'h5', NOW)
      await save('*', 'h6', NOW - 60_000)
      expect(await stateOf(suite, '*')).toEqual([{ hash: 'h6', saveSequence: NOW + 2 }])
      expect(await stateOf(suite, 'a:m1')).toEqual([{ hash: 'h4', saveSequence: NOW + 2 }])
    })

    test('a hash with a given save sequence never replaces a later one', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      await reads.write((tx) =>
        tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: '*' }, { hash: 'h7', saveSequence: 7 }),
      )
      await reads.write((tx) =>
        tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: '*' }, { hash: 'h3', saveSequence: 3 }),
      )
      expect(await stateOf(suite, '*')).toEqual([{ hash: 'h7', saveSequence: 7 }])
      await reads.write((tx) =>
        tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: '*' }, { hash: 'h8', at: 1 }),
      )
      expect(await stateOf(suite, '*')).toEqual([{ hash: 'h8', saveSequence: 8 }])
    })
  })
}

const stateOf = ({ store }: Suite, audience: string) =>
  store.project('p1').findSourceStates([{ workspaceId: 1, sourceId: 's', audience }])
