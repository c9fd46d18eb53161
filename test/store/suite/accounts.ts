import { describe, expect, test } from 'bun:test'
import type { Account, Member } from '../../../src/store/account.ts'
import { account, idsOf, key, member, NOW, project, type Suite } from './context.ts'

/** Accounts, departments, members, projects and access. */
export function describeAccounts(suite: Suite): void {
  describe('accounts', () => {
    test('finds accounts, members and projects by their names and their ids', async () => {
      const { control } = suite.store
      expect(await control.findAccount('Acme')).toEqual(account)
      expect(await control.findAccount('a1')).toEqual(account)
      expect(await control.findMember('ADA@example.com')).toEqual(member)
      expect(await control.findMember('m1')).toEqual(member)
      expect(idsOf(await control.findProjects('p1'))).toEqual(['p1'])
      expect(await control.findAccount('nobody')).toBeUndefined()
    })

    test('a removed member and a removed project are found no more, and stay listed', async () => {
      const { control } = suite.store
      await control.write(async (tx) => {
        await tx.updateMember('m1', { removedAt: NOW })
        await tx.updateProject('p2', { removedAt: NOW })
      })
      expect(await control.findMember('m1')).toBeUndefined()
      expect(await control.findProjects('p2')).toEqual([])
      expect(idsOf(await control.listMembers('a1'))).toEqual(['m1'])
      expect([await control.countMembers('a1'), await control.countMembers('nowhere')]).toEqual([1, 0])
      expect(idsOf(await control.listProjects('a1'))).toEqual(['p1', 'p2'])
    })

    test('what a removed account has is found by its name no more, and its rows are erased a few at a time, the account last', async () => {
      const { control } = suite.store
      await control.write((tx) => tx.updateAccount('a1', { removedAt: NOW }))
      expect(await control.findAccount('Acme')).toEqual({ ...account, removedAt: NOW })
      expect([await control.findMembers('m1', 9), await control.findProjects('p1')]).toEqual([[], []])
      expect([await control.findMember('m1'), idsOf([await control.findMember('m1', 'a1')].flatMap((one) => one ?? []))]).toEqual([
        undefined,
        ['m1'],
      ])
      expect(await control.write((tx) => tx.eraseAccount('nobody', 9))).toBe(0)
      expect(await control.write((tx) => tx.eraseAccount('a1', 1))).toBe(1)
      expect(await control.findAccount('a1')).toBeDefined()
      while ((await control.write((tx) => tx.eraseAccount('a1', 2))) === 2);
      await control.scrub()
      expect([await control.findAccount('a1'), await control.listMembers('a1'), await control.listProjects('a1')]).toEqual([
        undefined,
        [],
        [],
      ])
    })

    test('accounts are listed oldest first, and members found by e-mail address in every account', async () => {
      const other: Account = { ...account, id: 'a2', name: 'Beta', createdAt: NOW + 1 }
      const twin: Member = { ...member, id: 'm2', accountId: 'a2', createdAt: NOW + 1 }
      await suite.store.control.write(async (tx) => {
        await tx.insertAccount(other)
        await tx.insertMember(twin)
      })
      const { control } = suite.store
      expect(await control.listAccounts()).toEqual([account, other])
      expect(await control.findMembers('ada@example.com', 9)).toEqual([member, twin])
      expect(await control.findMembers('ada@example.com', 1)).toEqual([member])
      expect(await control.findMember('ada@example.com', 'a2')).toEqual(twin)
      await control.write((tx) => tx.updateAccount('a2', { plan: 'free' }))
      expect(await control.findAccount('a2')).toEqual({ ...other, plan: 'free' })
    })

    test('names that must be unique are refused a second time, those of what was removed are free', async () => {
      const { control } = suite.store
      const taken = [
        control.write((tx) => tx.insertAccount({ ...account, id: 'a2' })),
        control.write((tx) => tx.insertMember({ ...member, id: 'm2' })),
        control.write((tx) => tx.insertProject({ ...project('p3'), name: 'p1' })),
        control.write((tx) => tx.insertKey({ ...key, id: 'k2' })),
      ]
      expect((await Promise.allSettled(taken)).map(({ status }) => status)).toEqual(taken.map(() => 'rejected'))
      await control.write(async (tx) => {
        await tx.updateMember('m1', { removedAt: NOW })
        await tx.updateProject('p1', { removedAt: NOW })
        await tx.insertMember({ ...member, id: 'm2' })
        await tx.insertProject({ ...project('p3'), name: 'p1' })
      })
      expect((await control.findMember('ada@example.com'))?.id).toBe('m2')
      expect(idsOf(await control.findProjects('p1'))).toEqual(['p3'])
    })

    test('authors are members by name and keys by label, one or many at once', async () => {
      expect(await suite.store.control.findAuthor('m1')).toEqual({ id: 'm1', name: 'Ada', removedAt: null })
      expect(await suite.store.control.findAuthor('k1')).toEqual({ id: 'k1', name: 'Laptop', removedAt: null })
      expect(await suite.store.control.findAuthor('nobody')).toBeUndefined()
      expect(new Set(idsOf(await suite.store.control.findAuthors(['k1', 'nobody', 'm1'])))).toEqual(new Set(['m1', 'k1']))
      expect(await suite.store.control.findAuthors([])).toEqual([])
      expect(idsOf(await suite.store.control.findAuthorsNamed('a1', 'ada'))).toEqual(['m1'])
      expect(idsOf(await suite.store.control.findAuthorsNamed('a1', 'Laptop'))).toEqual(['k1'])
      expect(await suite.store.control.findAuthorsNamed('a2', 'Ada')).toEqual([])
    })

    test('departments are made, renamed and deleted', async () => {
      const { control } = suite.store
      await control.write((tx) => tx.insertDepartment({ id: 'd1', accountId: 'a1', name: 'Research', createdAt: NOW }))
      await control.write((tx) => tx.updateDepartment('d1', { name: 'Science' }))
      expect(await control.listDepartments('a1')).toMatchObject([{ id: 'd1', name: 'Science' }])
      await control.write((tx) => tx.deleteDepartment('d1'))
      expect(await control.listDepartments('a1')).toEqual([])
    })

    test('a project is opened to a member once, and closed again', async () => {
      for (let time = 0; time < 2; time++) await suite.store.control.write((tx) => tx.allowAccess('p1', 'm1'))
      expect([await suite.store.control.listAccess('m1'), await suite.store.control.listAccess('m2')]).toEqual([['p1'], []])
      await suite.store.control.write((tx) => tx.endAccess('p2', 'm1'))
      await suite.store.control.write((tx) => tx.endAccess('p1', 'm1'))
      expect(await suite.store.control.listAccess('m1')).toEqual([])
    })
  })
}
