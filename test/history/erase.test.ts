import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { removeMember } from '../../src/account/organizations/change-member.ts'
import { DAY_MS } from '../../src/clock.ts'
import { eraseAllSessions, eraseSession } from '../../src/history/erase/erase.ts'
import { purgeHistories, removeMemberAndHistories, revokeKeyAndHistories } from '../../src/history/erase/purge.ts'
import { scanHistories } from '../../src/history/scan-histories.ts'
import type { HistoryStore } from '../../src/store/history-verbs.ts'
import { rejectionOf } from '../rejection-of.ts'
import { filesHold, startHistories } from './start-histories.ts'
import { claudeLine, createUploadClient } from './upload-client.ts'

test('an erased session is gone for good, from the files too, and nothing of it comes again', async () => {
  const { client, service, actor, projectId, sessions, read } = await startHistories()
  const head = await client.head()
  const behind = await client.append(head, [claudeLine('u1', 'the pelican flies at midnight')])
  expect(await filesHold(service, 'pelican')).toBe(true)
  expect(await eraseSession(service, actor, { projectId, id: head.source_id })).toEqual({ sources: 1, lines: 1 })
  expect(await sessions()).toEqual([])
  expect(await rejectionOf(read(head.source_id))).toBe('there is no such session')
  expect(await filesHold(service, 'pelican')).toBe(false)
  expect(await client.head()).toEqual(behind)
  for (const at of [head, behind]) {
    expect(await client.put(at, [claudeLine('u1', 'the pelican')])).toMatchObject({
      status: 410,
      body: { error: { code: 'erased' } },
    })
  }
  expect(await service.store.control.listAudit({ act: 'history.erase', limit: 9 })).toMatchObject([
    { actor: `member:${actor.member.id}`, target: head.source_id, projectId, details: { sources: 1, lines: 1 } },
  ])
})

test('folder and branch of an erased session do not return when its agent asks for it again', async () => {
  const { client, service, actor, projectId } = await startHistories()
  const wish = { cwd: '/home/ada/flamingo', git_branch: 'heron' }
  const head = await client.head(wish)
  await client.append(head, [claudeLine('u1', 'the pelican')])
  await eraseSession(service, actor, { projectId, id: head.source_id })
  expect((await client.ask([wish])).body).toMatchObject({ heads: [{ source_id: head.source_id, erased: true }] })
  for (const word of ['flamingo', 'heron']) expect(await filesHold(service, word)).toBe(false)
})

test('what is erased while it is searched for credentials does not return', async () => {
  const { client, service, actor, projectId } = await startHistories()
  const head = await client.head({ git_branch: 'heron' })
  await client.append(head, [claudeLine('u1', 'the pelican')])
  const store = service.store.history(projectId)
  const cwd = `/home/${'AKIA'}Z7Q2M4X8K1PW9TLC/flamingo`
  await store.write((tx) => tx.updateSource(head.source_id, { cwd }))
  const write = createFirstWrite(store, () => eraseSession(service, actor, { projectId, id: head.source_id }))
  expect(await scanHistories({ ...store, write }, true)).toEqual({})
  expect(await store.findSource({ id: head.source_id })).toMatchObject({ cwd: null, gitBranch: null, title: null })
})

/** `write`, with something that happens just before the first. */
function createFirstWrite({ write }: HistoryStore, happens: () => Promise<unknown>): HistoryStore['write'] {
  let isFirst = true
  return async (act) => {
    if (isFirst) {
      isFirst = false
      await happens()
    }
    return write(act)
  }
}

test('a session goes with its subagents, and what a fork has too stays in the fork', async () => {
  const { client, service, actor, projectId, sessions, textsOf } = await startHistories()
  const [main, fork] = [
    await client.head({ session_id: 'one' }),
    await client.head({ session_id: 'two', parent_session_id: 'one' }),
  ]
  const sub = await client.head({ session_id: 'one', source_key: 'one/subagents/a.jsonl', kind: 'subagent' })
  const shared = Array.from({ length: 600 }, (_, at) => claudeLine(`u${at}`, `shared ${at}`))
  await client.append(main, [claudeLine('m', 'only the heron in main'), ...shared])
  await client.append(fork, shared)
  await client.append(sub, [claudeLine('s', 'only the stork in the subagent')])
  expect(await eraseSession(service, actor, { projectId, id: main.source_id })).toEqual({ sources: 2, lines: 602 })
  expect((await sessions()).map(({ session_id }) => session_id)).toEqual(['two'])
  expect(await textsOf(fork.source_id)).toHaveLength(600)
  for (const word of ['heron', 'stork']) expect(await filesHold(service, word)).toBe(false)
  expect(await filesHold(service, 'shared 599')).toBe(true)
})

test('a forgotten source can be uploaded anew from its beginning; forgetting twice is harmless', async () => {
  const { client, service, textsOf } = await startHistories()
  const head = await client.head()
  await client.append(head, [claudeLine('u1', 'the pelican')])
  expect((await client.forget(head.source_id)).body).toEqual({ forgotten: true })
  expect((await client.forget(head.source_id)).body).toEqual({ forgotten: true })
  expect((await client.forget(crypto.randomUUID())).status).toBe(200)
  expect(await filesHold(service, 'pelican')).toBe(false)
  expect((await client.put(head, [claudeLine('u1', 'x')])).status).toBe(404)
  const anew = await client.head()
  expect(anew.source_id).not.toBe(head.source_id)
  await client.append(anew, [claudeLine('u1', 'the pelican')])
  expect(await textsOf(anew.source_id)).toEqual(['the pelican'])
  expect(await service.store.control.listAudit({ act: 'history.forget', limit: 9 })).toHaveLength(1)
})

test('all of them go at once, and nothing is left that counts but where their uploads had got to', async () => {
  const { client, service, actor, projectId, sessions } = await startHistories()
  for (const session_id of ['a', 'b', 'c'])
    await client.append(await client.head({ session_id }), [claudeLine(session_id, `text ${session_id}`)])
  expect(await eraseAllSessions(service, actor, { projectId })).toEqual({ sources: 3, lines: 3 })
  expect(await sessions()).toEqual([])
  expect((await service.store.history(projectId).readHistoryUsage()).bytes).toBe(3 * 512)
})

test('nobody reads, erases or continues what somebody else uploaded, not even an owner', async () => {
  const { org, url, client, service, project, projectId, actor, actorOf, sessions, textsOf, read } =
    await startHistories()
  const ada = await org.addMember('Ada', { role: 'admin' })
  const hers = createUploadClient(url, await org.keyOf(ada))
  const other = createUploadClient(url, (await org.issueKey({ project: await org.addProject('other') })).secret)
  const head = await hers.head()
  const behind = await hers.append(head, [claudeLine('u1', 'of Ada')])
  const mine = await client.head()
  expect(mine.source_id).not.toBe(head.source_id)
  expect(project.id).toBe(projectId)
  expect(await sessions()).toEqual([])
  expect(await sessions(ada)).toHaveLength(1)
  expect(await textsOf(head.source_id, ada)).toEqual(['of Ada'])
  expect(await rejectionOf(read(head.source_id))).toBe('there is no such session')
  expect(await rejectionOf(eraseSession(service, actor, { projectId, id: head.source_id }))).toBe(
    'there is no such session',
  )
  expect(await rejectionOf(eraseSession(service, COMMAND_LINE, { projectId, id: head.source_id }))).toContain(
    'those alone who uploaded them',
  )
  for (const stranger of [client, other]) {
    expect((await stranger.put(behind, [claudeLine('u2', 'not hers')])).status).toBe(404)
    expect((await stranger.forget(head.source_id)).status).toBe(200)
  }
  expect(await textsOf(head.source_id, ada)).toEqual(['of Ada'])
  await eraseAllSessions(service, actorOf(ada), { projectId })
  expect(await sessions(ada)).toEqual([])
})

test('a line that two people have is stored for each: nobody learns what others uploaded', async () => {
  const { org, url, client, service, projectId } = await startHistories()
  const hers = createUploadClient(url, await org.keyOf(await org.addMember('Ada')))
  const lines = [claudeLine('u1', crypto.randomUUID().repeat(50))]
  await client.append(await client.head(), lines)
  const alone = (await service.store.history(projectId).readHistoryUsage()).bytes
  await hers.append(await hers.head(), lines)
  expect((await service.store.history(projectId).readHistoryUsage()).bytes).toBe(2 * alone)
})

test('who is removed takes theirs along, as does a service key that is revoked', async () => {
  const { org, url, client, service, textsOf } = await startHistories()
  const ada = await org.addMember('Ada')
  const [hers, robot] = [createUploadClient(url, await org.keyOf(ada)), await org.issueKey()]
  const its = createUploadClient(url, robot.secret)
  const kept = await client.head()
  await client.append(kept, [claudeLine('u1', 'kept')])
  await hers.append(await hers.head(), [claudeLine('u1', 'the pelican')])
  await its.append(await its.head(), [claudeLine('u1', 'the heron')])
  await removeMemberAndHistories(service, COMMAND_LINE, ada)
  expect(await filesHold(service, 'pelican')).toBe(false)
  expect(await filesHold(service, 'heron')).toBe(true)
  await revokeKeyAndHistories(service, COMMAND_LINE, robot.key)
  expect(await filesHold(service, 'heron')).toBe(false)
  expect(await textsOf(kept.source_id)).toEqual(['kept'])
  expect(await service.store.control.listAudit({ act: 'history.purge', limit: 9 })).toMatchObject([
    { actor: 'service', details: { sources: 1 } },
    { actor: 'service', details: { sources: 1 } },
  ])
})

test('a session is kept for a year after the last upload to it, and then does not come again', async () => {
  const { client, service, pass, sessions, read } = await startHistories()
  const [old, young] = [await client.head({ session_id: 'old' }), await client.head({ session_id: 'young' })]
  const behind = await client.append(old, [claudeLine('u1', 'the pelican')])
  const end = await client.append(young, [claudeLine('u2', 'young')])
  pass(364 * DAY_MS)
  await client.append(end, [claudeLine('u3', 'younger')])
  await purgeHistories(service)
  expect(await sessions()).toHaveLength(2)
  pass(2 * DAY_MS)
  await purgeHistories(service)
  expect((await sessions()).map(({ session_id }) => session_id)).toEqual(['young'])
  expect(await filesHold(service, 'pelican')).toBe(false)
  expect(await client.head({ session_id: 'old' })).toEqual(behind)
  expect((await client.put(old, [claudeLine('u1', 'the pelican')])).status).toBe(200)
  expect((await sessions()).map(({ session_id }) => session_id)).toEqual(['young'])
  await client.append(behind, [claudeLine('u4', 'later')])
  expect((await read(old.source_id)).map(({ line, text }) => [line, text])).toEqual([[2, 'later']])
  expect(await sessions()).toMatchObject([
    { session_id: 'young' },
    { session_id: 'old', lines: 1, erased_at: '2027-01-16T12:00:00.000Z' },
  ])
})

test('a session that goes on while the purge finds it too old keeps its lines', async () => {
  const { client, service, projectId, pass, textsOf } = await startHistories()
  const head = await client.head()
  const behind = await client.append(head, [claudeLine('u1', 'the pelican')])
  pass(366 * DAY_MS)
  const store = service.store.history(projectId)
  const write = createFirstWrite(store, () => client.append(behind, [claudeLine('u2', 'is back')]))
  await purgeHistories({ ...service, store: { ...service.store, history: () => ({ ...store, write }) } })
  expect(await textsOf(head.source_id)).toEqual(['the pelican', 'is back'])
})

test('what a crash left of a removal is erased by the next purge', async () => {
  const { org, url, service } = await startHistories()
  const ada = await org.addMember('Ada')
  const hers = createUploadClient(url, await org.keyOf(ada))
  await hers.append(await hers.head(), [claudeLine('u1', 'the pelican')])
  await removeMember(service, COMMAND_LINE, ada)
  expect(await filesHold(service, 'pelican')).toBe(true)
  await purgeHistories(service)
  expect(await filesHold(service, 'pelican')).toBe(false)
})

test('what belongs to nobody who is known here, as after a restore from elsewhere, is not purged before its time', async () => {
  const { client, service, projectId, pass } = await startHistories()
  const head = await client.head()
  await client.append(head, [claudeLine('u1', 'the pelican')])
  const store = service.store.history(projectId)
  const source = await store.findSource({ id: head.source_id })
  if (source === undefined) throw new Error('no source')
  const stranger = { ...source, id: crypto.randomUUID(), ownerId: crypto.randomUUID() }
  await store.write((tx) => tx.insertSource(stranger))
  await purgeHistories(service)
  expect(await store.findSource({ id: stranger.id })).toEqual(stranger)
  pass(366 * DAY_MS)
  await purgeHistories(service)
  expect(await store.findSource({ id: stranger.id })).toMatchObject({ lines: 0, forgottenAt: null })
})

test('a purge makes no histories where there are none', async () => {
  const { service, projectId } = await startHistories()
  await purgeHistories(service)
  expect(await service.store.hasHistory(projectId)).toBe(false)
})
