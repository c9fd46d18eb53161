import { describe, expect, test } from 'bun:test'
import type { ProjectReads } from '../../../src/store/project.ts'
import type { IndexEntry, Visible } from '../../../src/store/record.ts'
import type { SourcePart, SourcePlace } from '../../../src/store/search.ts'
import { ANALYZER_VERSION } from '../../../src/text/analyzer.ts'
import { NOW, record, type Suite } from './context.ts'

/** The search index: postings, statistics, tokens and upkeep. */
export function describeSearch(suite: Suite): void {
  describe('search', () => {
    const entry = (terms: string, change: Partial<IndexEntry> = {}): IndexEntry => ({
      terms,
      language: 'en',
      length: terms.split(' ').length,
      codes: null,
      rules: 1,
      ...change,
    })

    /** Three shared records, and one that only its author sees. */
    async function fill() {
      await suite.insert('one', { entry: entry('red apple'), sourceId: 's', sourceHash: 'h1' })
      await suite.insert('two', { entry: entry('green apple', { codes: new Uint8Array([1, 2, 3, 4]) }), sourceId: 's' })
      await suite.insert('three', { entry: entry('red pear', { language: 'de' }), expiresAt: NOW })
      await suite.insert('draft', { entry: entry('red secret', { language: 'fr' }), audience: 'a:m1', sourceId: 's' })
      const reads = suite.store.project('p1')
      const heads = await reads.listRecords({ visible: undefined })
      const seqs = new Map(heads.map(({ id, seq }) => [id, seq]))
      const names = new Map(heads.map(({ id, seq }) => [seq, id]))
      const namesOf = (found: Iterable<number>) => Array.from(found, (seq) => names.get(seq) ?? '')
      return { reads, namesOf, seqs: heads.map(({ seq }) => seq), seqOf: (id: string) => seqs.get(id) ?? 0 }
    }

    const sequenceOf = async (reads: ProjectReads) => (await reads.readIndexFacts([], undefined)).sequence

    test('posting lists have the newest matching visible records first', async () => {
      const { reads, namesOf } = await fill()
      const find = async (visible: Visible, groups: string[][], most = 9, beside?: string[]) =>
        (await reads.findPostings({ visible, workspaceId: 1, groups, most, ...(beside && { beside }) })).map(namesOf)
      expect(await find(['*'], [['red'], ['apple'], ['red', 'green'], ['secret'], ['nothing']])).toEqual([
        ['three', 'one'],
        ['two', 'one'],
        ['three', 'two', 'one'],
        [],
        [],
      ])
      expect(await find(['*', 'a:m1'], [['red'], ['secret']])).toEqual([['draft', 'three', 'one'], ['draft']])
      expect(await find(undefined, [['red']], 1)).toEqual([['draft']])
      expect(await find(['*'], [['red']], 9, ['apple'])).toEqual([['one']])
      expect(await find([], [['red']])).toEqual([[]])
    })

    test('records of sources are listed by source, page by page, and those that were added since', async () => {
      const { reads, seqOf } = await fill()
      await suite.insert('other', { sourceId: 't' })
      await suite.insert('later', { sourceId: 's' })
      const { lastSeq } = await sequenceOf(reads)
      const all = new Map((await reads.listRecords({ visible: undefined })).map(({ id, seq }) => [id, seq]))
      const seqIn = (id: string) => all.get(id) ?? 0
      const toSeen = ({ seqs, ...part }: SourcePart) => ({ ...part, seqs: Array.from(seqs) })
      const listFrom = async (limit: number, after?: SourcePlace) =>
        (await reads.listSourceParts({ after, lastSeq, limit })).map(toSeen)
      const [one = 0, two = 0, draft = 0, other = 0, later = 0] = ['one', 'two', 'draft', 'other', 'later'].map(seqIn)
      const place = { workspaceId: 1, sourceId: 's', audience: '*' }
      expect(await listFrom(9)).toEqual([
        { ...place, seqs: [one, two, later] },
        { ...place, audience: 'a:m1', seqs: [draft] },
        { ...place, sourceId: 't', seqs: [other] },
      ])
      expect(await listFrom(2)).toEqual([{ ...place, seqs: [one, two] }])
      expect(await listFrom(2, { ...place, seq: two })).toEqual([
        { ...place, seqs: [later] },
        { ...place, audience: 'a:m1', seqs: [draft] },
      ])
      expect(await reads.listSourceParts({ after: undefined, lastSeq: seqOf('one'), limit: 9 })).toHaveLength(1)
      const added = await reads.listAddedToSources(draft, lastSeq)
      expect(added.map(({ seq, workspaceId, audience }) => ({ seq, workspaceId, audience }))).toEqual([
        { seq: other, workspaceId: 1, audience: '*' },
        { seq: later, workspaceId: 1, audience: '*' },
      ])
      expect(added[0]?.earlier).toBeNull()
      expect([one, two, draft]).toContain(added[1]?.earlier ?? 0)
    })

    test('records that are forgotten, restored or erased begin another epoch, and added ones do not', async () => {
      const { reads } = await fill()
      const before = await sequenceOf(reads)
      await suite.insert('four', { sourceId: 's' })
      const added = await sequenceOf(reads)
      expect(added.epoch).toBe(before.epoch)
      expect(added.lastSeq).toBeGreaterThan(before.lastSeq)
      const epochs = [added.epoch]
      const place = { workspaceId: 1, audience: '*' }
      await reads.write((tx) => tx.forgetRecord('one', NOW))
      epochs.push((await sequenceOf(reads)).epoch)
      await reads.write((tx) => tx.restoreRecord('one', place, entry('red apple')))
      epochs.push((await sequenceOf(reads)).epoch)
      await reads.write((tx) => tx.forgetRecord('one', NOW))
      await reads.write((tx) => tx.purgeForgotten(NOW + 1, 9))
      epochs.push((await sequenceOf(reads)).epoch)
      expect(new Set(epochs).size).toBe(4)
      expect(
        (await reads.listSourceParts({ after: undefined, ...added, limit: 9 })).flatMap(({ seqs }) => Array.from(seqs)),
      ).toHaveLength(3)
    })

    for (const rules of [ANALYZER_VERSION, 1]) {
      test(`every workspace is searched at once, where the index is of version ${rules}`, async () => {
        const { reads } = await fill()
        await reads.write(async (tx) => {
          const attic = await tx.insertWorkspace('attic', NOW)
          await tx.insertRecord(record('four', { workspaceId: attic.id, entry: entry('red door', { rules }) }))
          await tx.insertRecord(
            record('other', { workspaceId: attic.id, audience: 'a:m2', entry: entry('red hat', { rules }) }),
          )
          await tx.saveIndexing({ rules, target: rules, reached: 0 })
        })
        const names = new Map((await reads.listRecords({ visible: undefined })).map(({ seq, id }) => [seq, id]))
        const find = async (visible: Visible, terms: string[], beside?: string[]) => {
          const [found = []] = await reads.findPostings({
            visible,
            workspaceId: undefined,
            groups: [terms],
            most: 9,
            ...(beside && { beside }),
          })
          return Array.from(found, (seq) => names.get(seq))
        }
        expect(await find(['*'], ['red'])).toEqual(['four', 'three', 'one'])
        expect(await find(['*', 'a:m1'], ['red'])).toEqual(['four', 'draft', 'three', 'one'])
        expect(await find(['a:m2'], ['red'])).toEqual(['other'])
        expect(await find(undefined, ['red'])).toEqual(['other', 'four', 'draft', 'three', 'one'])
        expect([await find([], ['red']), await find(['*', 'a:m9'], ['hat'])]).toEqual([[], []])
        expect(await find(['*', 'a:m1'], ['red'], ['apple', 'secret'])).toEqual(['draft', 'one'])
      })
    }

    test('statistics, languages and terms are those of visible audiences', async () => {
      const { reads } = await fill()
      expect(await statsOf(reads, ['*'], 1)).toEqual({ records: 3, length: 6 })
      expect(await statsOf(reads, undefined, 1)).toEqual({ records: 4, length: 8 })
      expect(await statsOf(reads, ['*'], 7)).toEqual({ records: 0, length: 0 })
      expect(await statsOf(reads, ['*'], undefined)).toEqual({ records: 3, length: 6 })
      const languagesOf = async (visible: Visible, workspaceId?: number) =>
        (await reads.readIndexFacts(visible, workspaceId)).languages
      expect(await languagesOf(['*'])).toEqual([{ language: 'de', records: 1 }])
      expect(await languagesOf(['*'], 1)).toEqual([{ language: 'de', records: 1 }])
      expect(new Set((await languagesOf(undefined, 1)).map(({ language }) => language))).toEqual(new Set(['de', 'fr']))
      const terms = (audience: string, first: string, end: string, limit = 9) =>
        reads.listTerms({ audience, first, end, limit })
      expect(await terms('*', 'a', 'z')).toEqual([
        { term: 'apple', records: 2 },
        { term: 'green', records: 1 },
        { term: 'pear', records: 1 },
        { term: 'red', records: 2 },
      ])
      expect(await terms('a:m1', 'red', 'z', 1)).toEqual([{ term: 'red', records: 1 }])
      expect(await terms('*', 's', 't')).toEqual([])
    })

    test('a record is counted once in its language, however often its entry is replaced, and not while it is forgotten', async () => {
      const { reads } = await fill()
      const languages = async () => (await reads.readIndexFacts(['*'], 1)).languages
      const replace = async (id: string, language: IndexEntry['language']) => {
        const present = await reads.findRecord(undefined, id)
        if (present === undefined) throw new Error('no record')
        await reads.write((tx) => tx.replaceEntry(present, entry('red pear', { language })))
      }
      await replace('three', 'de')
      await replace('three', 'de')
      expect(await languages()).toEqual([{ language: 'de', records: 1 }])
      await replace('three', 'fi')
      expect(await languages()).toEqual([{ language: 'fi', records: 1 }])
      await reads.write((tx) => tx.forgetRecord('three', NOW))
      expect(await languages()).toEqual([])
      await reads.write((tx) =>
        tx.restoreRecord('three', { workspaceId: 1, audience: '*' }, entry('red pear', { language: 'de' })),
      )
      expect(await languages()).toEqual([{ language: 'de', records: 1 }])
      await reads.write((tx) => tx.sweepIndex())
      expect(await languages()).toEqual([{ language: 'de', records: 1 }])
      expect(await reads.checkIndex()).toMatchObject({ miscounted: 0 })
    })

    test('the facts of an index are those of visible audiences in the workspace, or in all', async () => {
      const { reads } = await fill()
      await reads.write(async (tx) => {
        const attic = await tx.insertWorkspace('attic', NOW)
        await tx.insertRecord(record('four', { workspaceId: attic.id, entry: entry('red door', { language: 'de' }) }))
      })
      const shared = { audience: '*', records: 3, length: 6 }
      const draft = { audience: 'a:m1', records: 1, length: 2 }
      const german = { language: 'de', records: 1 }
      const facts = await reads.readIndexFacts(['*', 'a:m1', 'a:m2'], 1)
      expect(new Set(facts.audiences)).toEqual(new Set([shared, draft]))
      expect(facts).toMatchObject({ indexing: { rules: 1, target: 1, reached: 0 }, projectRecords: 5 })
      expect(await reads.readIndexFacts(['*'], 1)).toMatchObject({ audiences: [shared], languages: [german] })
      expect(await reads.readIndexFacts(['*'], undefined)).toMatchObject({
        audiences: [{ audience: '*', records: 4, length: 8 }],
        languages: [{ language: 'de', records: 2 }],
      })
      expect(await reads.readIndexFacts([], 1)).toMatchObject({ audiences: [], languages: [], projectRecords: 5 })
      await reads.write((tx) => tx.forgetRecord('draft', NOW))
      expect(await reads.readIndexFacts(['*', 'a:m1'], 1)).toMatchObject({ audiences: [shared], projectRecords: 4 })
    })

    test('nothing is known of a project that was never saved into', async () => {
      const facts = await suite.store.project('p1').readIndexFacts(['*'], undefined)
      expect(facts).toMatchObject({ audiences: [], languages: [], projectRecords: 0, sequence: { lastSeq: 0 } })
      expect(facts.indexing).toBeUndefined()
    })

    test('tokens are read encoded up to a number, and as content beyond it', async () => {
      const { reads, seqs, seqOf } = await fill()
      const read = async (codedTo: number) => {
        const rows = await reads.findTokens(['*'], seqs, codedTo)
        return new Map(rows.map(({ seq, length, codes, content }) => [seq, [length, codes && [...codes], content]]))
      }
      expect(await read(Number.MAX_SAFE_INTEGER)).toEqual(
        new Map([
          [seqOf('one'), [2, null, 'content of one']],
          [seqOf('two'), [2, [1, 2, 3, 4], null]],
          [seqOf('three'), [2, null, 'content of three']],
        ]),
      )
      expect((await read(0)).get(seqOf('two'))).toEqual([2, null, 'content of two'])
    })

    test('neighbours are the nearest visible records of the same source', async () => {
      const { reads, seqs, seqOf } = await fill()
      const find = async (visible: string[]) => {
        const found = await reads.findNeighbours(visible, seqs)
        return new Map(found.map(({ seq, before, after }) => [seq, { before, after }]))
      }
      const [one, two, draft] = [seqOf('one'), seqOf('two'), seqOf('draft')]
      expect(await find(['*'])).toEqual(
        new Map([
          [one, { before: [], after: [two] }],
          [two, { before: [one], after: [] }],
        ]),
      )
      expect((await find(['*', 'a:m1'])).get(draft)).toEqual({ before: [two, one], after: [] })
    })

    test('a filter passes records by status and freshness, by visible saves of their source', async () => {
      const { reads, seqs, namesOf } = await fill()
      await reads.write(async (tx) => {
        await tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: 'a:m1' }, { hash: 'h2', at: NOW })
        await tx.updateRecord('two', { status: 'verified' })
      })
      const pass = async (visible: Visible, status: 'verified' | undefined, freshAt: number | undefined) =>
        new Set(namesOf(await reads.filterRecords({ visible, status, freshAt }, seqs)))
      expect(await pass(['*'], undefined, undefined)).toEqual(new Set(['one', 'two', 'three']))
      expect(await pass(['*'], 'verified', undefined)).toEqual(new Set(['two']))
      expect(await pass(['*', 'a:m1'], undefined, NOW)).toEqual(new Set(['two', 'draft']))
      await reads.write((tx) =>
        tx.saveSourceState({ workspaceId: 1, sourceId: 's', audience: '*' }, { hash: 'h1', at: NOW + 1 }),
      )
      expect(await pass(['*', 'a:m1'], undefined, NOW)).toEqual(new Set(['one', 'two', 'draft']))
    })

    test('a small project is returned whole, a larger one not', async () => {
      const { reads, seqOf } = await fill()
      await reads.write((tx) => tx.forgetRecord('two', NOW))
      expect((await reads.listSmallProject(3))?.map(({ seq }) => seq)).toEqual(['one', 'three', 'draft'].map(seqOf))
      expect(await reads.listSmallProject(2)).toBeUndefined()
      await suite.insert('long', { content: 'x'.repeat(5_000) })
      expect(await reads.listSmallProject(4)).toBeUndefined()
    })

    test('forgotten, restored and replaced entries leave an index without differences', async () => {
      const { reads, namesOf } = await fill()
      const find = async (term: string) =>
        namesOf((await reads.findPostings({ visible: undefined, workspaceId: 1, groups: [[term]], most: 9 }))[0] ?? [])
      await reads.write((tx) => tx.forgetRecord('one', NOW))
      expect([await find('red'), await find('apple')]).toEqual([['draft', 'three'], ['two']])
      await reads.write((tx) => tx.restoreRecord('one', { workspaceId: 1, audience: '*' }, entry('blue apple pie')))
      expect([await find('blue'), await find('apple')]).toEqual([['one'], ['two', 'one']])
      const two = await reads.findRecord(undefined, 'two')
      if (two === undefined) throw new Error('no record')
      await reads.write((tx) => tx.replaceEntry(two, entry('yellow apple')))
      expect([await find('green'), await find('yellow')]).toEqual([[], ['two']])
      expect(await statsOf(reads, ['*'], 1)).toEqual({ records: 3, length: 7 })
      const sound = { records: 4, missing: 0, orphaned: 0, miscounted: 0, sound: true }
      expect(await reads.checkIndex()).toEqual(sound)
      await reads.write((tx) => tx.sweepIndex())
      expect(await reads.checkIndex()).toEqual(sound)
    })

    test('the version of the analyzer is that of the first save, until it is set', async () => {
      const reads = suite.store.project('p1')
      expect((await reads.readIndexFacts([], undefined)).indexing).toBeUndefined()
      await suite.insert('one')
      expect((await reads.readIndexFacts([], undefined)).indexing).toEqual({ rules: 1, target: 1, reached: 0 })
      await reads.write((tx) => tx.saveIndexing({ rules: 1, target: 2, reached: 7 }))
      expect((await reads.readIndexFacts([], undefined)).indexing).toEqual({ rules: 1, target: 2, reached: 7 })
    })
  })
}

/** Number and total length of the records that some audiences have in the index. */
async function statsOf(reads: ProjectReads, visible: string[] | undefined, workspaceId: number | undefined) {
  const { audiences } = await reads.readIndexFacts(visible, workspaceId)
  const sum = (of: 'records' | 'length') => audiences.reduce((total, one) => total + one[of], 0)
  return { records: sum('records'), length: sum('length') }
}
