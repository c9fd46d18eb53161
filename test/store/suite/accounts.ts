import { describe, expect, test } from 'bun:test'
import type { Account, Member } from '../../../src/store/account.ts'
import { account, idsOf, key, member, NOW, project, type Suite } from './context.ts'

/** Accounts, departments, members, projects and access. */
export function describeAccounts(suite: Suite): void {
  describe('accounts', () => {
    test('finds accounts, members and projects by their names and their ids', async () => {
      const { control } = suite.store
      expect(await control.find('accounts', { name: 'Acme' })).toEqual(account)
      expect(await control.find('accounts', { id: 'a1' })).toEqual(account)
      expect((await control.findMembers('ADA@example.com', 1))[0]).toEqual(member)
      expect((await control.findMembers('m1', 1))[0]).toEqual(member)
      expect(idsOf(await control.findProjects('p1'))).toEqual(['p1'])
      expect(await control.find('accounts', { name: 'nobody' })).toBeUndefined()
    })

    test('a removed member and a removed project are found no more, and stay listed', async () => {
      const { control } = suite.store
      await control.write(async (tx) => {
        await tx.update('members', { id: 'm1' }, { removedAt: NOW })
        await tx.update('projects', { id: 'p2' }, { removedAt: NOW })
      })
      expect((await control.findMembers('m1', 1))[0]).toBeUndefined()
      expect(await control.findProjects('p2')).toEqual([])
      expect(idsOf(await control.list('members', { accountId: 'a1' }))).toEqual(['m1'])
      expect([
        await control.count('members', { accountId: 'a1' }),
        await control.count('members', { accountId: 'nowhere' }),
      ]).toEqual([1, 0])
      expect(idsOf(await control.list('projects', { accountId: 'a1' }))).toEqual(['p1', 'p2'])
    })

    test('what a removed account has is found by its name no more, and its rows are erased a few at a time, the account last', async () => {
      const { control } = suite.store
      await control.write((tx) => tx.update('accounts', { id: 'a1' }, { removedAt: NOW }))
      expect(await control.find('accounts', { name: 'Acme' })).toEqual({ ...account, removedAt: NOW })
      expect([await control.findMembers('m1', 9), await control.findProjects('p1')]).toEqual([[], []])
      expect([
        (await control.findMembers('m1', 1))[0],
        idsOf([await control.find('members', { id: 'm1', accountId: 'a1' })].flatMap((one) => one ?? [])),
      ]).toEqual([undefined, ['m1']])
      expect(await control.write((tx) => tx.eraseAccount('nobody', 9))).toBe(0)
      expect(await control.write((tx) => tx.eraseAccount('a1', 1))).toBe(1)
      expect(await control.find('accounts', { id: 'a1' })).toBeDefined()
      while ((await control.write((tx) => tx.eraseAccount('a1', 2))) === 2);
      await control.scrub()
      expect([
        await control.find('accounts', { id: 'a1' }),
        await control.list('members', { accountId: 'a1' }),
        await control.list('projects', { accountId: 'a1' }),
      ]).toEqual([undefined, [], []])
    })

    test('accounts are listed oldest first, and members found by e-mail address in every account', async () => {
      const other: Account = { ...account, id: 'a2', name: 'Beta', createdAt: NOW + 1 }
      const twin: Member = { ...member, id: 'm2', accountId: 'a2', createdAt: NOW + 1 }
      await suite.store.control.write(async (tx) => {
        await tx.insert('accounts', other)
        await tx.insert('members', twin)
      })
      const { control } = suite.store
      expect(await control.list('accounts', {})).toEqual([account, other])
      expect(await control.findMembers('ada@example.com', 9)).toEqual([member, twin])
      expect(await control.findMembers('ada@example.com', 1)).toEqual([member])
      expect(await control.find('members', { email: 'ada@example.com', accountId: 'a2' })).toEqual(twin)
      await control.write((tx) => tx.update('accounts', { id: 'a2' }, { plan: 'free' }))
      expect(await control.find('accounts', { id: 'a2' })).toEqual({ ...other, plan: 'free' })
    })

    test('names that must be unique are refused a second time, those of what was removed are free', async () => {
      const { control } = suite.store
      const taken = [
        control.write((tx) => tx.insert('accounts', { ...account, id: 'a2' })),
        control.write((tx) => tx.insert('members', { ...member, id: 'm2' })),
        control.write((tx) => tx.insert('projects', { ...project('p3'), name: 'p1' })),
        control.write((tx) => tx.insert('keys', { ...key, id: 'k2' })),
      ]
      expect((await Promise.allSettled(taken)).map(({ status }) => status)).toEqual(taken.map(() => 'rejected'))
      await control.write(async (tx) => {
        await tx.update('members', { id: 'm1' }, { removedAt: NOW })
        await tx.update('projects', { id: 'p1' }, { removedAt: NOW })
        await tx.insert('members', { ...member, id: 'm2' })
        await tx.insert('projects', { ...project('p3'), name: 'p1' })
      })
      expect((await control.findMembers('ada@example.com', 1))[0]?.id).toBe('m2')
      expect(idsOf(await control.findProjects('p1'))).toEqual(['p3'])
    })

    test('authors are members by name and keys by label, one or many at once', async () => {
      expect((await suite.store.control.findAuthors(['m1']))[0]).toEqual({ id: 'm1', name: 'Ada', removedAt: null })
      expect((await suite.store.control.findAuthors(['k1']))[0]).toEqual({ id: 'k1', name: 'Laptop', removedAt: null })
      expect((await suite.store.control.findAuthors(['nobody']))[0]).toBeUndefined()
      expect(new Set(idsOf(await suite.store.control.findAuthors(['k1', 'nobody', 'm1'])))).toEqual(
        new Set(['m1', 'k1']),
      )
      expect(await suite.store.control.findAuthors([])).toEqual([])
      expect(idsOf(await suite.store.control.findAuthorsNamed('a1', 'ada'))).toEqual(['m1'])
      expect(idsOf(await suite.store.control.findAuthorsNamed('a1', 'Laptop'))).toEqual(['k1'])
      expect(await suite.store.control.findAuthorsNamed('a2', 'Ada')).toEqual([])
    })

    test('departments are made, renamed and deleted', async () => {
      const { control } = suite.store
      await control.write((tx) =>
        tx.insert('departments', { id: 'd1', accountId: 'a1', name: 'Research', createdAt: NOW }),
      )
      await control.write((tx) => tx.update('departments', { id: 'd1' }, { name: 'Science' }))
      expect(await control.list('departments', { accountId: 'a1' })).toMatchObject([{ id: 'd1', name: 'Science' }])
      await control.write((tx) => tx.delete('departments', { id: 'd1' }))
      expect(await control.list('departments', { accountId: 'a1' })).toEqual([])
    })

    test('a project is opened to a member once, and closed again', async () => {
      for (let time = 0; time < 2; time++)
        await suite.store.control.write((tx) => tx.save('access', { memberId: 'm1', projectId: 'p1' }))
      expect([
        await suite.store.control.list('access', { memberId: 'm1' }),
        await suite.store.control.count('access', { memberId: 'm2' }),
      ]).toEqual([[{ memberId: 'm1', projectId: 'p1' }], 0])
      await suite.store.control.write((tx) => tx.delete('access', { memberId: 'm1', projectId: 'p2' }))
      await suite.store.control.write((tx) => tx.delete('access', { memberId: 'm1', projectId: 'p1' }))
      expect(await suite.store.control.list('access', { memberId: 'm1' })).toEqual([])
    })
  })
}
