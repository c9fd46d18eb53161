import { describe, expect, test } from 'bun:test'
import { HISTORY_ROW_BYTES, type HistorySource, type Suggestion, sumBytes } from '../../../src/store/history.ts'
import type { HistoryStore } from '../../../src/store/history-verbs.ts'
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
  chain: '0',
  lastId: null,
  sinceId: 0,
  lines: 0,
  lastLine: 0,
  erasedLines: 0,
  erasedAt: null,
  closedAt: null,
  forgottenAt: null,
  examinedLine: 0,
  ...change,
})

/** A key of 16 bytes in hexadecimal. */
const keyOf = (name: string) => Bun.SHA256.hash(name, 'hex').slice(0, 32)

/** Stores lines with a block of their texts of 10 bytes each, compressed to 5: their numbers by their names. */
const addLines = (store: HistoryStore, sourceId: string, names: Record<string, number>) =>
  store.write(async (tx) => {
    const entries = Object.entries(names)
    const lines = entries.map(([name, line], at) => ({
      key: keyOf(name),
      hash: keyOf(`text of ${name}`),
      line,
      at: at * 10,
      length: 10,
    }))
    await tx.insertLines({ sourceId, data: new Uint8Array(lines.length * 5) }, lines)
    await tx.updateSource(sourceId, {
      lastLine: Math.max((await tx.findSource({ id: sourceId }))?.lastLine ?? 0, ...Object.values(names)),
    })
  })

/** The places in blocks of the lines of a source. */
const linesOf = async (store: HistoryStore, sourceId: string, from = 1, limit = 100) =>
  (await store.listLines({ sourceId, from, limit })).map(({ line, at }) => `${line}@${at}`)

/** Session histories, beside the records of a project. */
export function describeHistories(suite: Suite): void {
  describe('session histories', () => {
    test('a project has none before the first is made, and its own alone', async () => {
      expect(await suite.store.hasHistory('p1')).toBe(false)
      await suite.store.history('p1').write((tx) => tx.insertSource(source('s1')))
      expect([await suite.store.hasHistory('p1'), await suite.store.hasHistory('p2')]).toEqual([true, false])
      expect(await suite.store.history('p2').findSource({ id: 's1' })).toBeUndefined()
      expect(await rejectionOf(suite.store.history('p9').findSource({ id: 's1' }))).toBe("no project 'p9'")
      await suite.store.eraseProject('p2')
      expect(await suite.store.history('p1').findSource({ id: 's1' })).toEqual(source('s1'))
    })

    test('a source is found by its name while it is not forgotten; then the name is free', async () => {
      const store = suite.store.history('p1')
      await store.write((tx) => tx.insertSource(source('s1')))
      expect(
        await rejectionOf(store.write((tx) => tx.insertSource(source('s2', { sourceKey: 's1.jsonl' })))),
      ).toBeString()
      await store.write((tx) => tx.updateSource('s1', { forgottenAt: NOW }))
      await store.write((tx) => tx.insertSource(source('s2', { sourceKey: 's1.jsonl' })))
      expect((await store.findSource({ ownerId: 'm1', assistant: 'claude-code', sourceKey: 's1.jsonl' }))?.id).toBe(
        's2',
      )
      expect(await store.findSource({ ownerId: 'm2', assistant: 'claude-code', sourceKey: 's1.jsonl' })).toBeUndefined()
      expect(idsOf(await store.listAllSources({ limit: 9 }))).toEqual(['s2'])
      expect(idsOf(await store.listErased(9))).toEqual(['s1'])
      await store.write((tx) => tx.eraseLines('s1', 9))
      expect(await store.findSource({ id: 's1' })).toBeUndefined()
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
      expect(idsOf(await store.listSources({ ownerId: 'm1', assistant: 'claude-code', limit: 2 }))).toEqual([
        's3',
        's2',
      ])
      expect(
        idsOf(await store.listSources({ ownerId: 'm1', before: { activeAt: NOW + 1, id: 's2' }, limit: 9 })),
      ).toEqual(['s4', 's1'])
      expect(idsOf(await store.listAllSources({ ownerId: 'm1', afterId: 's3', limit: 9 }))).toEqual(['s4', 's6'])
      expect(idsOf(await store.listIdleSources(NOW + 2, 9))).toEqual(['s1', 's2'])
      expect(idsOf(await store.listOwners())).toEqual(['m1', 'm2'])
      expect(await store.readHistoryUsage('m1')).toEqual({
        bytes: 5 * HISTORY_ROW_BYTES.source,
        sources: 4,
        receivedAt: NOW + 2,
      })
    })

    test('passages of a source are found by their words, by their owner alone, until their lines change or go', async () => {
      const store = suite.store.history('p1')
      const passage = (first: number, words: number[]) => ({
        first,
        last: first + 1,
        words,
        lines: new Uint8Array([first]),
        rules: 1,
      })
      await store.write(async (tx) => {
        await tx.insertSource(source('s1', { lines: 4, lastLine: 4, gitBranch: 'main' }))
        await tx.insertSource(source('s2', { lines: 2, lastLine: 2, ownerId: 'm2' }))
        await tx.savePassages('s1', [passage(1, [7, 2 ** 32 - 1]), passage(3, [7])])
        await tx.savePassages('s2', [passage(1, [8])])
        await tx.savePassages('s9', [passage(1, [7])])
      })
      const find = async (groups: number[][], ownerId = 'm1') => {
        const lists = await store.findPassages({ ownerId, groups, limit: 9 })
        return Promise.all(
          lists.map(async (list) => (await store.readPassages(ownerId, list)).map(({ first }) => first)),
        )
      }
      expect(await find([[7], [2 ** 32 - 1, 9], [9]])).toEqual([[1, 3], [1], []])
      expect(await find([[8]])).toEqual([[]])
      expect(await find([[8]], 'm2')).toEqual([[1]])
      expect(await store.listIndexed({ rules: 1, limit: 9 })).toEqual([
        { id: 's1', lastLine: 4, indexed: 4 },
        { id: 's2', lastLine: 2, indexed: 2 },
      ])
      expect(await store.listIndexed({ rules: 2, afterId: 's1', limit: 9 })).toEqual([
        { id: 's2', lastLine: 2, indexed: 0 },
      ])
      const filter = { ownerId: 'm1', numbers: [1, 2], limit: 9 }
      expect(
        (await store.listFoundSources({ ...filter, gitBranch: 'main' })).map(({ id, number }) => [id, number]),
      ).toEqual([['s1', 1]])
      expect(await store.listFoundSources({ ...filter, since: NOW + 1 })).toEqual([])
      await addLines(store, 's1', { a: 4 })
      expect(await store.findLastPassage('s1')).toEqual({ first: 1, last: 2, rules: 1 })
      await store.write((tx) => tx.dropPassages('s1', 2))
      expect(await find([[7]])).toEqual([[]])
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
      expect([await find('abcd', 1), await find('abcd%'), await find('ABCD%'), await find('bcd')]).toEqual([
        ['s-2'],
        [],
        ['s-8'],
        [],
      ])
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

    test('lines are read from any number on, over all blocks, and found by their keys', async () => {
      const store = suite.store.history('p1')
      await store.write((tx) => tx.insertSource(source('s1')))
      await store.write((tx) => tx.insertSource(source('s2')))
      await addLines(store, 's1', { a: 1, b: 2 })
      await addLines(store, 's2', { z: 1 })
      await addLines(store, 's1', { c: 3, d: 4, e: 5 })
      expect(await linesOf(store, 's1')).toEqual(['1@0', '2@10', '3@0', '4@10', '5@20'])
      expect(await linesOf(store, 's1', 2, 2)).toEqual(['2@10', '3@0'])
      expect(await linesOf(store, 's1', 6)).toEqual([])
      expect(await store.findLines([keyOf('d'), keyOf('unknown')])).toEqual([
        { key: keyOf('d'), hash: keyOf('text of d'), line: 4 },
      ])
      expect(await rejectionOf(addLines(store, 's2', { a: 2 }))).toBeString()
    })

    test('a line that is stored again replaces what it was, whose block becomes stale, and goes with its last line', async () => {
      const store = suite.store.history('p1')
      await store.write((tx) => tx.insertSource(source('s1')))
      await addLines(store, 's1', { a: 1, b: 2 })
      await addLines(store, 's1', { a: 1 })
      const bytes = HISTORY_ROW_BYTES.source + 2 * HISTORY_ROW_BYTES.line
      expect([await linesOf(store, 's1'), sumBytes(await store.listOwners())]).toEqual([['1@0', '2@10'], bytes + 15])
      const [block = 0, ...fresh] = await store.listBlocks({ after: 0, limit: 9, isStale: true })
      expect(fresh).toEqual([])
      const [left, ...gone] = await store.listLinesOfBlock(block)
      expect([left?.at, gone]).toEqual([10, []])
      const moved = { sourceId: 's1', data: new Uint8Array(3) }
      await store.write((tx) => tx.replaceBlock(block, moved, left === undefined ? [] : [{ ...left, at: 0 }]))
      expect([await store.findBlock(block), await linesOf(store, 's1')]).toEqual([undefined, ['1@0', '2@0']])
      const [, second] = await store.listLines({ sourceId: 's1', from: 1, limit: 2 })
      expect(await store.findBlock(second?.block ?? 0)).toEqual({
        id: second?.block ?? 0,
        sourceId: 's1',
        data: Buffer.alloc(3),
      })
      expect(await store.readHistoryUsage()).toEqual({ bytes: bytes + 8, sources: 0, receivedAt: null })
      await addLines(store, 's1', { b: 2 })
      expect(await store.findBlock(second?.block ?? 0)).toBeUndefined()
      expect(await store.listBlocks({ after: 0, limit: 9, isStale: true })).toEqual([])
    })

    test('erased lines are read no more, and removed with their blocks; a source that is forgotten loses all', async () => {
      const store = suite.store.history('p1')
      for (const id of ['s1', 's2']) await store.write((tx) => tx.insertSource(source(id)))
      await addLines(store, 's1', { a: 1, b: 2, c: 3 })
      await addLines(store, 's2', { d: 1 })
      const named = async () => {
        const names = [1, 2, 3, 4].flatMap((line) => [1, 2, 9].map((source) => ({ source, line })))
        return (await store.listLinesNamed(names)).map(({ source, line, at }) => `${source}.${line}@${at}`).sort()
      }
      expect(await named()).toEqual(['1.1@0', '1.2@10', '1.3@20', '2.1@0'])
      await store.write((tx) => tx.updateSource('s1', { erasedLines: 2 }))
      expect([await linesOf(store, 's1'), idsOf(await store.listErased(9))]).toEqual([['3@20'], ['s1']])
      expect(await named()).toEqual(['1.3@20', '2.1@0'])
      const erase = (id: string, limit: number) => store.write((tx) => tx.eraseLines(id, limit))
      expect([await erase('s1', 1), await erase('s1', 9)]).toEqual([true, false])
      expect([await linesOf(store, 's1'), await store.listErased(9)]).toEqual([['3@20'], []])
      const stale = await store.listBlocks({ after: 0, limit: 9, isStale: true })
      expect(stale).toHaveLength(1)
      await store.write((tx) => tx.updateSource('s1', { forgottenAt: NOW }))
      expect(await named()).toEqual(['2.1@0'])
      expect([idsOf(await store.listErased(9)), await erase('s1', 9)]).toEqual([['s1'], false])
      await store.scrub(() => false)
      expect([await store.listErased(9), await store.findBlock(stale[0] ?? 0)]).toEqual([[], undefined])
      const left = HISTORY_ROW_BYTES.source + HISTORY_ROW_BYTES.line + 5
      expect(await store.readHistoryUsage('m1')).toEqual({ bytes: left, sources: 0, receivedAt: null })
      expect(await store.readHistoryUsage('m2')).toEqual({ bytes: 0, sources: 0, receivedAt: null })
    })

    test('main sessions of an owner are unexamined until all of their lines are examined, once nothing arrives any more', async () => {
      const store = suite.store.history('p1')
      const full = { lines: 2, lastLine: 2, receivedAt: NOW }
      await store.write(async (tx) => {
        await tx.insertSource(source('s1', full))
        await tx.insertSource(source('s2', { ...full, activeAt: NOW + 1 }))
        await tx.insertSource(source('s3', { ...full, kind: 'subagent' }))
        await tx.insertSource(source('s4', { ...full, ownerId: 'm2' }))
        await tx.insertSource(source('s5', { ...full, receivedAt: NOW + 9 }))
      })
      const list = async () => idsOf(await store.listUnexamined('m1', NOW + 5, 9))
      expect(await list()).toEqual(['s2', 's1'])
      await store.write((tx) => tx.updateSource('s2', { examinedLine: 2 }))
      expect(await list()).toEqual(['s1'])
    })

    test('suggestions are listed by owner or session and state, changed, and erased', async () => {
      const store = suite.store.history('p1')
      const suggestion = (id: string, change: Partial<Suggestion> = {}): Suggestion => ({
        ...{ id, ownerId: 'm1', sourceId: 's1', line: 1, state: 'open', text: `text ${id}`, terms: id, createdAt: NOW },
        ...change,
      })
      const all = [
        suggestion('g1'),
        suggestion('g2', { createdAt: NOW + 1, sourceId: 's2' }),
        suggestion('g3', { state: 'dismissed' }),
        suggestion('g4', { ownerId: 'm2' }),
      ]
      await store.write((tx) => tx.insertSuggestions(all))
      const list = async (of: { ownerId: string } | { sourceId: string }, state?: Suggestion['state']) =>
        idsOf(await store.listSuggestions({ of, ...(state && { state }), limit: 9 }))
      expect(await list({ ownerId: 'm1' }, 'open')).toEqual(['g2', 'g1'])
      expect([await list({ sourceId: 's1' }), await list({ ownerId: 'm1' })]).toEqual([
        ['g1', 'g3', 'g4'],
        ['g2', 'g1', 'g3'],
      ])
      const change = { state: 'kept', text: 'masked', terms: 'mask' } as const
      await store.write((tx) => tx.updateSuggestion('g1', change))
      expect(await store.findSuggestion('g1')).toEqual(suggestion('g1', change))
      await store.write((tx) => tx.eraseSuggestions({ ownerId: 'm1' }))
      expect([await list({ ownerId: 'm1' }), await list({ ownerId: 'm2' })]).toEqual([['g1', 'g3'], ['g4']])
      await store.write((tx) => tx.eraseSuggestions({ sourceId: 's1' }))
      expect([await list({ ownerId: 'm1' }), await suite.store.history('p2').findSuggestion('g1')]).toEqual([
        [],
        undefined,
      ])
    })

    test('who agreed to suggestions is remembered until they no longer do, whatever they have stored', async () => {
      const store = suite.store.history('p1')
      const agree = (at: number | null) => store.write((tx) => tx.setAgreed('m1', at))
      await agree(NOW)
      await agree(NOW + 1)
      expect(await store.listOwners()).toEqual([{ id: 'm1', bytes: 0, agreedAt: NOW + 1 }])
      await store.write((tx) => tx.insertSource(source('s1')))
      await agree(null)
      expect(await store.listOwners()).toEqual([{ id: 'm1', bytes: HISTORY_ROW_BYTES.source, agreedAt: null }])
      await agree(NOW)
      await store.write((tx) => tx.updateSource('s1', { forgottenAt: NOW }))
      await store.write((tx) => tx.eraseLines('s1', 9))
      expect(await store.listOwners()).toEqual([{ id: 'm1', bytes: 0, agreedAt: NOW }])
      await agree(null)
      expect(await store.listOwners()).toEqual([])
    })
  })
}
