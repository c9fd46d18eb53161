import { describe, expect, test } from 'bun:test'
import type { Invitation } from '../../../src/store/sign-in.ts'
import { account, idsOf, member, NOW, type Suite } from './context.ts'

/** Passwords, sessions, links, invitations, wishes and browsers. */
export function describeSignIns(suite: Suite): void {
  describe('sign-in', () => {
    test('a password is replaced, and belongs to its member', async () => {
      for (const hash of ['first', 'second']) await suite.store.control.write((tx) => tx.savePassword('m1', hash))
      expect(await suite.store.control.findPassword('m1')).toBe('second')
      expect(await suite.store.control.findPassword('m2')).toBeUndefined()
    })

    test('who signs in is found by e-mail address and account, with the hash of the password', async () => {
      const { control } = suite.store
      expect(await control.findSignIn('ada@example.com', undefined)).toEqual({ member, account, passwordHash: null })
      await control.write((tx) => tx.savePassword('m1', 'hash'))
      for (const ref of ['Acme', 'a1']) expect(await control.findSignIn('ada@example.com', ref)).toMatchObject({ passwordHash: 'hash' })
      expect(await control.findSignIn('ada@example.com', 'Beta')).toBeUndefined()
      await control.write((tx) => tx.updateMember('m1', { removedAt: NOW }))
      expect(await control.findSignIn('ada@example.com', undefined)).toBeUndefined()
    })

    test('a member keeps the newest sessions and the browsers used last', async () => {
      const { control } = suite.store
      await control.write(async (tx) => {
        for (const [at, id] of ['s1', 's2', 's3'].entries()) {
          await tx.insertSession({
            id,
            digest: id,
            memberId: 'm1',
            clientIp: '192.0.2.1',
            device: 'Firefox on Linux',
            createdAt: NOW + at,
            expiresAt: NOW + 9,
          })
          await tx.saveBrowser({ digest: `b${at}`, memberId: 'm1', usedAt: NOW + at }, 2)
        }
        await tx.keepSessions('m1', 2)
      })
      expect(idsOf(await control.listSessions('m1'))).toEqual(['s3', 's2'])
      const known = async () => Promise.all(['b0', 'b1', 'b2'].map((digest) => control.findBrowserMember(digest)))
      expect(await known()).toEqual([undefined, 'm1', 'm1'])
      await control.write((tx) => tx.saveBrowser({ digest: 'b1', memberId: 'm2', usedAt: NOW + 5 }, 9))
      expect(await known()).toEqual([undefined, 'm1', 'm1'])
      await control.write((tx) => tx.purgeBrowsers(NOW + 5))
      expect(await known()).toEqual([undefined, 'm1', undefined])
      await control.write((tx) => tx.deleteBrowsers('m1'))
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
        for (const one of [first, second, third]) await tx.insertInvitation(one)
      })
      expect(await control.findInvitation('digest of i1')).toEqual(first)
      expect(new Set(await control.listInvitations('a1'))).toEqual(new Set([first, second, third]))
      expect(await control.listInvitations('a2')).toEqual([])
      expect(await control.write((tx) => tx.deleteInvitations('a1', 'b@x.org'))).toBe(2)
      expect(await control.listInvitations('a1')).toEqual([third])
      await control.write((tx) => tx.deleteInvitationsBy('m2'))
      expect(await control.listInvitations('a1')).toEqual([])
    })

    test('a member asks for one change of e-mail at a time, listed while the member is not removed', async () => {
      const { control } = suite.store
      for (const email of ['b@x.org', 'c@x.org'])
        await control.write((tx) => tx.saveEmailChange({ memberId: 'm1', email, requestedAt: NOW }))
      const change = { memberId: 'm1', email: 'c@x.org', requestedAt: NOW }
      expect([await control.findEmailChange('m1'), await control.listEmailChanges('a1', 9)]).toEqual([change, [change]])
      await control.write((tx) => tx.updateMember('m1', { removedAt: NOW }))
      expect(await control.listEmailChanges('a1', 9)).toEqual([])
      await control.write((tx) => tx.deleteEmailChange('m1'))
      expect(await control.findEmailChange('m1')).toBeUndefined()
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
        for (const [at, id] of ['s1', 's2', 's3'].entries()) await tx.insertSession(session(id, NOW + at))
      })
      expect(await suite.store.control.findSessionHolder('digest of s3')).toEqual({ session: session('s3', NOW + 2), member, account })
      await suite.store.control.write((tx) => tx.purgeSessions(NOW))
      await suite.store.control.write((tx) => tx.deleteSession('s2'))
      expect((await suite.store.control.listSessions('m1')).map(({ id }) => id)).toEqual(['s3'])
      await suite.store.control.write((tx) => tx.deleteSessions('m1'))
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
          await tx.insertEntryLink(link(digest, memberId))
        await tx.deleteEntryLinks('m1')
      })
      expect(await suite.store.control.findEntryLink('l1')).toBeUndefined()
      expect(await suite.store.control.findEntryLink('l2')).toEqual(link('l2', 'm2'))
      await suite.store.control.write((tx) => tx.purgeSessions(NOW + 1))
      expect(await suite.store.control.findEntryLink('l2')).toBeUndefined()
      await suite.store.control.write((tx) => tx.insertEntryLink(link('l3', 'm2', 'member:m1')))
      await suite.store.control.write((tx) => tx.insertEntryLink(link('l4', 'm2', 'member:m3')))
      await suite.store.control.write((tx) => tx.deleteEntryLinksBy('member:m1'))
      expect([await suite.store.control.findEntryLink('l3'), (await suite.store.control.findEntryLink('l4'))?.madeBy]).toEqual([
        undefined,
        'member:m3',
      ])
    })
  })
}
