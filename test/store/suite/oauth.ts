import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/clock.ts'
import { keepNewest, purgeConnected } from '../../../src/oauth/client.ts'
import type { Connection, ConnectionSelection, Grant, OAuthClient } from '../../../src/store/oauth.ts'
import { account, key, member, NOW, type Suite } from './context.ts'

/** Clients, grants and connections. */
export function describeOAuth(suite: Suite): void {
  describe('OAuth', () => {
    const client = (id: string, readAt: number, usedAt: number | null = null): OAuthClient => ({
      id,
      kind: 'registration',
      name: id,
      redirectUris: ['https://example.com/callback'],
      secretDigest: null,
      readAt,
      usedAt,
    })
    const connection = (id: string, change: Partial<Connection> = {}): Connection => ({
      id,
      tokenDigest: `token of ${id}`,
      codeDigest: `code of ${id}`,
      clientId: 'c1',
      clientName: 'Client',
      clientHost: 'example.com',
      keyId: 'k1',
      resource: 'https://memsvc.example/mcp',
      createdAt: NOW,
      expiresAt: NOW + 10,
      revokedAt: null,
      lastUsedAt: null,
      ...change,
    })

    test('a client is replaced, marked used, and erased once nobody read or used it for long', async () => {
      const { control } = suite.store
      await control.write(async (tx) => {
        await tx.save('oauthClients', client('c1', NOW))
        await tx.save('oauthClients', { ...client('c1', NOW + 1), name: 'renamed' })
        await tx.update('oauthClients', { id: 'c1' }, { usedAt: NOW + 2 })
      })
      expect(await control.find('oauthClients', { id: 'c1' })).toEqual({
        ...client('c1', NOW + 1, NOW + 2),
        name: 'renamed',
      })
      const left = async () => {
        const found = await Promise.all(['c1', 'u1', 'u2', 'u3'].map((id) => control.find('oauthClients', { id })))
        return found.flatMap((one) => one?.id ?? [])
      }
      const purge = (now: number) => purgeConnected(suite, () => false, now)
      await control.write(async (tx) => {
        for (const at of [1, 2, 3]) await tx.save('oauthClients', client(`u${at}`, NOW + at))
      })
      await purge(NOW + 1 + DAY_MS)
      expect(await left()).toEqual(['c1', 'u2', 'u3'])
      await control.write((tx) => keepNewest(tx, 1))
      expect(await left()).toEqual(['c1', 'u3'])
      await purge(NOW + 1 + 90 * DAY_MS)
      expect(await left()).toEqual(['c1'])
      await purge(NOW + 2 + 90 * DAY_MS)
      expect(await left()).toEqual([])
    })

    test('a grant is found in its stage only, until it is deleted or purged', async () => {
      const grant = (digest: string, stage: Grant['stage'], expiresAt: number): Grant => ({
        digest,
        stage,
        clientId: 'c1',
        keyId: 'k1',
        redirectUri: 'https://example.com/callback',
        resource: 'https://memsvc.example/mcp',
        challenge: 'challenge',
        state: null,
        expiresAt,
      })
      const { control } = suite.store
      const [asked, allowed] = [grant('g1', 'asked', NOW), grant('g2', 'allowed', NOW + 1)]
      await control.write(async (tx) => {
        await tx.insert('grants', asked)
        await tx.insert('grants', allowed)
      })
      expect([
        await control.find('grants', { digest: 'g1', stage: 'asked' }),
        await control.find('grants', { digest: 'g1', stage: 'allowed' }),
      ]).toEqual([asked, undefined])
      await control.write((tx) => tx.delete('grants', { expiresAt: { before: NOW + 1 } }))
      expect([
        await control.find('grants', { digest: 'g1', stage: 'asked' }),
        await control.find('grants', { digest: 'g2', stage: 'allowed' }),
      ]).toEqual([undefined, allowed])
      await control.write((tx) => tx.delete('grants', { digest: 'g2' }))
      expect(await control.find('grants', { digest: 'g2', stage: 'allowed' })).toBeUndefined()
    })

    test('a connection is found by token and code with what it opens, and listed newest first', async () => {
      const { control } = suite.store
      const [first, second] = [connection('n1'), connection('n2', { createdAt: NOW + 1, expiresAt: NOW + 20 })]
      await control.write(async (tx) => {
        await tx.insert('connections', first)
        await tx.insert('connections', second)
      })
      expect(await control.findConnectionHolder('token of n1')).toMatchObject({
        connection: first,
        key,
        member,
        account,
      })
      expect((await control.listConnections({ codeDigest: 'code of n2' }))[0]?.connection).toEqual(second)
      const list = async (selection: ConnectionSelection) =>
        (await control.listConnections(selection)).map((one) => one.connection.id)
      expect(await list({ accountId: 'a1', projectId: 'p1' })).toEqual(['n2', 'n1'])
      expect([await list({ id: 'n1' }), await list({ projectId: 'p2' })]).toEqual([['n1'], []])
      expect([await list({ memberId: member.id }), await list({ memberId: 'nobody' })]).toEqual([['n2', 'n1'], []])

      const before = await control.version()
      for (const at of [NOW + 2, NOW + 1]) await control.write((tx) => tx.saveUses('connections', [{ id: 'n1', at }]))
      expect(await control.version()).toBe(before)
      await control.write((tx) => tx.update('connections', { id: 'n1' }, { revokedAt: NOW }))
      expect(await control.version()).not.toBe(before)
      expect((await control.findConnectionHolder('token of n1'))?.connection).toMatchObject({
        revokedAt: NOW,
        lastUsedAt: NOW + 2,
      })
      expect(await control.count('connections', { keyId: key.id })).toBe(2)
      await control.write((tx) => tx.delete('connections', { expiresAt: { before: NOW + 20 } }))
      expect(await list({})).toEqual(['n2'])
      await control.write((tx) =>
        tx.delete('connections', { keyId: key.id, revokedAt: { before: Number.MAX_SAFE_INTEGER } }),
      )
      expect(await control.count('connections', { keyId: key.id })).toBe(1)
    })

    test('connections are listed a page at a time, those of one moment too', async () => {
      const { control } = suite.store
      const made = ['n1', 'n2', 'n3', 'n4'].map((id, at) => connection(id, { createdAt: NOW + (at > 0 ? 1 : 0) }))
      await control.write(async (tx) => {
        for (const one of made) await tx.insert('connections', one)
      })
      const page = async (after?: Connection) =>
        (await control.listConnections({}, { after, limit: 2 })).map((one) => one.connection)
      const first = await page()
      expect([first, await page(first[1]), await page(made[0])].map((rows) => rows.map(({ id }) => id))).toEqual([
        ['n4', 'n3'],
        ['n2', 'n1'],
        [],
      ])
    })
  })
}
