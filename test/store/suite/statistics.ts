import { describe, expect, test } from 'bun:test'
import type { SourcePage } from '../../../src/store/statistics.ts'
import { NOW, type Suite } from './context.ts'

const DAY_MS = 86_400_000
const TODAY = Math.floor(NOW / DAY_MS)

/** Counts of records. */
export function describeStatistics(suite: Suite): void {
  describe('statistics', () => {
    test('records are counted by the day of their last save, their status and their author, as far as they pass a filter', async () => {
      const project = suite.store.project('p1')
      await project.write(async (tx) => void (await tx.insertWorkspace('default', NOW)))
      const gone = await project.write((tx) => tx.insertWorkspace('gone', NOW))
      await suite.insert('a', { createdAt: NOW, sourceId: 's' })
      await suite.insert('b', { createdAt: NOW + DAY_MS - 1, sourceId: 's' })
      await suite.insert('c', { createdAt: NOW, refreshedAt: NOW + DAY_MS, status: 'verified' })
      await suite.insert('d', { createdAt: NOW, audience: 'a:m2', authorId: 'm2' })
      await suite.insert('e', { createdAt: NOW, workspaceId: gone.id, status: 'verified' })
      await suite.insert('f', { createdAt: NOW })
      await project.write(async (tx) => {
        await tx.updateWorkspace(gone.id, { removedAt: NOW })
        await tx.forgetRecord('f', NOW)
      })
      const counts = async (filter: Partial<Parameters<typeof project.countByDay>[0]>) =>
        (await project.countByDay({ visible: undefined, ...filter }))
          .map(({ day, status, authorId, records }) => `${day - TODAY} ${status} ${authorId} ${records}`)
          .toSorted()
      expect(await counts({})).toEqual(['0 unverified m1 2', '0 unverified m2 1', '1 verified m1 1'])
      expect(await counts({ visible: ['*'] })).toEqual(['0 unverified m1 2', '1 verified m1 1'])
      expect(await counts({ visible: [] })).toEqual([])
      expect(await counts({ savedFrom: NOW + DAY_MS })).toEqual(['1 verified m1 1'])
      expect(await counts({ sourceId: 's', savedUntil: NOW })).toEqual(['0 unverified m1 1'])
      const present = [project.countRecords(undefined), project.countRecords(['*']), project.countRecords([], 1)]
      expect(await Promise.all(present)).toEqual([4, 3, 0])
      expect(await project.countRecords(undefined, gone.id)).toBe(0)
      const settled = [undefined, ['*'], []].map((visible) => project.countSettled(visible))
      expect(await Promise.all(settled)).toEqual([2, 2, 0])
    })

    test('sources are listed and counted by what is visible, with their stale records', async () => {
      const project = suite.store.project('p1')
      const second = await project.write(async (tx) => {
        await tx.insertWorkspace('default', NOW)
        return tx.insertWorkspace('second', NOW)
      })
      const gone = await project.write((tx) => tx.insertWorkspace('gone', NOW))
      await suite.insert('a', { sourceId: 'Docs/one', sourceHash: 'h1' })
      await suite.insert('b', { sourceId: 'Docs/one', sourceHash: 'h2', createdAt: NOW + 5 })
      await suite.insert('c', { sourceId: 'Docs/one', sourceHash: 'h2', status: 'superseded' })
      await suite.insert('d', { sourceId: 'Docs/one', sourceHash: 'h3', audience: 'a:m2', createdAt: NOW + 9 })
      await suite.insert('e', { sourceId: 'two', expiresAt: NOW + 9 })
      await suite.insert('f', { sourceId: 'two', workspaceId: second.id })
      await suite.insert('g', { sourceId: 'gone', workspaceId: gone.id, sourceHash: 'x' })
      await suite.insert('h', { expiresAt: NOW + 9 })
      await suite.insert('i', { sourceId: 'hidden', audience: 'a:m2', sourceHash: 'y' })
      await project.write(async (tx) => {
        await tx.updateWorkspace(gone.id, { removedAt: NOW })
        await tx.saveSourceState({ workspaceId: 1, sourceId: 'Docs/one', audience: '*' }, { hash: 'h2', at: NOW })
        await tx.saveSourceState(
          { workspaceId: 1, sourceId: 'Docs/one', audience: 'a:m2' },
          { hash: 'h3', at: NOW + 1 },
        )
      })
      const list = async (page: Partial<SourcePage> = {}) =>
        (await project.listSources({ visible: ['*'], workspaceIds: [second.id, 1], limit: 9, ...page })).map(
          ({ workspaceId, sourceId, records }) => `${workspaceId} ${sourceId} ${records}`,
        )
      const all = [`${second.id} two 1`, '1 Docs/one 3', '1 two 1']
      expect([await list(), await list({ limit: 1 }), await list({ visible: [] })]).toEqual([all, all.slice(0, 1), []])
      expect(await list({ visible: undefined })).toEqual([
        `${second.id} two 1`,
        '1 Docs/one 4',
        '1 hidden 1',
        '1 two 1',
      ])
      expect(await list({ workspaceIds: [1, second.id], after: 'Docs/one' })).toEqual(['1 two 1', `${second.id} two 1`])
      expect([
        await list({ workspaceIds: [1] }),
        await list({ workspaceIds: [] }),
        await list({ workspaceIds: [gone.id] }),
      ]).toEqual([all.slice(1), [], []])
      expect([await list({ text: 'DOCS/' }), await list({ text: '%' })]).toEqual([['1 Docs/one 3'], []])
      const one = { workspaceId: 1, sourceId: 'Docs/one' }
      expect(await project.listLargestSources(['*'], 2)).toEqual({
        sources: [
          { ...one, records: 3 },
          { workspaceId: 1, sourceId: 'two', records: 1 },
        ],
        count: 3,
      })
      const summarize = (visible: string[], now: number) =>
        project.summarizeSources(
          visible,
          [{ workspaceId: 1, sourceId: 'two' }, { workspaceId: 1, sourceId: 'hidden' }, one],
          now,
        )
      expect(await summarize(['*'], NOW + 8)).toEqual([
        { workspaceId: 1, sourceId: 'two', records: 1, stale: 0, hash: undefined, savedAt: NOW },
        { ...one, records: 3, stale: 2, hash: 'h2', savedAt: NOW + 5 },
      ])
      expect(
        (await summarize(['*', 'a:m2'], NOW + 9)).map(({ records, stale, hash }) => [records, stale, hash]),
      ).toEqual([
        [1, 1, undefined],
        [1, 1, undefined],
        [4, 3, 'h3'],
      ])
      const stale = (visible: string[] | undefined, now: number) => project.countStale(visible, now)
      expect([await stale(['*'], NOW + 8), await stale(['*'], NOW + 9), await stale(['*', 'a:m2'], NOW + 9)]).toEqual([
        2, 4, 6,
      ])
    })
  })
}
