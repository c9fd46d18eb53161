import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account, Member, Project } from '../../src/store/account.ts'
import type { Key } from '../../src/store/key.ts'
import type { NewRecord } from '../../src/store/record.ts'
import type { Store } from '../../src/store/store.ts'

/** An engine's new, empty store, and the same data opened once more, as another process would. */
export type Opened = { store: Store; openAgain: () => Promise<Store>; remove: () => Promise<void> }

const NOW = Date.UTC(2026, 0, 15)

const account: Account = {
  id: 'a1',
  name: 'Acme',
  plan: 'team',
  limits: { records: 5 },
  subscribedAt: NOW,
  subscribedUntil: null,
  suspendedAt: null,
  createdAt: NOW,
}
const project = (id: string, name = id): Project => ({ id, accountId: 'a1', name, createdAt: NOW, removedAt: null })
const member: Member = {
  id: 'm1',
  accountId: 'a1',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'owner',
  departmentId: null,
  createdAt: NOW,
  removedAt: null,
}
const key: Key = {
  id: 'k1',
  digest: 'd1',
  shown: 'abcdefgh',
  label: 'Laptop',
  projectId: 'p1',
  memberId: 'm1',
  toolNames: 'dotted',
  createdAt: NOW,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
}

const record = (id: string, change: Partial<NewRecord> = {}): NewRecord => ({
  id,
  workspaceId: 1,
  audience: '*',
  authorId: 'm1',
  content: `content of ${id}`,
  factKey: id,
  factKeyGiven: false,
  status: 'unverified',
  supersededBy: null,
  sourceId: null,
  sourceHash: null,
  createdAt: NOW,
  expiresAt: null,
  forgottenAt: null,
  entry: { terms: `content of ${id}`, language: 'en', length: 3, codes: null, rules: 1 },
  ...change,
})

/** What every engine of the type Store must do. */
export function describeStore(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened
    let store: Store

    beforeEach(async () => {
      opened = await open()
      store = opened.store
      await store.control.write(async (tx) => {
        await tx.insertAccount(account)
        await tx.insertMember(member)
        await tx.insertProject(project('p1'))
        await tx.insertProject(project('p2'))
        await tx.insertKey(key)
      })
    })
    afterEach(async () => {
      await store.close()
      await opened.remove()
    })

    /** Saves into the workspace `default`, made when it is needed. */
    const insert = (id: string, change: Partial<NewRecord> = {}, projectId = 'p1') =>
      store.project(projectId).write(async (tx) => {
        const workspace = (await tx.findWorkspace('default')) ?? (await tx.insertWorkspace('default', NOW))
        return tx.insertRecord(record(id, { workspaceId: workspace.id, ...change }))
      })
    const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)

    describe('the control file', () => {
      test('finds accounts, members and projects by their names and their ids', async () => {
        const { control } = store
        expect(await control.findAccount('Acme')).toEqual(account)
        expect(await control.findAccount('a1')).toEqual(account)
        expect(await control.findMember('ADA@example.com')).toEqual(member)
        expect(await control.findMember('m1')).toEqual(member)
        expect(idsOf(await control.findProjects('p1'))).toEqual(['p1'])
        expect(await control.findAccount('nobody')).toBeUndefined()
      })

      test('a removed member and a removed project are found no more, and stay listed', async () => {
        const { control } = store
        await control.write(async (tx) => {
          await tx.updateMember('m1', { removedAt: NOW })
          await tx.updateProject('p2', { removedAt: NOW })
        })
        expect(await control.findMember('m1')).toBeUndefined()
        expect(await control.findProjects('p2')).toEqual([])
        expect(idsOf(await control.listMembers('a1'))).toEqual(['m1'])
        expect(idsOf(await control.listProjects('a1'))).toEqual(['p1', 'p2'])
      })

      test('a key is found by its digest with all that it opens, and by what lists show', async () => {
        const { control } = store
        expect(await control.findKeyHolder('d1')).toMatchObject({ key, member, account, project: { id: 'p1' } })
        expect(idsOf(await control.findKeys('abcdefgh'))).toEqual(['k1'])
        expect(await control.findKeyHolder('d2')).toBeUndefined()
      })

      test('an author is a member by name, or a key by label', async () => {
        expect(await store.control.findAuthor('m1')).toEqual({ id: 'm1', name: 'Ada', removedAt: null })
        expect(await store.control.findAuthor('k1')).toEqual({ id: 'k1', name: 'Laptop', removedAt: null })
      })

      test('departments are made, renamed and deleted', async () => {
        const { control } = store
        await control.write((tx) => tx.insertDepartment({ id: 'd1', accountId: 'a1', name: 'Research', createdAt: NOW }))
        await control.write((tx) => tx.updateDepartment('d1', { name: 'Science' }))
        expect(await control.listDepartments('a1')).toMatchObject([{ id: 'd1', name: 'Science' }])
        await control.write((tx) => tx.deleteDepartment('d1'))
        expect(await control.listDepartments('a1')).toEqual([])
      })

      test('a password is replaced, and belongs to its member', async () => {
        for (const hash of ['first', 'second']) await store.control.write((tx) => tx.savePassword('m1', hash))
        expect(await store.control.findPassword('m1')).toBe('second')
        expect(await store.control.findPassword('m2')).toBeUndefined()
      })

      test('a session is found with whose it is, until it is deleted or purged', async () => {
        const session = (id: string, expiresAt: number) => ({
          id,
          digest: `digest of ${id}`,
          memberId: 'm1',
          origin: null,
          createdAt: NOW,
          expiresAt,
        })
        await store.control.write(async (tx) => {
          for (const [at, id] of ['s1', 's2', 's3'].entries()) await tx.insertSession(session(id, NOW + at))
        })
        expect(await store.control.findSessionHolder('digest of s3')).toEqual({ session: session('s3', NOW + 2), member, account })
        await store.control.write((tx) => tx.purgeSessions(NOW))
        await store.control.write((tx) => tx.deleteSession('s2'))
        expect((await store.control.listSessions('m1')).map(({ id }) => id)).toEqual(['s3'])
        await store.control.write((tx) => tx.deleteSessions('m1'))
        expect(await store.control.findSessionHolder('digest of s3')).toBeUndefined()
      })

      test('a link is found by its digest, until its member’s links are deleted or it is purged', async () => {
        const link = (digest: string, memberId: string, madeBy = 'operator') => ({
          digest,
          memberId,
          madeBy,
          createdAt: NOW,
          expiresAt: NOW + 1,
        })
        await store.control.write(async (tx) => {
          for (const [digest, memberId] of [
            ['l1', 'm1'],
            ['l2', 'm2'],
          ] as const)
            await tx.insertEntryLink(link(digest, memberId))
          await tx.deleteEntryLinks('m1')
        })
        expect(await store.control.findEntryLink('l1')).toBeUndefined()
        expect(await store.control.findEntryLink('l2')).toEqual(link('l2', 'm2'))
        await store.control.write((tx) => tx.purgeSessions(NOW + 1))
        expect(await store.control.findEntryLink('l2')).toBeUndefined()
        await store.control.write((tx) => tx.insertEntryLink(link('l3', 'm2', 'member:m1')))
        await store.control.write((tx) => tx.insertEntryLink(link('l4', 'm2', 'member:m3')))
        await store.control.write((tx) => tx.deleteEntryLinksBy('member:m1'))
        expect([await store.control.findEntryLink('l3'), (await store.control.findEntryLink('l4'))?.madeBy]).toEqual([
          undefined,
          'member:m3',
        ])
      })

      test('a project is opened to a member once, and closed again', async () => {
        for (let time = 0; time < 2; time++) await store.control.write((tx) => tx.allowAccess('p1', 'm1'))
        expect([await store.control.listAccess('m1'), await store.control.listAccess('m2')]).toEqual([['p1'], []])
        await store.control.write((tx) => tx.endAccess('p2', 'm1'))
        await store.control.write((tx) => tx.endAccess('p1', 'm1'))
        expect(await store.control.listAccess('m1')).toEqual([])
      })

      test('a member’s keys are those of every project', async () => {
        const other = { ...key, id: 'k2', digest: 'd2', projectId: 'p2' }
        await store.control.write((tx) => tx.insertKey(other))
        await store.control.write((tx) => tx.insertKey({ ...key, id: 'k3', digest: 'd3', memberId: null }))
        expect(await store.control.listKeysOfMember('m1')).toEqual([key, other])
      })

      test('the audit log gives the newest lines first and erases old ones', async () => {
        const entry = {
          accountId: 'a1',
          projectId: null,
          actor: 'operator',
          act: 'key.issue',
          target: 'k1',
          origin: null,
          outcome: 'done' as const,
        }
        const { control } = store
        await control.write(async (tx) => {
          await tx.insertAudit({ ...entry, at: NOW, details: {} })
          await tx.insertAudit({ ...entry, at: NOW + 1, details: { label: 'x' } })
        })
        expect(await control.listAudit({ limit: 10 })).toMatchObject([{ at: NOW + 1, details: { label: 'x' } }, { at: NOW }])
        expect(await control.write((tx) => tx.purgeAudit(NOW + 1, 10))).toBe(1)
        expect(await control.listAudit({ limit: 10 })).toHaveLength(1)
      })

      test('the audit log is read by project and act, a part at a time', async () => {
        const entry = { at: NOW, accountId: 'a1', actor: 'operator', target: null, origin: null, outcome: 'done' as const, details: {} }
        const { control } = store
        await control.write(async (tx) => {
          for (const projectId of ['p1', 'p2', null]) {
            for (const act of ['record.reject', 'record.allow', 'record.reject']) await tx.insertAudit({ ...entry, projectId, act })
          }
        })
        const rejected = { projectId: 'p1', act: 'record.reject' }
        const [newest, ...others] = await control.listAudit({ ...rejected, limit: 10 })
        expect([newest, ...others]).toMatchObject([rejected, rejected])
        expect(await control.listAudit({ ...rejected, beforeSeq: newest?.seq, limit: 10 })).toEqual(others)
        expect(await control.listAudit({ projectId: 'p2', limit: 10 })).toHaveLength(3)
        const [draft, shared] = [{ scope: 'draft' }, { scope: 'shared' }]
        await control.write(async (tx) => {
          for (const details of [draft, shared])
            for (const actor of ['m1', 'm2']) await tx.insertAudit({ ...entry, projectId: 'p3', act: 'record.reject', actor, details })
          await tx.insertAudit({ ...entry, projectId: 'p3', act: 'record.allow', actor: 'm1', details: shared })
        })
        const ofM1 = { projectId: 'p3', scopes: ['shared'], actor: 'm1' }
        const rejections = await control.listRejections({ ...ofM1, limit: 10 })
        expect(await control.listRejections({ ...ofM1, beforeSeq: rejections[0]?.seq, limit: 1 })).toEqual(rejections.slice(1, 2))
        const known = rejections.map(({ actor, details }) => [actor, details])
        expect(known).toEqual([
          ['m2', shared],
          ['m1', shared],
          ['m1', draft],
        ])
      })

      test('what another process changes is seen at the next look, kept answers too', async () => {
        const other = await opened.openAgain()
        expect((await store.control.findKeyHolder('d1'))?.key.revokedAt).toBeNull()
        await other.control.write((tx) => tx.updateKey('k1', { revokedAt: NOW }))
        await new Promise((resume) => setImmediate(resume))
        expect((await store.control.findKeyHolder('d1'))?.key.revokedAt).toBe(NOW)
        await other.close()
      })
    })

    describe('a write', () => {
      test('acts that wait together are each answered with their own value, after the commit', async () => {
        const other = await opened.openAgain()
        const saved = await Promise.all(Array.from({ length: 300 }, (_, i) => insert(`r${i}`)))
        expect(saved.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, i) => `r${i}`))
        expect(await other.project('p1').listRecords({ visible: undefined })).toHaveLength(300)
        expect((await other.project('p1').readUsage()).records).toBe(300)
        await other.close()
      })

      test('an act that fails takes back its own changes and nobody else’s', async () => {
        const acts = [
          insert('one'),
          store.project('p1').write(async (tx) => {
            await tx.insertRecord(record('two', { workspaceId: 1 }))
            throw new Error('on second thoughts')
          }),
          insert('one'),
          insert('three'),
        ]
        const outcomes = await Promise.allSettled(acts)
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
        expect(idsOf(await store.project('p1').listRecords({ visible: undefined }))).toEqual(['one', 'three'])
        expect((await store.project('p1').readUsage()).records).toBe(2)
        expect(await store.project('p1').checkIndex()).toEqual({ records: 2, missing: 0, orphaned: 0, miscounted: 0, sound: true })
      })

      test('an act sees what those before it did', async () => {
        const [, seen] = await Promise.all([insert('one'), store.project('p1').write(async (tx) => tx.findRecord(undefined, 'one'))])
        expect(seen).toMatchObject({ id: 'one' })
      })

      test('two processes that write to one project both get through', async () => {
        const other = await opened.openAgain()
        await insert('first')
        const mine = Array.from({ length: 50 }, (_, i) => insert(`mine${i}`))
        const theirs = Array.from({ length: 50 }, (_, i) => other.project('p1').write((tx) => tx.insertRecord(record(`theirs${i}`))))
        await Promise.all([...mine, ...theirs])
        expect(await store.project('p1').listRecords({ visible: undefined })).toHaveLength(101)
        await other.close()
      })
    })

    describe('a project', () => {
      test('knows nothing of another one', async () => {
        await insert('mine', {}, 'p1')
        const other = store.project('p2')
        expect(await other.listWorkspaces(undefined, { limit: 9 })).toEqual([])
        expect(await other.findRecord(undefined, 'mine')).toBeUndefined()
        expect((await other.readUsage()).records).toBe(0)
        await insert('mine', { content: 'the same id again' }, 'p2')
        expect(await store.project('p1').findRecord(undefined, 'mine')).toMatchObject({ content: 'content of mine' })
      })

      test('that nobody made cannot be opened', async () => {
        await expect(store.project('nowhere').listWorkspaces(undefined, { limit: 9 })).rejects.toThrow("no project 'nowhere'")
      })

      test('that is erased leaves nothing, and can be erased twice', async () => {
        await insert('one', {}, 'p2')
        await store.control.write((tx) => tx.updateProject('p2', { removedAt: NOW }))
        await store.eraseProject('p2')
        await store.eraseProject('p2')
        await expect(store.project('p2').listWorkspaces(undefined, { limit: 9 })).rejects.toThrow()
      })

      test('gives back a record as it was saved', async () => {
        const saved = await insert('whole', {
          content: 'two\nlines, "quotes", 日本語 and 🗾',
          factKeyGiven: true,
          status: 'verified',
          sourceId: 's',
          sourceHash: 'h',
          expiresAt: NOW + 1,
        })
        expect(await store.project('p1').findRecord(undefined, 'whole')).toEqual(saved)
      })

      test('shows records only to those who may see them', async () => {
        await insert('shared')
        await insert('draft', { audience: 'a:m1' })
        await insert('research', { audience: 'd:r' })
        const reads = store.project('p1')
        const seen = async (visible: string[] | undefined) => idsOf(await reads.listRecords({ visible }))
        expect(await seen(['*', 'a:m2'])).toEqual(['shared'])
        expect(await seen(['*', 'a:m1', 'd:r'])).toEqual(['shared', 'draft', 'research'])
        expect(await seen(undefined)).toEqual(['shared', 'draft', 'research'])
        expect(await reads.findRecord(['*', 'a:m2'], 'draft')).toBeUndefined()
        expect(idsOf(await reads.findRecordsBySeq(['*', 'd:r'], [1, 2, 3])).sort()).toEqual(['research', 'shared'])
      })

      test('lists a selection in the order of saving, in parts', async () => {
        for (const id of ['a', 'b', 'c', 'd']) await insert(id, { sourceId: id < 'c' ? 's' : null })
        const reads = store.project('p1')
        expect(idsOf(await reads.listRecords({ visible: undefined, sourceId: 's' }))).toEqual(['a', 'b'])
        expect(idsOf(await reads.listRecords({ visible: undefined, afterSeq: 1, limit: 2 }))).toEqual(['b', 'c'])
        expect(await reads.listRecords({ visible: undefined, workspaceId: 99 })).toEqual([])
      })

      test('lists the newest first, in parts, by status and by who may see them', async () => {
        for (const id of ['a', 'b', 'c', 'd', 'e']) {
          await insert(id, { audience: id === 'c' ? 'a:m1' : '*', status: id < 'c' ? 'verified' : 'unverified' })
        }
        const reads = store.project('p1')
        const list = async (selection: Partial<Parameters<typeof reads.listRecords>[0]>) =>
          idsOf(await reads.listRecords({ visible: ['*', 'a:m2'], newestFirst: true, ...selection }))
        expect(await list({})).toEqual(['e', 'd', 'b', 'a'])
        expect(await list({ limit: 2 })).toEqual(['e', 'd'])
        expect(await list({ beforeSeq: 4, limit: 1 })).toEqual(['b'])
        expect(await list({ status: 'verified' })).toEqual(['b', 'a'])
        expect(await list({ status: 'verified', beforeSeq: 2, workspaceId: 1 })).toEqual(['a'])
        expect(await list({ status: 'unverified', workspaceId: 1 })).toEqual(['e', 'd'])
        expect(await list({ visible: ['a:m1'] })).toEqual(['c'])
        expect(await list({ visible: ['a:m1'], workspaceId: 1, status: 'unverified' })).toEqual(['c'])
        expect(await list({ visible: [] })).toEqual([])
      })

      test('lists what is forgotten by when it was, in parts', async () => {
        for (const id of ['a', 'b', 'c', 'd']) await insert(id, { audience: id === 'b' ? 'a:m1' : '*' })
        const reads = store.project('p1')
        await reads.write(async (tx) => {
          for (const [at, id] of ['d', 'b', 'a'].entries()) await tx.forgetRecord(id, NOW + at)
          await tx.forgetRecord('c', NOW + 2)
        })
        const list = async (visible: string[] | undefined, slice: Parameters<typeof reads.listTrashSlice>[1]) => {
          const { records, next } = await reads.listTrashSlice(visible, slice)
          return [...records.map(({ id }) => id), next?.seq]
        }
        expect(await list(undefined, { examine: 9 })).toEqual(['c', 'a', 'b', 'd', undefined])
        expect(await list(['*', 'a:m2'], { examine: 9 })).toEqual(['c', 'a', 'd', undefined])
        expect(await list(undefined, { before: { seq: 3, forgottenAt: NOW + 2 }, examine: 2 })).toEqual(['a', 'b', 2])
        expect(await list(['*', 'a:m2'], { before: { seq: 3, forgottenAt: NOW + 2 }, examine: 2 })).toEqual(['a', 2])
      })

      test('lists what a record superseded', async () => {
        const fact = { factKey: 'k', factKeyGiven: true }
        const old = { ...fact, status: 'superseded' as const, supersededBy: 'new' }
        await insert('a', old)
        await insert('b', old)
        await insert('gone', old)
        await insert('other', { ...old, supersededBy: 'b' })
        const newer = await insert('new', fact)
        const reads = store.project('p1')
        await reads.write((tx) => tx.forgetRecord('gone', NOW))
        expect(idsOf(await reads.listSupersededBy(newer, 9))).toEqual(['b', 'a'])
        expect(idsOf(await reads.listSupersededBy(newer, 1))).toEqual(['b'])
        expect(await reads.listSupersededBy({ ...newer, audience: 'a:m1' }, 9)).toEqual([])
      })

      test('lists contradictions with what is verified, each once, to those who may see both', async () => {
        const pair = async (name: string, change: Partial<NewRecord>, other: Partial<NewRecord> = {}) => {
          const fact = { factKey: name, factKeyGiven: true, ...change }
          await insert(`${name}1`, { ...fact, status: 'verified' })
          await insert(`${name}2`, { ...fact, ...other })
        }
        await pair('plain', {})
        await pair('both', {}, { status: 'verified' })
        await pair('draft', { audience: 'a:m1' })
        await pair('same', { content: 'the same' })
        await pair('derived', { factKeyGiven: false })
        await pair('settled', {}, { status: 'superseded' })
        await pair('elsewhere', {}, { workspaceId: 2 })
        await pair('readers', {}, { audience: 'a:m1' })
        await pair('gone', {})
        const reads = store.project('p1')
        await reads.write((tx) => tx.forgetRecord('gone2', NOW))
        const ids = new Map((await reads.listRecords({ visible: undefined })).map(({ seq, id }) => [seq, id]))
        const list = async (visible: string[] | undefined) => {
          const pairs: (string | undefined)[][] = []
          for (let beforeSeq: number | undefined = Number.MAX_SAFE_INTEGER; beforeSeq !== undefined; ) {
            const slice: Awaited<ReturnType<typeof reads.listConflictsSlice>> = await reads.listConflictsSlice({
              visible,
              beforeSeq,
              examine: 2,
            })
            pairs.push(...slice.conflicts.map(({ verified, other }) => [ids.get(verified), ids.get(other)]))
            beforeSeq = slice.next
          }
          return pairs
        }
        expect(await list(['*', 'a:m2'])).toEqual([
          ['both1', 'both2'],
          ['plain1', 'plain2'],
        ])
        expect(await list(['*', 'a:m1'])).toEqual([['draft1', 'draft2'], ...(await list(['*']))])
      })

      test('finds the same content, and who holds a given fact key now', async () => {
        await insert('a', { content: 'same', factKey: 'k', factKeyGiven: true })
        await insert('b', { content: 'same', audience: 'a:m1', factKey: 'k' })
        const reads = store.project('p1')
        const [a] = await reads.listRecords({ visible: ['*'] })
        if (a === undefined) throw new Error('no record')
        const sameAs = async (change: Partial<typeof a>) => idsOf(await reads.write((tx) => tx.listSame({ ...a, ...change })))
        expect(await sameAs({})).toEqual(['a'])
        for (const change of [{ content: 'Same' }, { authorId: 'm9' }, { factKey: 'l' }, { factKeyGiven: false }, { sourceId: 's' }]) {
          expect(await sameAs(change)).toEqual([])
        }
        expect(await reads.write((tx) => tx.findSame(a, NOW))).toMatchObject({ id: 'a' })
        await reads.write((tx) => tx.updateRecord('a', { expiresAt: NOW }))
        expect(await reads.write((tx) => tx.findSame(a, NOW))).toBeUndefined()
        expect(await reads.write((tx) => tx.findSame(a, NOW - 1))).toMatchObject({ id: 'a' })
        const other = { workspaceId: 1, audience: '*', factKey: 'k', content: 'other' }
        const rivalsOf = (fact: typeof other) => reads.listRivals(fact, { status: 'unverified', limit: 9 })
        expect(idsOf(await rivalsOf(other))).toEqual(['a'])
        expect(await rivalsOf({ ...other, content: 'same' })).toEqual([])
        expect(await reads.countRivals(other, 'unverified', 9)).toBe(1)
        expect(await reads.countRivals(other, 'verified', 9)).toBe(0)
        expect(await reads.findNewerRival(other, NOW - 1)).toMatchObject({ id: 'a' })
        expect(await reads.findNewerRival(other, NOW)).toBeUndefined()
        await reads.write((tx) => tx.updateRecord('a', { status: 'superseded', supersededBy: 'b' }))
        expect(await rivalsOf(other)).toEqual([])
      })

      test('a forgotten record counts no more and is found only when asked for; restored, it is as it was', async () => {
        const saved = await insert('one', { content: 'né' })
        const reads = store.project('p1')
        expect(await reads.readUsage()).toMatchObject({ records: 1, contentBytes: 3 })
        await reads.write((tx) => tx.forgetRecord('one', NOW))
        expect(await reads.readUsage()).toMatchObject({ records: 0, contentBytes: 0 })
        expect(await reads.findRecord(undefined, 'one')).toBeUndefined()
        expect(await reads.findRecord(undefined, 'one', { forgotten: true })).toMatchObject({ forgottenAt: NOW })
        expect(idsOf(await reads.listRecords({ visible: undefined, forgotten: true }))).toEqual(['one'])
        expect(await reads.listRecords({ visible: undefined })).toEqual([])

        await reads.write((tx) =>
          tx.restoreRecord('one', saved.workspaceId, { terms: 'ne', language: 'en', length: 1, codes: null, rules: 1 }),
        )
        expect(await reads.findRecord(undefined, 'one')).toEqual(saved)
        expect(await reads.readUsage()).toMatchObject({ records: 1, contentBytes: 3 })
      })

      test('erases what was forgotten before a time, no more than asked for', async () => {
        for (const id of ['a', 'b', 'c', 'd']) await insert(id)
        const reads = store.project('p1')
        await reads.write(async (tx) => {
          for (const [at, id] of ['a', 'b', 'c'].entries()) await tx.forgetRecord(id, NOW + at)
        })
        expect(await reads.write((tx) => tx.purgeForgotten(NOW + 2, 1))).toBe(1)
        expect(await reads.write((tx) => tx.purgeForgotten(NOW + 2, 10))).toBe(1)
        expect(idsOf(await reads.listRecords({ visible: undefined, forgotten: true }))).toEqual(['c'])
        expect(idsOf(await reads.listRecords({ visible: undefined }))).toEqual(['d'])
      })

      test('a source’s current hash is the one saved last by a save that may be seen', async () => {
        await insert('one')
        const reads = store.project('p1')
        await reads.write((tx) => tx.saveSourceHash(1, 's', '*', 'h1'))
        await reads.write((tx) => tx.saveSourceHash(1, 's', 'a:m1', 'h2'))
        expect(await reads.findCurrentHash(['*', 'a:m2'], 1, 's')).toBe('h1')
        expect(await reads.findCurrentHash(['*', 'a:m1'], 1, 's')).toBe('h2')
        await reads.write((tx) => tx.saveSourceHash(1, 's', '*', 'h1'))
        expect(await reads.findCurrentHash(['*', 'a:m1'], 1, 's')).toBe('h1')
        expect(await reads.findSourceState(1, 'a:m1', 's')).toEqual({ hash: 'h2', saveSequence: 2 })
        expect(await reads.findCurrentHash(undefined, 1, 'other')).toBeUndefined()
      })

      test('a state brought from elsewhere never takes the place of a later one', async () => {
        await insert('one')
        const reads = store.project('p1')
        await reads.write((tx) => tx.saveSourceState(1, 's', '*', { hash: 'h7', saveSequence: 7 }))
        await reads.write((tx) => tx.saveSourceState(1, 's', '*', { hash: 'h3', saveSequence: 3 }))
        expect(await reads.findSourceState(1, '*', 's')).toEqual({ hash: 'h7', saveSequence: 7 })
        await reads.write((tx) => tx.saveSourceHash(1, 's', '*', 'h8'))
        expect(await reads.findSourceState(1, '*', 's')).toEqual({ hash: 'h8', saveSequence: 8 })
      })

      test('a removed workspace frees its name at once and is erased when its records are', async () => {
        await insert('one')
        const reads = store.project('p1')
        await reads.write((tx) => tx.removeWorkspace(1, NOW))
        expect(await reads.findWorkspace('default')).toBeUndefined()
        expect(await reads.findWorkspaceById(1)).toMatchObject({ name: 'default', removedAt: NOW })
        expect(idsOf((await reads.listRemovedWorkspaces({ limit: 9 })).map(({ name: id }) => ({ id })))).toEqual(['default'])
        const again = await reads.write((tx) => tx.insertWorkspace('default', NOW))
        expect(again.id).not.toBe(1)

        expect(await reads.write((tx) => tx.eraseWorkspace(1))).toBe(false)
        await reads.write((tx) => tx.forgetRecord('one', NOW))
        await reads.write((tx) => tx.purgeForgotten(NOW + 1, 10))
        expect(await reads.write((tx) => tx.eraseWorkspace(1))).toBe(true)
        expect(await reads.findWorkspaceById(1)).toBeUndefined()
      })

      test('lists the workspaces of some audiences a page at a time, by name, with the records they see', async () => {
        const project = store.project('p1')
        const place = (name: string) => project.write((tx) => tx.insertWorkspace(name, NOW))
        const [b, a, c] = [await place('b'), await place('a'), await place('c')]
        await insert('one', { workspaceId: a.id })
        await insert('two', { workspaceId: a.id, audience: 'd:x' })
        await insert('three', { workspaceId: b.id, audience: 'a:m1' })
        await insert('four', { workspaceId: c.id, audience: 'a:m2' })
        const listed = async (visible: string[] | undefined, after?: string, limit = 9) =>
          (await project.listWorkspaces(visible, { after, limit })).map(({ name, records }) => `${name} ${records}`)
        expect(await listed(['*', 'a:m1', 'd:x'])).toEqual(['a 2', 'b 1'])
        expect(await listed(['*', 'a:m1', 'd:x'], undefined, 1)).toEqual(['a 2'])
        expect(await listed(['*', 'a:m1', 'd:x'], 'a')).toEqual(['b 1'])
        expect(await listed(['*'])).toEqual(['a 1'])
        expect(await listed([])).toEqual([])
        expect(await listed(undefined, 'a')).toEqual(['b 1', 'c 1', 'default 0'])
        expect(await project.readAudienceStats(['*'], a.id)).toMatchObject({ records: 1 })
        expect(await project.readAudienceStats(undefined, a.id)).toMatchObject({ records: 2 })
        expect(await project.countWorkspaces()).toBe(4)
        await project.write((tx) => tx.removeWorkspace(a.id, NOW))
        expect(await listed(['*', 'a:m1'])).toEqual(['b 1'])
        expect(await project.countWorkspaces()).toBe(3)
      })

      test('reads see what is committed by another process', async () => {
        const other = await opened.openAgain()
        await insert('one')
        await other.project('p1').write((tx) => tx.updateRecord('one', { status: 'verified' }))
        expect(await store.project('p1').findRecord(undefined, 'one')).toMatchObject({ status: 'verified' })
        await other.close()
      })
    })
  })
}
