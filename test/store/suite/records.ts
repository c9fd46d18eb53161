import { describe, expect, test } from 'bun:test'
import type { RecordHead, Visible } from '../../../src/store/record.ts'
import type { ListPart, OfSourcePlace, RecordFilter } from '../../../src/store/record-lists.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { idsOf, NOW, record, type Suite } from './context.ts'

/** Opening, isolation and erasure of projects. */
export function describeProjects(suite: Suite): void {
  describe('a project', () => {
    test('reads nothing of another project', async () => {
      await suite.insert('mine', {}, 'p1')
      const other = suite.store.project('p2')
      expect(await other.listWorkspaces(undefined, { limit: 9 })).toEqual([])
      expect(await other.findRecord(undefined, 'mine')).toBeUndefined()
      expect((await other.readUsage()).records).toBe(0)
      await suite.insert('mine', { content: 'the same id again' }, 'p2')
      expect(await suite.store.project('p1').findRecord(undefined, 'mine')).toMatchObject({
        content: 'content of mine',
      })
    })

    test('that does not exist is refused', async () => {
      expect(await rejectionOf(suite.store.project('nowhere').listWorkspaces(undefined, { limit: 9 }))).toContain(
        "no project 'nowhere'",
      )
    })

    test('that is erased is gone, and can be erased twice', async () => {
      await suite.insert('one', {}, 'p2')
      await suite.store.control.write((tx) => tx.update('projects', { id: 'p2' }, { removedAt: NOW }))
      await suite.store.eraseProject('p2')
      await suite.store.eraseProject('p2')
      expect(await rejectionOf(suite.store.project('p2').listWorkspaces(undefined, { limit: 9 }))).toBe(
        "no project 'p2'",
      )
      expect((await suite.store.check()).damaged ?? []).toEqual([])
    })

    test('an engine whose files can be damaged reads what is left of a project, in order of number, and says what is not', async () => {
      const { salvage } = suite.store
      if (salvage === undefined) return
      const [first] = [await suite.insert('one'), await suite.insert('two'), await suite.insert('three')]
      await suite.store.project('p1').write((tx) => tx.forgetRecord('two', NOW))
      const read = async (afterSeq: number) => {
        const pages = await Array.fromAsync(salvage('p1', afterSeq))
        return { ids: pages.flatMap(({ records }) => idsOf(records)), lost: pages.at(-1)?.lost }
      }
      const nothing = { ids: [], further: 0, parts: [] }
      expect(await read(0)).toEqual({ ids: ['one', 'three'], lost: nothing })
      expect(await read(first.seq)).toEqual({ ids: ['three'], lost: nothing })
    })

    test('is up to date where this version made it', async () => {
      await suite.insert('one')
      expect(await suite.store.upgrade()).toBe(0)
    })

    test('can be checked and tidied', async () => {
      await suite.insert('one')
      await suite.store.check()
      await suite.store.tidy()
      expect(await suite.store.project('p1').findRecord(undefined, 'one')).toMatchObject({ id: 'one' })
    })

    test('takes room', async () => {
      const before = await suite.store.measure()
      for (let at = 0; at < 20; at++) await suite.insert(`r${at}`, { content: toIncompressible(at) })
      const after = await suite.store.measure()
      expect(after.control).toBeGreaterThan(0)
      expect(after.projects).toBeGreaterThan(before.projects)
      for (const files of Object.values(suite.store.openFiles())) expect(files).toBeGreaterThanOrEqual(0)
    })

    test('reads what another process committed', async () => {
      const other = await suite.openAgain()
      await suite.insert('one')
      await other.project('p1').write((tx) => tx.updateRecord('one', { status: 'verified' }))
      expect(await suite.store.project('p1').findRecord(undefined, 'one')).toMatchObject({ status: 'verified' })
      await other.close()
    })
  })
}

/** Records by id, in lists and in the trash. */
export function describeRecords(suite: Suite): void {
  describe('records', () => {
    test('returns a record exactly as it was saved', async () => {
      const saved = await suite.insert('whole', {
        content: 'two\nlines, "quotes", 日本語 and 🗾',
        factKeyGiven: true,
        status: 'verified',
        sourceId: 's',
        sourceHash: 'h',
        expiresAt: NOW + 1,
      })
      expect(await suite.store.project('p1').findRecord(undefined, 'whole')).toEqual(saved)
    })

    test('reads only records of visible audiences', async () => {
      await suite.insert('shared')
      await suite.insert('draft', { audience: 'a:m1' })
      await suite.insert('research', { audience: 'd:r' })
      const reads = suite.store.project('p1')
      const seen = async (visible: string[] | undefined) => idsOf(await reads.listRecords({ visible }))
      expect(await seen(['*', 'a:m2'])).toEqual(['shared'])
      expect(await seen(['*', 'a:m1', 'd:r'])).toEqual(['shared', 'draft', 'research'])
      expect(await seen(undefined)).toEqual(['shared', 'draft', 'research'])
      expect(await reads.findRecord(['*', 'a:m2'], 'draft')).toBeUndefined()
      expect(idsOf(await reads.findRecordsBySeq(['*', 'd:r'], [1, 2, 3])).sort()).toEqual(['research', 'shared'])
    })

    test('finds the beginnings of current records in workspaces that are not removed', async () => {
      await suite.insert('shared', { content: '😀 shared', factKey: 'key' })
      await suite.insert('draft', { audience: 'a:m1' })
      await suite.insert('marked', { marked: true })
      await suite.insert('old', { status: 'superseded' })
      const project = suite.store.project('p1')
      const [workspace] = await project.findWorkspacesById([1])
      expect(await project.findExcerptsBySeq(['*'], [4, 3, 2, 1], 3)).toEqual([
        { seq: 1, id: 'shared', content: '😀 s', factKey: 'key', workspace: workspace?.name ?? '' },
      ])
      await project.write((tx) => tx.updateWorkspace(1, { removedAt: 1 }))
      expect(await project.findExcerptsBySeq(['*'], [1], 3)).toEqual([])
    })

    test('lists a selection by number, a page at a time', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await suite.insert(id, { sourceId: id < 'c' ? 's' : null })
      const reads = suite.store.project('p1')
      expect(idsOf(await reads.listRecords({ visible: undefined, sourceId: 's' }))).toEqual(['a', 'b'])
      expect(idsOf(await reads.listRecords({ visible: undefined, afterSeq: 1, limit: 2 }))).toEqual(['b', 'c'])
      expect(await reads.listRecords({ visible: undefined, workspaceId: 99 })).toEqual([])
    })

    test('lists the newest first, a page at a time, by status and audience', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) {
        await suite.insert(id, { audience: id === 'c' ? 'a:m1' : '*', status: id < 'c' ? 'verified' : 'unverified' })
      }
      const reads = suite.store.project('p1')
      const list = async (selection: Partial<Parameters<typeof reads.listRecords>[0]>) =>
        idsOf(await reads.listRecords({ visible: ['*', 'a:m2'], newestFirst: true, ...selection }))
      expect(await list({})).toEqual(['e', 'd', 'b', 'a'])
      expect(await list({ limit: 2 })).toEqual(['e', 'd'])
      expect(await list({ beforeSeq: 4, limit: 1 })).toEqual(['b'])
      expect(await list({ status: 'verified' })).toEqual(['b', 'a'])
      expect(await list({ status: 'verified', beforeSeq: 2, workspaceId: 1 })).toEqual(['a'])
      expect(await list({ status: 'unverified', workspaceId: 1 })).toEqual(['e', 'd'])
      expect(await list({ visible: ['a:m1'] })).toEqual(['c'])
      expect(await list({ visible: ['a:m1'], workspaceId: 1, status: 'unverified' })).toEqual(['c'])
      expect(await list({ visible: [] })).toEqual([])
    })

    test('lists what was last saved first, by every filter, a page at a time', async () => {
      await suite.store.project('p1').write(async (tx) => void (await tx.insertWorkspace('default', NOW)))
      const gone = await suite.store.project('p1').write((tx) => tx.insertWorkspace('gone', NOW))
      await suite.insert('a', { createdAt: NOW + 1, sourceId: 's', sourceHash: 'h1', authorId: 'm2' })
      await suite.insert('b', { createdAt: NOW + 2, status: 'verified', factKey: 'k', expiresAt: NOW + 9 })
      await suite.insert('c', { createdAt: NOW + 2, audience: 'a:m1' })
      await suite.insert('d', { createdAt: NOW + 3, audience: 'd:r', sourceId: 's', sourceHash: 'h2' })
      await suite.insert('e', { createdAt: NOW })
      await suite.insert('f', { workspaceId: gone.id })
      const reads = suite.store.project('p1')
      const list = async (filter: Partial<RecordFilter> = {}, part: Partial<ListPart> = {}) =>
        idsOf(await reads.listLatest({ visible: undefined, ...filter }, { limit: 9, ...part })).join('')
      expect(await list()).toBe('dcbafe')
      await reads.write(async (tx) => {
        await tx.updateWorkspace(gone.id, { removedAt: NOW })
        await tx.updateRecord('e', { refreshedAt: NOW + 2 })
        await tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: '*' }, { hash: 'h1', at: NOW })
        await tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: 'd:r' }, { hash: 'h2', at: NOW + 1 })
      })
      expect(await list()).toBe('decba')
      expect(await list({ visible: ['*', 'a:m1'] })).toBe('ecba')
      expect(await list({ visible: [] })).toBe('')
      expect([
        await list({ audienceKind: '*' }),
        await list({ audienceKind: 'd' }),
        await list({ audienceKind: 'a' }),
      ]).toEqual(['eba', 'd', 'c'])
      expect([await list({ workspaceId: 1 }), await list({ workspaceId: 99 })]).toEqual(['decba', ''])
      expect([await list({ status: 'verified' }), await list({ status: 'superseded' })]).toEqual(['b', ''])
      expect([
        await list({ sourceId: 's' }),
        await list({ factKey: 'k' }),
        await list({ authors: ['m2', 'm9'] }),
      ]).toEqual(['da', 'b', 'a'])
      expect(await list({ authors: [] })).toBe('')
      expect([await list({ savedFrom: NOW + 2 }), await list({ savedUntil: NOW + 2 })]).toEqual(['decb', 'ecba'])
      expect(await list({ savedFrom: NOW + 2, savedUntil: NOW + 2 })).toBe('ecb')
      expect([await list({ freshAt: NOW + 8 }), await list({ freshAt: NOW + 9 })]).toEqual(['decb', 'dec'])
      expect(await list({ freshAt: NOW, visible: ['*'] })).toBe('eba')
      expect([
        await list({}, { limit: 2 }),
        await list({}, { offset: 3 }),
        await list({}, { offset: 1, limit: 2 }),
      ]).toEqual(['de', 'ba', 'ec'])
      expect(await list({ visible: ['*'] }, { offset: 2 })).toBe('a')
      const before = { savedAt: NOW + 2, seq: 3 }
      expect([await list({}, { before }), await list({}, { before, offset: 1 })]).toEqual(['ba', 'a'])
      expect(await list({ savedUntil: NOW + 1 }, { before })).toBe('a')
      const after = { savedAt: NOW + 2, seq: 2 }
      expect([
        await list({}, { after }),
        await list({}, { after, limit: 2 }),
        await list({}, { after, offset: 1 }),
      ]).toEqual(['dec', 'ec', 'de'])
      expect([await list({ savedUntil: NOW + 2 }, { after }), await list({ savedFrom: NOW + 3 }, { after })]).toEqual([
        'ec',
        'd',
      ])
      expect([
        await list({ savedUntil: NOW + 1 }, { after }),
        await list({ freshAt: NOW }, { after, limit: 1 }),
      ]).toEqual(['', 'c'])
      const count = (filter: Partial<RecordFilter>, most = 9) =>
        reads.countLatest({ visible: undefined, ...filter }, most)
      expect([await count({}), await count({ status: 'verified' }), await count({ audienceKind: 'a' })]).toEqual(
        [5, 1, 1].map((count) => ({ count, isComplete: true })),
      )
      expect([await count({ freshAt: NOW + 8 }), await count({ freshAt: NOW + 8 }, 3)]).toEqual([
        { count: 4, isComplete: true },
        { count: 3, isComplete: false },
      ])
      await reads.write((tx) => tx.forgetRecord('b', NOW))
      expect(await list()).toBe('deca')
    })

    test('finds what is named by its id, its fact key, its source or the end of that, the last saved first', async () => {
      await suite.store.project('p1').write(async (tx) => void (await tx.insertWorkspace('default', NOW)))
      const attic = await suite.store.project('p1').write((tx) => tx.insertWorkspace('attic', NOW))
      await suite.insert('a', { sourceId: 'src/db/Schema.ts' })
      await suite.insert('b', { sourceId: 'schema.ts', createdAt: NOW + 2 })
      await suite.insert('c', { factKey: 'schema.ts', factKeyGiven: true })
      await suite.insert('d', { factKey: 'schema.ts', factKeyGiven: true, workspaceId: attic.id })
      await suite.insert('e', { sourceId: 'old.schema.ts' })
      await suite.insert('f', { sourceId: 'src/db/schema.ts/', audience: 'a:m1' })
      const reads = suite.store.project('p1')
      const list = async (filter: Partial<RecordFilter>, part: Partial<ListPart> = {}) =>
        idsOf(await reads.listLatest({ visible: undefined, ...filter }, { limit: 9, ...part })).join('')
      const select = async (filter: Partial<RecordFilter>, most = 9) => {
        const selected = await reads.selectLatest({ visible: undefined, ...filter }, most)
        const heads = await reads.findHeadsBySeq(undefined, selected?.seqs ?? [])
        return [selected?.seqs.map((seq) => heads.find((head) => head.seq === seq)?.id).join(''), selected?.isComplete]
      }
      expect(await list({ named: 'schema.ts' })).toBe('bfdca')
      expect(await list({ named: 'db/schema.ts/' })).toBe('fa')
      expect([
        await list({ named: 'SRC/db/schema.ts' }),
        await list({ named: 'A' }),
        await list({ named: 'e' }),
      ]).toEqual(['fa', 'a', 'e'])
      expect([await list({ named: '' }), await list({ named: '/' }), await list({ named: '%' })]).toEqual(['', '', ''])
      expect([
        await list({ named: 'schema.ts', workspaceId: 1 }),
        await list({ named: 'schema.ts', visible: ['*'] }),
      ]).toEqual(['bfca', 'bdca'])
      expect([
        await list({ factKey: 'schema.ts' }),
        await list({ factKey: 'schema.ts', workspaceId: attic.id }),
      ]).toEqual(['dc', 'd'])
      expect([await list({ sourceId: 'schema.ts' }), await list({ sourceId: 'schema.ts', factKey: 'b' })]).toEqual([
        'b',
        'b',
      ])
      expect(await list({ named: 'schema.ts' }, { before: { savedAt: NOW, seq: 6 }, offset: 1, limit: 1 })).toBe('c')
      expect([
        await list({ named: 'schema.ts' }, { after: { savedAt: NOW, seq: 3 }, limit: 2 }),
        await list({ named: 'schema.ts' }, { after: { savedAt: NOW, seq: 3 }, offset: 2, limit: 2 }),
      ]).toEqual(['fd', 'b'])
      expect([await select({ named: 'schema.ts' }), await select({ named: 'schema.ts' }, 2)]).toEqual([
        ['bfdca', true],
        ['bf', false],
      ])
      expect([await select({ savedFrom: NOW + 1 }), await select({}), await select({}, 3)]).toEqual([
        ['b', true],
        ['bfedca', true],
        ['bfe', false],
      ])
    })

    test('finds what is named by a fact key that very many records have, a page at a time from either end', async () => {
      const reads = suite.store.project('p1')
      await suite.insert('first', { createdAt: NOW - 1 })
      await reads.write(async (tx) => {
        const { id: other } = await tx.insertWorkspace('other', NOW)
        for (let at = 0; at < 700; at++) {
          const place = {
            workspaceId: at % 2 === 0 ? 1 : other,
            audience: at % 3 === 0 ? 'a:m1' : '*',
            createdAt: NOW + (at % 7),
          }
          await tx.insertRecord(
            record(`r${at}`, { ...place, content: `says ${at % 5}`, factKey: 'Key', factKeyGiven: at % 4 === 0 }),
          )
        }
      })
      await suite.insert('key', { factKey: 'else', createdAt: NOW + 9 })
      const filter: RecordFilter = { visible: ['*'], named: 'key' }
      const expected = (await reads.listLatest({ visible: ['*'], savedFrom: NOW }, { limit: 1_000 })).map(
        ({ id }) => id,
      )
      expect(expected).toHaveLength(467)
      const all = await reads.listLatest(filter, { limit: 1_000 })
      expect(idsOf(all)).toEqual(expected)
      const counted = await reads.countLatest({ visible: ['*'], savedFrom: NOW }, 1)
      expect(counted).toEqual({ count: 467, isComplete: true })
      const [before, after] = [all[99], all[300]].map((one) => ({ savedAt: one?.createdAt ?? 0, seq: one?.seq ?? 0 }))
      const list = async (part: Partial<ListPart>) => idsOf(await reads.listLatest(filter, { limit: 20, ...part }))
      expect(await list({ before })).toEqual(expected.slice(100, 120))
      expect(await list({ before, offset: 30 })).toEqual(expected.slice(130, 150))
      expect(await list({ after })).toEqual(expected.slice(280, 300))
      expect(await list({ after, offset: 30 })).toEqual(expected.slice(250, 270))
      const selected = await reads.selectLatest(filter, 50)
      expect(selected).toEqual({ seqs: all.slice(0, 50).map(({ seq }) => seq), isComplete: false })
      expect(await reads.selectLatest(filter, 467)).toMatchObject({ isComplete: true })
      expect(await reads.selectLatest({ ...filter, workspaceId: 1 }, 466)).toMatchObject({ isComplete: true })
    })

    test('returns heads without contents, ids alone, and a source a slice at a time', async () => {
      for (const id of ['a', 'b', 'c']) await suite.insert(id, { sourceId: 's', audience: id === 'b' ? 'a:m1' : '*' })
      const reads = suite.store.project('p1')
      const [a, b] = [await reads.findHead(undefined, 'a'), await reads.findHead(undefined, 'b')]
      if (a === undefined || b === undefined) throw new Error('no record')
      expect(await reads.findRecord(undefined, 'a')).toEqual({ ...a, content: 'content of a' })
      expect(Object.keys(a)).not.toContain('content' satisfies Exclude<'content', keyof RecordHead>)
      expect(await reads.findHead(['*'], 'b')).toBeUndefined()
      expect(idsOf(await reads.listRecords({ visible: ['*'], sourceId: 's', newestFirst: true }))).toEqual(['c', 'a'])
      const list = async (after: OfSourcePlace | undefined, examine: number) => {
        const { heads, next } = await reads.listSourceSlice({
          visible: ['*'],
          workspaceId: 1,
          sourceId: 's',
          after,
          examine,
        })
        return [...idsOf(heads), next?.seq]
      }
      expect(await list(undefined, 1)).toEqual(['a', a.seq])
      expect(await list(a, 2)).toEqual(['c', b.seq])
      expect(await list(b, 2)).toEqual([undefined])
      await reads.write((tx) => tx.forgetRecord('a', NOW))
      expect([await reads.findHead(undefined, 'a'), await list(undefined, 9)]).toEqual([undefined, ['c', undefined]])
      expect(await reads.findHead(undefined, 'a', { forgotten: true })).toEqual({ ...a, forgottenAt: NOW })
    })

    test('lists records by what their sources begin with, of all workspaces, as they were saved', async () => {
      const names = ['s:a/1#3', 's:a/1#2,3', 's:a/1', 's:a/1$', 's:a/10#1', 's:a/1#9']
      for (const [at, sourceId] of names.entries())
        await suite.insert(`r${at}`, { sourceId, audience: at === 5 ? 'a:m1' : '*' })
      const reads = suite.store.project('p1')
      const list = async (visible: Visible, limit = 9) =>
        idsOf(await reads.listOfSourcesBeginning(visible, 's:a/1#', limit))
      expect([await list(['*']), await list(undefined, 2), await list(['a:m1'])]).toEqual([
        ['r0', 'r1'],
        ['r0', 'r1'],
        ['r5'],
      ])
      await reads.write((tx) => tx.forgetRecord('r0', NOW))
      expect(await list(['*'])).toEqual(['r1'])
    })

    test('refuses an id twice, and to forget or restore what is not there', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      const { entry } = record('x')
      const acts = [
        suite.insert('one'),
        reads.write((tx) => tx.forgetRecord('nobody', NOW)),
        reads.write((tx) => tx.restoreRecord('nobody', { workspaceId: 1, audience: '*' }, entry)),
      ]
      expect((await Promise.allSettled(acts)).map(({ status }) => status)).toEqual(acts.map(() => 'rejected'))
      expect(await reads.readUsage()).toMatchObject({ records: 1 })
    })

    test('lists the trash last forgotten first or the other way round, a slice at a time, and counts it', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await suite.insert(id, { audience: id === 'b' ? 'a:m1' : '*' })
      const reads = suite.store.project('p1')
      await reads.write(async (tx) => {
        for (const [at, id] of ['d', 'b', 'a'].entries()) await tx.forgetRecord(id, NOW + at)
        await tx.forgetRecord('c', NOW + 2)
      })
      const list = async (visible: string[] | undefined, slice: Parameters<typeof reads.listTrashSlice>[1]) => {
        const { records, next } = await reads.listTrashSlice(visible, slice)
        return [...records.map(({ id }) => id), next?.seq]
      }
      expect(await list(undefined, { examine: 9 })).toEqual(['c', 'a', 'b', 'd', undefined])
      expect(await list(['*', 'a:m2'], { examine: 9 })).toEqual(['c', 'a', 'd', undefined])
      expect(await list(undefined, { before: { seq: 3, forgottenAt: NOW + 2 }, examine: 2 })).toEqual(['a', 'b', 2])
      expect(await list(['*', 'a:m2'], { before: { seq: 3, forgottenAt: NOW + 2 }, examine: 2 })).toEqual(['a', 2])
      const after = { seq: 4, forgottenAt: NOW }
      expect(await list(undefined, { after, examine: 9 })).toEqual(['b', 'a', 'c', undefined])
      expect([await reads.countForgotten(undefined), await reads.countForgotten(['*'])]).toEqual([4, 3])
      expect(await reads.countForgotten(undefined, 'to review')).toBe(0)
    })

    test('a forgotten record leaves usage and lists; restored, it is as it was', async () => {
      const saved = await suite.insert('one', { content: 'né' })
      const reads = suite.store.project('p1')
      expect(await reads.readUsage()).toMatchObject({ records: 1, contentBytes: 3 })
      await reads.write((tx) => tx.forgetRecord('one', NOW))
      expect(await reads.readUsage()).toMatchObject({ records: 0, contentBytes: 0 })
      expect(await reads.findRecord(undefined, 'one')).toBeUndefined()
      expect(await reads.findRecord(undefined, 'one', { forgotten: true })).toMatchObject({ forgottenAt: NOW })
      expect(idsOf(await reads.listRecords({ visible: undefined, forgotten: true }))).toEqual(['one'])
      expect(await reads.listRecords({ visible: undefined })).toEqual([])

      await reads.write((tx) =>
        tx.restoreRecord('one', saved, { terms: 'ne', language: 'en', length: 1, codes: null, rules: 1 }),
      )
      expect(await reads.findRecord(undefined, 'one')).toEqual(saved)
      expect(await reads.readUsage()).toMatchObject({ records: 1, contentBytes: 3 })
    })

    test('erases records forgotten before a time, at most as many as asked for', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await suite.insert(id)
      const reads = suite.store.project('p1')
      await reads.write(async (tx) => {
        for (const [at, id] of ['a', 'b', 'c'].entries()) await tx.forgetRecord(id, NOW + at)
      })
      expect(await reads.write((tx) => tx.purgeForgotten(NOW + 2, 1))).toBe(1)
      expect(await reads.write((tx) => tx.purgeForgotten(NOW + 2, 10))).toBe(1)
      expect(idsOf(await reads.listRecords({ visible: undefined, forgotten: true }))).toEqual(['c'])
      expect(idsOf(await reads.listRecords({ visible: undefined }))).toEqual(['d'])
      for (const isStopped of [true, false, false]) await reads.scrub(() => isStopped)
      expect(idsOf(await reads.listRecords({ visible: undefined }))).toEqual(['d'])
    })
  })
}

/** 32 KiB that take as much room in a database that compresses. */
const toIncompressible = (seed: number): string =>
  Array.from({ length: 512 }, (_, at) => new Bun.CryptoHasher('sha256').update(`${seed} ${at}`).digest('hex')).join('')
