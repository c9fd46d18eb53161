import { describe, expect, test } from 'bun:test'
import type { HistoryGeneration, HistorySegment, HistorySource, HistoryStore } from '../../../src/store/history.ts'
import { HISTORY_ROW_BYTES } from '../../../src/store/history.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { idsOf, NOW, type Suite } from './context.ts'

const source = (id: string, change: Partial<HistorySource> = {}): HistorySource => ({
  id,
  ownerId: 'm1',
  device: 'd1',
  assistant: 'claude-code',
  sourceKey: `${id}.jsonl`,
  sessionId: `session of ${id}`,
  kind: 'main',
  parentSessionId: null,
  cwd: null,
  gitBranch: null,
  appVersion: null,
  title: null,
  firstAt: null,
  lastAt: null,
  createdAt: NOW,
  receivedAt: null,
  activeAt: NOW,
  generation: 1,
  shown: 1,
  lines: 0,
  erasedAt: null,
  closedAt: null,
  forgottenAt: null,
  ...change,
})

const generation = (sourceId: string, change: Partial<HistoryGeneration> = {}): HistoryGeneration => ({
  sourceId,
  generation: 1,
  rawEnd: 0,
  chain: '0',
  lines: 0,
  erasedLines: 0,
  lastAt: null,
  ...change,
})

const segment = (sourceId: string, change: Partial<HistorySegment> = {}): Omit<HistorySegment, 'id' | 'firstLine' | 'lines'> => ({
  sourceId,
  generation: 1,
  rawStart: 0,
  rawEnd: 10,
  digest: 'd',
  chain: 'c',
  rules: 'r1',
  receivedAt: NOW,
  ...change,
})

/** A key of 16 bytes in hexadecimal. */
const keyOf = (name: string) => Bun.SHA256.hash(name, 'hex').slice(0, 32)

/** Adds a segment with these records, of which those that nobody has yet make one block, and keeps it. */
async function addSegment(store: HistoryStore, sourceId: string, names: string[], change: Partial<HistorySegment> = {}): Promise<number> {
  return store.write(async (tx) => {
    const keys = names.map(keyOf)
    const known = await tx.listKnownKeys(keys)
    const fresh = keys.filter((key) => !known.includes(key))
    const id = await tx.insertSegment(segment(sourceId, change))
    const records = fresh.map((key, at) => ({ key, at: at * 10, length: 10 }))
    const block = { ownerId: 'm1', data: new Uint8Array(fresh.length * 5), rawBytes: fresh.length * 10 }
    if (fresh.length > 0) await tx.insertBlock(block, records)
    await tx.insertLines(id, 0, keys)
    await tx.keepSegment(id, change.firstLine ?? 1, keys.length)
    return id
  })
}

/** The places in blocks of the lines of a source. */
const linesOf = async (store: HistoryStore, sourceId: string, from = 1, limit = 100) =>
  (await store.listLines({ sourceId, generation: 1, from, limit })).map(({ line, at }) => `${line}@${at}`)

/** Session histories, beside the records of a project. */
export function describeHistories(suite: Suite): void {
  describe('session histories', () => {
    test('a project has none before the first is made, and its own alone', async () => {
      expect(await suite.store.hasHistory('p1')).toBe(false)
      await suite.store.history('p1').write((tx) => tx.insertSource(source('s1')))
      expect([await suite.store.hasHistory('p1'), await suite.store.hasHistory('p2')]).toEqual([true, false])
      expect(await suite.store.history('p2').findSource('s1')).toBeUndefined()
      expect(await rejectionOf(suite.store.history('p9').findSource('s1'))).toBe("no project 'p9'")
      await suite.store.eraseProject('p2')
      expect(await suite.store.history('p1').findSource('s1')).toEqual(source('s1'))
    })

    test('a source is found by its name while it is not forgotten; then the name is free', async () => {
      const store = suite.store.history('p1')
      await store.write((tx) => tx.insertSource(source('s1')))
      expect(await rejectionOf(store.write((tx) => tx.insertSource(source('s2', { sourceKey: 's1.jsonl' }))))).toBeString()
      await store.write((tx) => tx.updateSource('s1', { forgottenAt: NOW }))
      await store.write((tx) => tx.insertSource(source('s2', { sourceKey: 's1.jsonl' })))
      expect((await store.findSourceByKey('m1', 'claude-code', 's1.jsonl'))?.id).toBe('s2')
      expect(await store.findSourceByKey('m2', 'claude-code', 's1.jsonl')).toBeUndefined()
      expect(idsOf(await store.listAllSources({ limit: 9 }))).toEqual(['s2'])
      expect(await store.listEmptySources(9)).toEqual(['s1'])
      await store.write((tx) => tx.eraseSource('s1'))
      expect(await store.findSource('s1')).toBeUndefined()
    })

    test('sources with lines are listed, last active first, of one owner and one assistant', async () => {
      const store = suite.store.history('p1')
      await store.write(async (tx) => {
        for (const [at, id] of ['s1', 's2', 's3'].entries())
          await tx.insertSource(source(id, { activeAt: NOW + at, lines: 1, receivedAt: NOW + at }))
        await tx.insertSource(source('s4', { lines: 1, assistant: 'codex' }))
        await tx.insertSource(source('s5', { lines: 1, ownerId: 'm2' }))
        await tx.insertSource(source('s6'))
      })
      expect(idsOf(await store.listSources({ ownerId: 'm1', assistant: 'claude-code', limit: 2 }))).toEqual(['s3', 's2'])
      expect(idsOf(await store.listSources({ ownerId: 'm1', before: { activeAt: NOW + 1, id: 's2' }, limit: 9 }))).toEqual(['s4', 's1'])
      expect(idsOf(await store.listAllSources({ ownerId: 'm1', afterId: 's3', limit: 9 }))).toEqual(['s4', 's6'])
      expect(idsOf(await store.listIdleSources(NOW + 2, 9))).toEqual(['s1', 's2'])
      expect(await store.listOwners()).toEqual(['m1', 'm2'])
    })

    test('sources with lines are found by the beginning of their id or of that of their session, those of exactly this session first', async () => {
      const store = suite.store.history('p1')
      const sources = [
        source('s-1', { sessionId: 'abcd', kind: 'subagent', lines: 1 }),
        source('s-2', { sessionId: 'abcd', lines: 1 }),
        source('s-3', { sessionId: 'abcde', lines: 1 }),
        source('abc', { sessionId: 'x', lines: 1 }),
        source('s-5', { sessionId: 'abcd' }),
        source('s-6', { sessionId: 'abcd', lines: 1, ownerId: 'm2' }),
        source('s-7', { sessionId: 'abcd', lines: 1, forgottenAt: NOW }),
        source('s-8', { sessionId: 'ABCD%_', lines: 1 }),
      ]
      await store.write(async (tx) => {
        for (const one of sources) await tx.insertSource(one)
      })
      const find = async (text: string, limit = 9) => idsOf(await store.findSourcesNamed('m1', text, limit))
      expect(await find('abcd')).toEqual(['s-2', 's-1', 's-3'])
      expect(await find('abc')).toEqual(['abc', 's-2', 's-3', 's-1'])
      expect(await find('s-')).toEqual(['s-2', 's-3', 's-8', 's-1'])
      expect([await find('abcd', 1), await find('abcd%'), await find('ABCD%'), await find('bcd')]).toEqual([['s-2'], [], ['s-8'], []])
    })

    test('a session leads to its subagents, and a list may leave them out', async () => {
      const store = suite.store.history('p1')
      await store.write(async (tx) => {
        await tx.insertSource(source('s1', { lines: 1, sessionId: 'one' }))
        await tx.insertSource(source('s2', { lines: 1, kind: 'subagent', parentSessionId: 'one' }))
        await tx.insertSource(source('s3', { lines: 1, parentSessionId: 'one' }))
        await tx.insertSource(source('s4', { kind: 'subagent', parentSessionId: 'one' }))
      })
      expect(idsOf(await store.listSubagents('m1', 'claude-code', 'one'))).toEqual(['s2'])
      expect(await store.listSubagents('m2', 'claude-code', 'one')).toEqual([])
      expect(idsOf(await store.listSources({ ownerId: 'm1', kind: 'main', limit: 9 }))).toEqual(['s3', 's1'])
    })

    test('lines are read from any number on, over all segments, and those of a segment that is not kept are not', async () => {
      const store = suite.store.history('p1')
      await store.write(async (tx) => {
        await tx.insertSource(source('s1'))
        await tx.saveGeneration(generation('s1'))
        await tx.saveGeneration(generation('s1', { lines: 5, rawEnd: 30, chain: 'c2' }))
        const unkept = await tx.insertSegment(segment('s1', { rawStart: 30 }))
        await tx.insertBlock({ ownerId: 'm1', data: new Uint8Array(1), rawBytes: 10 }, [{ key: keyOf('z'), at: 0, length: 10 }])
        await tx.insertLines(unkept, 0, [keyOf('z')])
      })
      await addSegment(store, 's1', ['a', 'b'])
      await addSegment(store, 's1', [], { rawStart: 10, rawEnd: 20, firstLine: 3 })
      await addSegment(store, 's1', ['a', 'c', 'b'], { rawStart: 20, rawEnd: 30, firstLine: 3 })
      expect(await linesOf(store, 's1')).toEqual(['1@0', '2@10', '3@0', '4@0', '5@10'])
      expect(await linesOf(store, 's1', 2, 2)).toEqual(['2@10', '3@0'])
      expect(await linesOf(store, 's1', 5)).toEqual(['5@10'])
      expect(await linesOf(store, 's1', 6)).toEqual([])
      expect((await store.findSegment('s1', 1, 20))?.firstLine).toBe(3)
      expect(await store.findSegment('s1', 1, 30)).toBeUndefined()
      expect(await store.findGeneration('s1', 1)).toEqual(generation('s1', { lines: 5, rawEnd: 30, chain: 'c2' }))
      expect(await store.listGenerations('s1')).toHaveLength(1)
      expect(await rejectionOf(addSegment(store, 's1', [], { rawStart: 20 }))).toBeString()
    })

    test('what two sources have is stored once, stays while one has it, and then goes with its block', async () => {
      const store = suite.store.history('p1')
      await store.write(async (tx) => {
        for (const id of ['s1', 's2']) {
          await tx.insertSource(source(id))
          await tx.saveGeneration(generation(id, { lines: 2 }))
        }
      })
      await addSegment(store, 's1', ['a', 'b'])
      await addSegment(store, 's2', ['b', 'b'])
      expect(await linesOf(store, 's2')).toEqual(['1@10', '2@10'])
      const { bytes } = await store.readHistoryUsage()
      expect(await store.readHistoryBytes()).toBe(bytes)
      expect(bytes).toBe(
        2 * HISTORY_ROW_BYTES.source + 2 * HISTORY_ROW_BYTES.segment + 4 * HISTORY_ROW_BYTES.line + 2 * HISTORY_ROW_BYTES.record + 10,
      )
      await store.write((tx) => tx.updateSource('s1', { forgottenAt: NOW }))
      const [dead = 0, ...others] = await store.listDeadSegments(0, 9)
      expect(others).toEqual([])
      expect([await store.write((tx) => tx.eraseLines(dead, 1)), await store.write((tx) => tx.eraseLines(dead, 9))]).toEqual([false, true])
      const [block = 0, ...fresh] = await store.listBlocks({ after: 0, limit: 9, isStale: true })
      expect(fresh).toEqual([])
      const [left, ...gone] = await store.listRecordsOfBlock(block)
      expect(gone).toEqual([])
      expect(left).toMatchObject({ key: keyOf('b'), at: 10 })
      const moved = { ownerId: 'm1', data: new Uint8Array(3), rawBytes: 10 }
      await store.write((tx) => tx.replaceBlock(block, moved, left === undefined ? [] : [{ ...left, at: 0 }]))
      expect([await store.findBlock(block), await linesOf(store, 's2')]).toEqual([undefined, ['1@0', '2@0']])
      const [line] = await store.listLines({ sourceId: 's2', generation: 1, from: 1, limit: 1 })
      expect((await store.findBlock(line?.block ?? 0))?.data).toEqual(Buffer.alloc(3))
      await store.write((tx) => tx.eraseSource('s1'))
      await store.scrub()
      const kept = HISTORY_ROW_BYTES.source + HISTORY_ROW_BYTES.segment + 2 * HISTORY_ROW_BYTES.line + HISTORY_ROW_BYTES.record + 3
      expect(await store.readHistoryUsage('m1')).toEqual({ bytes: kept, sources: 0, receivedAt: NOW })
    })

    test('erased lines are read no more, and their segments are dead; so are those that were never kept, after their time', async () => {
      const store = suite.store.history('p1')
      await store.write(async (tx) => {
        await tx.insertSource(source('s1'))
        await tx.saveGeneration(generation('s1', { lines: 3, erasedLines: 2 }))
        await tx.insertSegment(segment('s1', { rawStart: 99 }))
      })
      const dead = await addSegment(store, 's1', ['a', 'b'])
      await addSegment(store, 's1', ['c'], { rawStart: 10, firstLine: 3 })
      expect(await linesOf(store, 's1')).toEqual(['3@0'])
      expect(await store.listDeadSegments(NOW, 9)).toEqual([dead])
      expect(await store.listDeadSegments(NOW + 1, 9)).toHaveLength(2)
      await store.write(async (tx) => {
        for (const id of await tx.listDeadSegments(NOW + 1, 9)) await tx.eraseLines(id, 9)
        for (const id of await tx.listBlocks({ after: 0, limit: 9, isStale: true })) await tx.eraseBlock(id)
      })
      expect(await store.listBlocks({ after: 0, limit: 9, isStale: true })).toEqual([])
      expect(await linesOf(store, 's1')).toEqual(['3@0'])
      expect(await store.readHistoryUsage('m2')).toEqual({ bytes: 0, sources: 0, receivedAt: null })
    })
  })
}
