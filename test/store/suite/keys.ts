import { describe, expect, test } from 'bun:test'
import type { ControlWrites } from '../../../src/store/control.ts'
import { account, auditEntry, idsOf, key, member, NOW, type Suite } from './context.ts'

/** Keys, their holders, and the control version. */
export function describeKeys(suite: Suite): void {
  describe('keys', () => {
    test('a key is found by its digest, with its project, account and member, and by its displayed characters', async () => {
      const { control } = suite.store
      expect(await control.findKeyHolder({ digest: 'd1' })).toMatchObject({
        key,
        member,
        account,
        project: { id: 'p1' },
      })
      expect(idsOf(await control.list('keys', { shown: 'abcdefgh' }))).toEqual(['k1'])
      expect(await control.findKeyHolder({ digest: 'd2' })).toBeUndefined()
      expect(idsOf(await control.list('keys', { id: ['k9', 'k1', 'abcdefgh'] }))).toEqual(['k1'])
      expect(await control.list('keys', { id: [] })).toEqual([])
    })

    test('a member’s keys are those of every project', async () => {
      const other = { ...key, id: 'k2', digest: 'd2', projectId: 'p2' }
      await suite.store.control.write((tx) => tx.insert('keys', other))
      await suite.store.control.write((tx) => tx.insert('keys', { ...key, id: 'k3', digest: 'd3', memberId: null }))
      expect(await suite.store.control.list('keys', { memberId: 'm1' })).toEqual([key, other])
    })

    test('keys of the same millisecond are listed in the order of their ids, each on one page, whatever was changed meanwhile', async () => {
      const { control } = suite.store
      await control.write(async (tx) => {
        for (const at of [2, 3, 4, 5]) await tx.insert('keys', { ...key, id: `k${at}`, digest: `d${at}` })
      })
      await control.write((tx) => tx.update('keys', { id: 'k2' }, { label: 'Another' }))
      expect(idsOf(await control.list('keys', { projectId: 'p1' }))).toEqual(['k1', 'k2', 'k3', 'k4', 'k5'])
      const page = (offset: number) =>
        control.listKeyPage({ projectId: 'p1', memberId: undefined, now: NOW, offset, limit: 2 })
      expect(idsOf([...(await page(0)), ...(await page(2)), ...(await page(4))])).toEqual([
        'k5',
        'k4',
        'k3',
        'k2',
        'k1',
      ])
    })

    test('keys are listed by project, account and member; a page has the live ones first', async () => {
      const made = [
        { ...key, id: 'k2', digest: 'd2', createdAt: NOW + 1 },
        { ...key, id: 'k3', digest: 'd3', createdAt: NOW + 2, revokedAt: NOW },
        { ...key, id: 'k4', digest: 'd4', createdAt: NOW + 3, expiresAt: NOW },
        { ...key, id: 'k5', digest: 'd5', createdAt: NOW + 4, projectId: 'p2', memberId: null },
      ]
      const { control } = suite.store
      await control.write(async (tx) => {
        for (const one of made) await tx.insert('keys', one)
      })
      expect(idsOf(await control.list('keys', { projectId: 'p1' }))).toEqual(['k1', 'k2', 'k3', 'k4'])
      expect(idsOf(await control.list('keys', { projectId: ['p1', 'p2'] }))).toEqual(['k1', 'k2', 'k3', 'k4', 'k5'])
      expect(await control.list('keys', { projectId: [] })).toEqual([])
      const page = async (offset: number, limit: number, memberId?: string) =>
        idsOf(await control.listKeyPage({ projectId: 'p1', memberId, now: NOW, offset, limit }))
      expect(await page(0, 9)).toEqual(['k2', 'k1', 'k4', 'k3'])
      expect(await page(1, 2)).toEqual(['k1', 'k4'])
      expect(await page(3, 9)).toEqual(['k3'])
      expect(await page(0, 9, 'm2')).toEqual([])
      expect(
        await control.count('keys', { memberId: 'm1', projectId: 'p1', revokedAt: null, expiresAt: { after: NOW } }),
      ).toBe(2)
      expect(
        await control.count('keys', { memberId: 'm1', projectId: 'p2', revokedAt: null, expiresAt: { after: NOW } }),
      ).toBe(0)
    })

    test('live keys are listed by their last use, those never used last', async () => {
      const { control } = suite.store
      await control.write(async (tx) => {
        await tx.insert('keys', { ...key, id: 'k2', digest: 'd2', lastUsedAt: NOW + 2, memberId: null })
        await tx.insert('keys', { ...key, id: 'k3', digest: 'd3', lastUsedAt: NOW + 1 })
        await tx.insert('keys', { ...key, id: 'k4', digest: 'd4', lastUsedAt: NOW + 9, revokedAt: NOW })
        await tx.insert('keys', { ...key, id: 'k5', digest: 'd5', lastUsedAt: NOW + 9, expiresAt: NOW })
      })
      const list = async (limit: number, memberId?: string) =>
        idsOf(
          await control.list(
            'keys',
            { projectId: 'p1', memberId, revokedAt: null, expiresAt: { after: NOW } },
            { by: 'lastUsedAt', newestFirst: true, limit },
          ),
        )
      expect([await list(9), await list(1), await list(9, 'm1')]).toEqual([['k2', 'k3', 'k1'], ['k2'], ['k3', 'k1']])
    })

    test('a time of use is kept unless a later one is there', async () => {
      const { control } = suite.store
      for (const at of [NOW + 2, NOW + 1]) await control.write((tx) => tx.saveUses('keys', [{ id: 'k1', at }]))
      expect((await control.findKeyHolder({ id: 'k1' }))?.key.lastUsedAt).toBe(NOW + 2)
    })

    test('a holder is read with the latest commit, however often it was read before', async () => {
      const { control } = suite.store
      expect(await control.findKeyHolder({ digest: 'd1' })).toMatchObject({
        key: { revokedAt: null },
        member: { removedAt: null },
      })
      await control.write((tx) => tx.update('keys', { id: 'k1' }, { revokedAt: NOW }))
      expect(await control.findKeyHolder({ digest: 'd1' })).toMatchObject({ key: { revokedAt: NOW } })
      await control.write((tx) => tx.update('members', { id: 'm1' }, { removedAt: NOW }))
      expect(await control.findKeyHolder({ digest: 'd1' })).toMatchObject({ member: { removedAt: NOW } })
    })

    test('the version changes with accounts, members, projects and keys, not with the audit log or times of use', async () => {
      const { control } = suite.store
      const changes: ((tx: ControlWrites) => Promise<void>)[] = [
        (tx) => tx.update('accounts', { id: 'a1' }, { suspendedAt: NOW }),
        (tx) => tx.update('members', { id: 'm1' }, { role: 'member' }),
        (tx) => tx.update('projects', { id: 'p1' }, { name: 'other' }),
        (tx) => tx.update('keys', { id: 'k1' }, { label: 'other' }),
      ]
      for (const change of changes) {
        const before = await control.version()
        await control.write(change)
        expect(await control.version()).not.toBe(before)
      }
      const before = await control.version()
      await control.write(async (tx) => {
        await tx.saveUses('keys', [{ id: 'k1', at: NOW }])
        await tx.insertAudit(auditEntry({}))
      })
      expect(await control.version()).toBe(before)
    })

    test('what another process commits is read in the next turn of the event loop, cached answers too', async () => {
      const other = await suite.openAgain()
      expect((await suite.store.control.findKeyHolder({ digest: 'd1' }))?.key.revokedAt).toBeNull()
      await other.control.write((tx) => tx.update('keys', { id: 'k1' }, { revokedAt: NOW }))
      await new Promise((resume) => setImmediate(resume))
      expect((await suite.store.control.findKeyHolder({ digest: 'd1' }))?.key.revokedAt).toBe(NOW)
      await other.close()
    })
  })
}
