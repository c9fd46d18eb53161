import { describe, expect, test } from 'bun:test'
import { findPassword } from '../../../src/account/auth/password.ts'
import { findSignIn } from '../../../src/account/auth/sign-in.ts'
import type { Invitation } from '../../../src/store/sign-in.ts'
import { account, idsOf, member, NOW, type Suite } from './context.ts'

/** Passwords, sessions, links, invitations, wishes and browsers. */
export function describeSignIns(suite: Suite): void {
  describe('sign-in', () => {
    test('a password is replaced, and belongs to its member', async () => {
      for (const hash of ['first', 'second'])
        await suite.store.control.write((tx) => tx.save('passwords', { memberId: 'm1', hash }))
      expect(await findPassword(suite.store.control, 'm1')).toBe('second')
      expect(await findPassword(suite.store.control, 'm2')).toBeUndefined()
    })

    test('who signs in is found by e-mail address and account, with the hash of the password', async () => {
      const { control } = suite.store
      expect(await findSignIn(control, 'ada@example.com', undefined)).toEqual({
        member,
        account,
        passwordHash: undefined,
      })
      await control.write((tx) => tx.save('passwords', { memberId: 'm1', hash: 'hash' }))
      for (const ref of ['Acme', 'a1'])
        expect(await findSignIn(control, 'ada@example.com', ref)).toMatchObject({ passwordHash: 'hash' })
      expect(await findSignIn(control, 'ada@example.com', 'Beta')).toBeUndefined()
      await control.write((tx) => tx.update('members', { id: 'm1' }, { removedAt: NOW }))
      expect(await findSignIn(control, 'ada@example.com', undefined)).toBeUndefined()
    })

    test('a member keeps the newest sessions and the browsers used last', async () => {
      const { control } = suite.store
      await control.write(async (tx) => {
        for (const [at, id] of ['s1', 's2', 's3'].entries()) {
          await tx.insert('sessions', {
            id,
            digest: id,
            memberId: 'm1',
            clientIp: '192.0.2.1',
            device: 'Firefox on Linux',
            createdAt: NOW + at,
            expiresAt: NOW + 9,
          })
          await tx.save('browsers', { digest: `b${at}`, memberId: 'm1', usedAt: NOW + at }, ['memberId'])
        }
        const [session] = await tx.list('sessions', { memberId: 'm1' }, { newestFirst: true, offset: 2 })
        await tx.delete('sessions', { id: [session?.id ?? ''] })
        const [browser] = await tx.list('browsers', { memberId: 'm1' }, { newestFirst: true, offset: 2 })
        await tx.delete('browsers', { digest: browser?.digest })
      })
      expect(idsOf(await control.list('sessions', { memberId: 'm1' }, { newestFirst: true }))).toEqual(['s3', 's2'])
      const known = async () =>
        Promise.all(['b0', 'b1', 'b2'].map(async (digest) => (await control.find('browsers', { digest }))?.memberId))
      expect(await known()).toEqual([undefined, 'm1', 'm1'])
      await control.write((tx) => tx.save('browsers', { digest: 'b1', memberId: 'm2', usedAt: NOW + 5 }, ['memberId']))
      expect(await known()).toEqual([undefined, 'm1', 'm1'])
      await control.write((tx) => tx.delete('browsers', { usedAt: { before: NOW + 5 } }))
      expect(await known()).toEqual([undefined, 'm1', undefined])
      await control.write((tx) => tx.delete('browsers', { memberId: 'm1' }))
      expect(await known()).toEqual([undefined, undefined, undefined])
    })

    test('invitations are listed, found by digest, and erased by address or by who made them', async () => {
      const invitation = (id: string, email: string, madeBy: string): Invitation => ({
        id,
        digest: `digest of ${id}`,
        accountId: 'a1',
        email,
        role: 'member',
        departmentId: null,
        projectIds: ['p1'],
        madeBy,
        createdAt: NOW,
        expiresAt: NOW + 1,
      })
      const { control } = suite.store
      const [first, second, third] = [
        invitation('i1', 'b@x.org', 'm1'),
        invitation('i2', 'b@x.org', 'm1'),
        invitation('i3', 'c@x.org', 'm2'),
      ]
      await control.write(async (tx) => {
        for (const one of [first, second, third]) await tx.insert('invitations', one)
      })
      expect(await control.find('invitations', { digest: 'digest of i1' })).toEqual(first)
      expect(new Set(await control.list('invitations', { accountId: 'a1' }))).toEqual(new Set([first, second, third]))
      expect(await control.list('invitations', { accountId: 'a2' })).toEqual([])
      expect(await control.write((tx) => tx.delete('invitations', { accountId: 'a1', email: 'b@x.org' }))).toBe(2)
      expect(await control.list('invitations', { accountId: 'a1' })).toEqual([third])
      await control.write((tx) => tx.delete('invitations', { madeBy: 'm2' }))
      expect(await control.list('invitations', { accountId: 'a1' })).toEqual([])
    })

    test('a member asks for one change of e-mail at a time', async () => {
      const { control } = suite.store
      for (const email of ['b@x.org', 'c@x.org'])
        await control.write((tx) => tx.save('emailChanges', { memberId: 'm1', email, requestedAt: NOW }))
      const change = { memberId: 'm1', email: 'c@x.org', requestedAt: NOW }
      expect([
        await control.find('emailChanges', { memberId: 'm1' }),
        await control.list('emailChanges', { memberId: ['m1'] }, { limit: 9 }),
      ]).toEqual([change, [change]])
      await control.write((tx) => tx.delete('emailChanges', { memberId: 'm1' }))
      expect(await control.find('emailChanges', { memberId: 'm1' })).toBeUndefined()
    })

    test('a session is found with whose it is, until it is deleted or purged', async () => {
      const session = (id: string, expiresAt: number) => ({
        id,
        digest: `digest of ${id}`,
        memberId: 'm1',
        clientIp: null,
        device: null,
        createdAt: NOW,
        expiresAt,
      })
      await suite.store.control.write(async (tx) => {
        for (const [at, id] of ['s1', 's2', 's3'].entries()) await tx.insert('sessions', session(id, NOW + at))
      })
      expect(await suite.store.control.findSessionHolder('digest of s3')).toEqual({
        session: session('s3', NOW + 2),
        member,
        account,
      })
      await suite.store.control.write((tx) => tx.delete('sessions', { expiresAt: { before: NOW + 1 } }))
      await suite.store.control.write((tx) => tx.delete('sessions', { id: 's2' }))
      expect(
        (await suite.store.control.list('sessions', { memberId: 'm1' }, { newestFirst: true })).map(({ id }) => id),
      ).toEqual(['s3'])
      await suite.store.control.write((tx) => tx.delete('sessions', { memberId: 'm1' }))
      expect(await suite.store.control.findSessionHolder('digest of s3')).toBeUndefined()
    })

    test('a link is found by its digest, until its member’s links are deleted or it is purged', async () => {
      const link = (digest: string, memberId: string, madeBy = 'operator') => ({
        digest,
        memberId,
        madeBy,
        createdAt: NOW,
        expiresAt: NOW + 1,
      })
      await suite.store.control.write(async (tx) => {
        for (const [digest, memberId] of [
          ['l1', 'm1'],
          ['l2', 'm2'],
        ] as const)
          await tx.insert('entryLinks', link(digest, memberId))
        await tx.delete('entryLinks', { memberId: 'm1' })
      })
      expect(await suite.store.control.find('entryLinks', { digest: 'l1' })).toBeUndefined()
      expect(await suite.store.control.find('entryLinks', { digest: 'l2' })).toEqual(link('l2', 'm2'))
      await suite.store.control.write((tx) => tx.delete('entryLinks', { expiresAt: { before: NOW + 2 } }))
      expect(await suite.store.control.find('entryLinks', { digest: 'l2' })).toBeUndefined()
      await suite.store.control.write((tx) => tx.insert('entryLinks', link('l3', 'm2', 'member:m1')))
      await suite.store.control.write((tx) => tx.insert('entryLinks', link('l4', 'm2', 'member:m3')))
      await suite.store.control.write((tx) => tx.delete('entryLinks', { madeBy: 'member:m1' }))
      expect([
        await suite.store.control.find('entryLinks', { digest: 'l3' }),
        (await suite.store.control.find('entryLinks', { digest: 'l4' }))?.madeBy,
      ]).toEqual([undefined, 'member:m3'])
    })
  })
}
