import { describe, expect, test } from 'bun:test'
import type { CallError } from '../../../src/store/daily-use.ts'
import { NOW, type Suite } from './context.ts'

const error = (at: number, change: Partial<CallError> = {}): Omit<CallError, 'seq'> => ({
  at: NOW + at,
  accountId: 'a1',
  projectId: 'p1',
  authorId: 'm1',
  keyId: 'k1',
  tool: 'search',
  outcome: 'refused',
  reason: 'arguments',
  calls: 1,
  ...change,
})

/** Calls that were refused or failed. */
export function describeCallErrors(suite: Suite): void {
  describe('calls that were refused or failed', () => {
    test('are listed newest first, whatever was written when, by project or author and by time, from any place on, and erased when they are old', async () => {
      const { control } = suite.store
      await control.write(async (tx) => {
        await tx.insert('callErrors', [error(2), error(1), error(2, { tool: 'forget' })])
        await tx.insert('callErrors', error(3, { projectId: 'p2', authorId: 'k2' }))
      })
      const list = async (filter: object, page = {}) => {
        const found = await control.list(
          'callErrors',
          { accountId: 'a1', ...filter },
          { by: 'at', newestFirst: true, ...page },
        )
        return found.map(({ at, tool }) => `${at - NOW} ${tool}`)
      }
      expect(await list({})).toEqual(['3 search', '2 forget', '2 search', '1 search'])
      expect(await list({ projectId: 'p1' }, { limit: 2 })).toEqual(['2 forget', '2 search'])
      expect(await list({ authorId: 'k2' })).toEqual(['3 search'])
      expect(await list({ at: { from: NOW + 2, until: NOW + 3 } })).toEqual(['2 forget', '2 search'])
      expect(await list({ at: { from: NOW + 3, until: undefined } })).toEqual(['3 search'])
      const [, forget] = await control.list(
        'callErrors',
        { accountId: 'a1' },
        { by: 'at', newestFirst: true, limit: 2 },
      )
      expect(await list({ at: { from: NOW, until: NOW + 9 } }, { before: forget })).toEqual(['2 search', '1 search'])
      const purge = (limit: number) =>
        control.write((tx) => tx.delete('callErrors', { at: { before: NOW + 2 } }, limit))
      expect([await purge(5), await purge(5)]).toEqual([1, 0])
      expect(await list({})).toHaveLength(3)
    })
  })
}
