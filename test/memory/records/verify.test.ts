import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { actingAs } from '../../../src/account/auth/caller.ts'
import { Refusal } from '../../../src/errors.ts'
import { restoreRecord } from '../../../src/memory/records/trash/restore.ts'
import { unverifyRecord, verifyRecord } from '../../../src/memory/records/verify.ts'
import type { ProjectStore } from '../../../src/store/project.ts'
import type { StoredRecord } from '../../../src/store/record.ts'
import { forgetAs, rememberAs } from '../../as-caller.ts'
import { toActor } from '../../builders/organization.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'

/** A project with a clock that moves on with every act, and the acts of its owner. */
async function startVerifying() {
  const { service, org, account, project, owner, pass } = await startService()
  const caller = actingAs(account, project, owner)
  const actor = await toActor(service, owner, '192.0.2.1')
  const store = service.store.project(project.id)
  const tick = <T>(act: () => Promise<T>) => {
    pass(1000)
    return act()
  }
  return {
    service,
    org,
    store,
    project,
    save: (content: string, more: { fact_key?: string; scope?: 'draft' } = { fact_key: 'port' }) =>
      tick(async () => (await rememberAs(service, caller, { content, ...more })).id),
    verify: (id: string, seen?: string[]) =>
      tick(() => verifyRecord(service, actor, { projectId: project.id, id, ...(seen && { seen }) })),
    unverify: (id: string) => tick(() => unverifyRecord(service, actor, { projectId: project.id, id })),
    forget: (id: string) => tick(() => forgetAs(service, caller, { id })),
    restore: (id: string) => tick(() => restoreRecord(service, actor, { projectId: project.id, id })),
    standing: async (id: string) => {
      const { status, supersededBy } = (await store.findRecord(undefined, id, { forgotten: true })) ?? {}
      return [status, supersededBy]
    },
  }
}

test('a verified record outlasts newer ones of its fact key, until its verification is taken back', async () => {
  const { save, verify, unverify, standing } = await startVerifying()
  const older = await save('The port is 8080')
  expect(await verify(older)).toMatchObject({ record: { status: 'verified' }, superseded: [] })
  const newer = await save('The port is 9090')
  expect([await standing(older), await standing(newer)]).toEqual([
    ['verified', null],
    ['unverified', null],
  ])
  expect(await unverify(older)).toMatchObject({ record: { status: 'superseded', supersededBy: newer } })
  expect([await standing(older), await standing(newer)]).toEqual([
    ['superseded', newer],
    ['unverified', null],
  ])
})

test('verifying the newer one settles the contradiction, also against one that was verified before', async () => {
  const { save, verify, standing, store } = await startVerifying()
  const older = await save('The port is 8080')
  await verify(older)
  const newer = await save('The port is 9090')
  expect(await conflictsOf(store)).toMatchObject([{ verified: { id: older }, other: { id: newer } }])
  expect((await verify(newer)).superseded).toMatchObject([{ id: older }])
  expect([await standing(older), await standing(newer)]).toEqual([
    ['superseded', newer],
    ['verified', null],
  ])
  expect(await conflictsOf(store)).toEqual([])
})

test('of two verified ones, as a restored record may leave them, either can be chosen', async () => {
  const { save, verify, forget, restore, standing, store } = await startVerifying()
  const first = await save('The port is 8080')
  await verify(first)
  await forget(first)
  const second = await save('The port is 9090')
  await verify(second)
  await restore(first)
  expect(await conflictsOf(store)).toMatchObject([{ verified: { id: first }, other: { id: second } }])
  await verify(first)
  expect([await standing(first), await standing(second)]).toEqual([
    ['verified', null],
    ['superseded', first],
  ])
})

test('supersedes nothing that the person did not know of', async () => {
  const { save, verify, standing } = await startVerifying()
  const older = await save('The port is 8080')
  await verify(older)
  const newer = await save('The port is 9090')
  expect(await rejectionOf(verify(newer, []))).toContain(
    'another record of its fact key says something else since this page was made',
  )
  expect(await standing(older)).toEqual(['verified', null])
  expect(await verify(newer, [older, 'and one that is gone'])).toMatchObject({ superseded: [{ id: older }] })
})

test('leaves alone what has another fact key or other readers', async () => {
  const { save, verify, standing } = await startVerifying()
  const others = [await save('8080', { fact_key: 'other' }), await save('8080', { fact_key: 'port', scope: 'draft' })]
  const id = await save('The port is 9090')
  expect((await verify(id)).superseded).toEqual([])
  for (const other of others) expect(await standing(other)).toEqual(['unverified', null])
})

test('refuses what cannot be verified, and says why', async () => {
  const { save, verify, unverify, forget, service, project, org } = await startVerifying()
  const gone = await save('gone', {})
  await forget(gone)
  const old = await save('The port is 8080')
  const current = await save('The port is 9090')
  expect(await rejectionOf(verify('nowhere'))).toContain("no record 'nowhere'")
  expect(await rejectionOf(verify(gone))).toContain(`record '${gone}' is forgotten; restore it first`)
  expect(await rejectionOf(verify(old))).toContain(`record '${old}' is superseded by '${current}'`)
  expect(await rejectionOf(unverify(current))).toContain(`record '${current}' is not verified`)
  await verify(current)
  expect(await rejectionOf(verify(current))).toContain(`record '${current}' is verified already`)
  const draft = await save('mine', { scope: 'draft' })
  const admin = await org.addMember('Ada', { role: 'admin' })
  const byAdmin = verifyRecord(service, await toActor(service, admin), { projectId: project.id, id: draft })
  expect(await rejectionOf(byAdmin)).toContain(`no record '${draft}'`)
})

test('records an audit event that names the records concerned and holds no word of them', async () => {
  const { save, verify, unverify, service } = await startVerifying()
  const older = await save('The port is 8080')
  await verify(older)
  const newer = await save('The port is 9090')
  await verify(newer)
  await unverify(newer)
  const lines = await service.store.control.listAudit({ limit: 3 })
  expect(lines).toMatchObject([
    { act: 'record.unverify', target: newer },
    { act: 'record.verify', target: newer, details: { superseded: older }, via: '192.0.2.1' },
    { act: 'record.verify', target: older, details: {} },
  ])
  expect(JSON.stringify(lines)).not.toContain('port is')
})

const KEYS = ['port', 'host']
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('save' as const), nth: fc.nat(2), key: fc.constantFrom(...KEYS) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('verify' as const, 'unverify' as const, 'forget' as const, 'restore' as const),
      nth: fc.nat(12),
    }),
  },
)

test('whatever is done, no two records that nobody verified contradict each other, and all that contradicts a verified one is listed', async () => {
  const { store, save, verify, unverify, forget, restore } = await startVerifying()
  const acts = { verify, unverify, forget, restore }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const made: string[] = []
      for (const one of steps) {
        if (one.kind === 'save') made.push(await save(`It is ${one.nth}`, { fact_key: one.key }))
        else await unlessRefused(acts[one.kind](made[one.nth % Math.max(1, made.length)] ?? 'nothing'))
      }
      const records = await store.listRecords({ visible: undefined })
      const pairs = contradictions(records)
      expect(pairs.filter((pair) => pair.every(({ status }) => status === 'unverified'))).toEqual([])
      const listed = (await conflictsOf(store)).map(({ verified, other }) => [verified.id, other.id].sort().join(' '))
      expect(listed.sort()).toEqual(
        pairs
          .map((pair) =>
            pair
              .map(({ id }) => id)
              .sort()
              .join(' '),
          )
          .sort(),
      )
      for (const { id } of records) await forget(id)
    }),
    { numRuns: 25 },
  )
})

async function unlessRefused(act: Promise<unknown>): Promise<void> {
  await act.catch((error) => {
    if (!(error instanceof Refusal)) throw error
  })
}

/** Pairs of current records of one fact that say different things. */
function contradictions(records: StoredRecord[]): StoredRecord[][] {
  const current = records.filter(({ status }) => status !== 'superseded')
  return current.flatMap((one, at) =>
    current
      .slice(at + 1)
      .flatMap((other) => (one.factKey === other.factKey && one.content !== other.content ? [[one, other]] : [])),
  )
}

/** What the store lists of contradictions, with the records' ids. */
async function conflictsOf(store: ProjectStore) {
  const ids = new Map((await store.listRecords({ visible: undefined })).map(({ seq, id }) => [seq, id]))
  const { conflicts } = await store.listConflictsSlice({ visible: undefined, beforeSeq: undefined, examine: 1000 })
  return conflicts.map(({ verified, other }) => ({
    verified: { id: ids.get(verified) ?? '' },
    other: { id: ids.get(other) ?? '' },
  }))
}
