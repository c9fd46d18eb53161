import { describe, expect, test } from 'bun:test'
import { auditEntry, NOW, type Suite } from './context.ts'

/** The audit log. */
export function describeAudit(suite: Suite): void {
  describe('the audit log', () => {
    test('entries are listed newest first, and old ones erased', async () => {
      const entry = {
        accountId: 'a1',
        projectId: null,
        actor: 'operator',
        act: 'key.issue',
        target: 'k1',
        via: null,
        outcome: 'done' as const,
      }
      const { control } = suite.store
      await control.write(async (tx) => {
        await tx.insertAudit({ ...entry, at: NOW, details: {} })
        await tx.insertAudit({ ...entry, at: NOW + 1, details: { label: 'x' } })
      })
      expect(await control.listAudit({ limit: 10 })).toMatchObject([
        { at: NOW + 1, details: { label: 'x' } },
        { at: NOW },
      ])
      expect(await control.write((tx) => tx.delete('audit', { at: { before: NOW + 1 } }, 10))).toBe(1)
      expect(await control.listAudit({ limit: 10 })).toHaveLength(1)
    })

    test('entries are listed by account, actor and time, the latest first, whatever was written when, and so are the acts and actors of an account', async () => {
      const entry = { accountId: 'a7', projectId: null, target: null, via: null, outcome: 'done' as const, details: {} }
      const { control } = suite.store
      const lines = [
        [5, 'member:m', 'key.issue'],
        [3, 'operator', 'key.issue'],
        [5, 'operator', 'key.revoke'],
        [4, 'operator', 'account.add'],
      ] as const
      await control.write(async (tx) => {
        for (const [at, actor, act] of lines) await tx.insertAudit({ ...entry, at: NOW + at, actor, act })
        await tx.insertAudit({ ...entry, accountId: 'a8', at: NOW + 9, actor: 'service', act: 'upkeep' })
      })
      const list = async (selection: object) =>
        (await control.listAudit({ accountId: 'a7', limit: 10, ...selection })).map(({ at, act }) => [at - NOW, act])
      const all = [
        [5, 'key.revoke'],
        [5, 'key.issue'],
        [4, 'account.add'],
        [3, 'key.issue'],
      ]
      expect(await list({})).toEqual(all)
      expect(await list({ from: NOW + 4, until: NOW + 5 })).toEqual([[4, 'account.add']])
      expect(await list({ actor: 'member:m' })).toEqual([[5, 'key.issue']])
      const [first] = await control.listAudit({ accountId: 'a7', limit: 1 })
      expect(await list({ before: first })).toEqual(all.slice(1))
      expect(await control.listAuditValues('a7', 'act', 9)).toEqual(['account.add', 'key.issue', 'key.revoke'])
      expect(await control.listAuditValues('a7', 'actor', 1)).toEqual(['member:m'])
      expect(await control.listAuditValues('nobody', 'act', 9)).toEqual([])
    })

    test('what was done to records is listed by what it was done to', async () => {
      const { control } = suite.store
      const entries = [
        { projectId: 'p1', act: 'record.verify', target: 'r1' },
        { projectId: 'p1', act: 'record.verify', details: { records: 2 } },
        { projectId: 'p1', act: 'record.forget', target: 'r2' },
        { projectId: 'p1', act: 'integration.call', target: 'r1' },
        { projectId: 'p1', act: 'recordings', target: 'r1' },
        { projectId: 'p2', act: 'record.verify', target: 'r1' },
      ]
      await control.write(async (tx) => {
        for (const entry of entries) await tx.insertAudit(auditEntry(entry))
      })
      const list = async (targets: string[] | null, limit = 9) =>
        (await control.listRecordActs({ projectId: 'p1', targets, limit })).map(({ act, target }) => `${act} ${target}`)
      expect(await list(['r1', 'r2', 'r3'])).toEqual(['record.forget r2', 'record.verify r1'])
      expect(await list(['r1', 'r2'], 1)).toEqual(['record.forget r2'])
      expect([await list([]), await list(null)]).toEqual([[], ['record.verify null']])
    })

    test('entries are listed by project and act, and rejections by scope and actor, a page at a time', async () => {
      const entry = {
        at: NOW,
        accountId: 'a1',
        actor: 'operator',
        target: null,
        via: null,
        outcome: 'done' as const,
        details: {},
      }
      const { control } = suite.store
      await control.write(async (tx) => {
        for (const projectId of ['p1', 'p2', null]) {
          for (const act of ['record.reject', 'record.allow', 'record.reject'])
            await tx.insertAudit({ ...entry, projectId, act })
        }
      })
      const rejected = { projectId: 'p1', act: 'record.reject' }
      const [newest, ...others] = await control.listAudit({ ...rejected, limit: 10 })
      expect([newest, ...others]).toMatchObject([rejected, rejected])
      expect(await control.listAudit({ ...rejected, before: newest, limit: 10 })).toEqual(others)
      expect(await control.listAudit({ projectId: 'p2', limit: 10 })).toHaveLength(3)
      const [draft, shared] = [{ scope: 'draft' }, { scope: 'shared' }]
      await control.write(async (tx) => {
        for (const details of [draft, shared])
          for (const actor of ['m1', 'm2'])
            await tx.insertAudit({ ...entry, projectId: 'p3', act: 'record.reject', actor, details })
        await tx.insertAudit({ ...entry, projectId: 'p3', act: 'record.allow', actor: 'm1', details: shared })
      })
      const ofM1 = { projectId: 'p3', scopes: ['shared'], actor: 'm1' }
      const rejections = await control.listRejections({ ...ofM1, limit: 10 })
      expect(await control.listRejections({ ...ofM1, beforeSeq: rejections[0]?.seq, limit: 1 })).toEqual(
        rejections.slice(1, 2),
      )
      const known = rejections.map(({ actor, details }) => [actor, details])
      expect(known).toEqual([
        ['m2', shared],
        ['m1', shared],
        ['m1', draft],
      ])
      const count = (selection: object) => control.countRejections({ ...ofM1, fromSeq: 0, limit: 10, ...selection })
      expect([await count({}), await count({ fromSeq: rejections[1]?.seq })]).toEqual([3, 2])
      expect([await count({ actor: 'm3' }), await count({ actor: 'm3', limit: 1 })]).toEqual([2, 1])
    })
  })
}
