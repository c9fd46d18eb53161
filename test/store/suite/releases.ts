import { describe, expect, test } from 'bun:test'
import type { Release, ReleaseSelection } from '../../../src/store/release.ts'
import { NOW, type Suite } from './context.ts'

/** Texts that may be saved although the guard rejects them. */
export function describeReleases(suite: Suite): void {
  describe('releases', () => {
    const release = (hash: string, change: Partial<Release> = {}): Release => ({
      hash,
      state: 'asked',
      text: `text of ${hash}`,
      reason: 'injection',
      why: null,
      askedBy: 'member:m1',
      askedAt: NOW,
      decidedBy: null,
      decidedAt: null,
      ...change,
    })

    test('a release is replaced, listed by state and actor, last asked or decided first', async () => {
      const reads = suite.store.project('p1')
      await reads.write(async (tx) => {
        await tx.saveRelease(release('a'))
        await tx.saveRelease(release('b', { askedAt: NOW + 1, askedBy: 'member:m2' }))
        await tx.saveRelease(release('a', { state: 'allowed', decidedAt: NOW + 2, decidedBy: 'operator' }))
      })
      expect(await reads.findRelease('a')).toEqual(
        release('a', { state: 'allowed', decidedAt: NOW + 2, decidedBy: 'operator' }),
      )
      const stateOf = async (hash: string) => (await reads.findRelease(hash))?.state
      expect([await stateOf('a'), await stateOf('b'), await stateOf('c')].map((state) => state === 'allowed')).toEqual([
        true,
        false,
        false,
      ])
      const list = async (selection: ReleaseSelection, page: { offset?: number; limit: number } = { limit: 9 }) =>
        (await reads.listReleases(selection, page)).map(({ hash }) => hash)
      expect(await list({})).toEqual(['a', 'b'])
      expect([await list({}, { limit: 1 }), await list({}, { offset: 1, limit: 9 })]).toEqual([['a'], ['b']])
      expect([await list({ state: 'asked' }), await list({ askedBy: 'member:m1' })]).toEqual([['b'], ['a']])
      expect([await reads.countReleases({}), await reads.countReleases({ state: 'declined' })]).toEqual([2, 0])
    })

    test('what nobody decided, or was declined, is purged; what is allowed stays', async () => {
      const reads = suite.store.project('p1')
      await reads.write(async (tx) => {
        await tx.saveRelease(release('asked'))
        await tx.saveRelease(release('allowed', { state: 'allowed', decidedAt: NOW }))
        await tx.saveRelease(release('declined', { state: 'declined', decidedAt: NOW }))
        await tx.saveRelease(release('new', { askedAt: NOW + 1 }))
        await tx.deleteReleases({ before: NOW + 1 })
      })
      expect(new Set((await reads.listReleases({}, { limit: 9 })).map(({ hash }) => hash))).toEqual(
        new Set(['allowed', 'new']),
      )
      await reads.write((tx) => tx.deleteReleases({ hash: 'allowed' }))
      expect((await reads.findRelease('allowed'))?.state).not.toBe('allowed')
    })
  })
}
