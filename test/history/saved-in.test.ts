import { expect, test } from 'bun:test'
import { eraseSession } from '../../src/history/erase/erase.ts'
import { findSavedIn } from '../../src/history/find/saved-in.ts'
import { indexUploaded } from '../../src/history/index/index-histories.ts'
import { readSummary } from '../../src/history/read/list-sessions.ts'
import { findSavedRecords } from '../../src/transcripts/saved-records.ts'
import { startHistories } from './start-histories.ts'
import { claudeLine, createUploadClient } from './upload-client.ts'

const result = (uuid: string, text: string) =>
  claudeLine(uuid, '', { message: { role: 'user', content: [{ type: 'tool_result', content: text }] } })

type Remember = Awaited<ReturnType<typeof startHistories>>['call']

/** Saves a record, and uploads a session with the answer on its third line. */
async function start() {
  const running = await startHistories()
  const { service, actor, projectId, call, client } = running
  const remember = async (content: string, more: object = {}, by: Remember = call) => {
    const { text, structured } = await by('remember', { content, ...more })
    return { text, id: (structured as { result: { id: string } }).result.id }
  }
  const upload = async (texts: string[], by = client, session_id = 'one') => {
    const before = [claudeLine('u1', 'Remember that the port is 8080'), claudeLine('u2', 'please')]
    const lines = [...before, ...texts.map((text, at) => result(`r${at}`, text))]
    const head = await by.head({ session_id })
    await by.append(head, lines)
    await indexUploaded(service)
    return head.source_id
  }
  const savedIn = (id: string, by = actor, sourceId: string | null = null) =>
    findSavedIn(service, by, { projectId, id, authorId: running.owner.id, sourceId })
  return { ...running, remember, upload, savedIn }
}

test('a record leads to the line of its owner’s session that has the answer of remember, and the session to its records', async () => {
  const { remember, upload, savedIn, service, actor, projectId } = await start()
  const [one, two] = [await remember('The port is 8080'), await remember('The host is alpha')]
  const found = await remember('The zone is UTC')
  const sessionId = await upload([
    one.text,
    `[{"type":"text","text":${JSON.stringify(two.text)}}]`,
    `{"id":"${found.id}"}`,
  ])
  expect([await savedIn(one.id), await savedIn(two.id), await savedIn(found.id)]).toEqual([
    { sessionId, line: 3 },
    { sessionId, line: 4 },
    undefined,
  ])
  expect((await readSummary(service, actor, { projectId, id: sessionId })).records).toEqual([one.id, two.id])
  await eraseSession(service, actor, { projectId, id: sessionId })
  expect(await savedIn(one.id)).toBeUndefined()
})

test('others learn only that the author has such a session: no member, admin or key, and no sign-in that is not confirmed', async () => {
  const { remember, upload, savedIn, actor, actorOf, owner, org } = await start()
  const { id, text } = await remember('The port is 8080')
  const sessionId = await upload([text])
  const ada = await org.addMember('Ada', { role: 'admin' })
  expect(await savedIn(id, actorOf(ada))).toBe('of its author')
  const unconfirmed = { ...actor, member: { ...owner, historyAccess: null } } as unknown as typeof actor
  expect(await savedIn(id, unconfirmed)).toBe('of its author')
  expect(await savedIn(id)).toEqual({ sessionId, line: 3 })
})

test('a record made of chosen lines leads to the first of them, for their owner alone, until they are erased', async () => {
  const { remember, upload, savedIn, service, projectId, actor, actorOf, org } = await start()
  const sessionId = await upload(['nothing'])
  const source = 'session:claude-code/one#2,3'
  const { id } = await remember('The port is 8080', { source_id: source })
  const ada = actorOf(await org.addMember('Ada', { role: 'admin' }))
  expect(await savedIn(id, actor, source)).toEqual({ sessionId, line: 2 })
  expect(await savedIn(id, ada, source)).toBe('of its author')
  for (const other of ['session:codex/one#2', 'session:claude-code/on#2', 'session:claude-code/one'])
    expect(await savedIn(id, actor, other)).toBeUndefined()
  await eraseSession(service, actor, { projectId, id: sessionId })
  expect([await savedIn(id, actor, source), await savedIn(id, ada, source)]).toEqual([undefined, undefined])
})

test('an id in somebody else’s transcript links nothing for others, and says nothing of them', async () => {
  const { remember, upload, savedIn, actorOf, org, url } = await start()
  const ada = await org.addMember('Ada')
  const hers = createUploadClient(url, await org.keyOf(ada))
  const { id, text } = await remember('The port is 8080')
  const sessionId = await upload([text], hers)
  expect(await savedIn(id)).toBeUndefined()
  expect(await savedIn(id, actorOf(ada))).toEqual({ sessionId, line: 3 })
  const other = await org.addProject('other')
  const inOther = createUploadClient(url, (await org.issueKey({ project: other })).secret)
  await upload([text], inOther)
  expect(await savedIn(id)).toBeUndefined()
})

test('only the answer of remember names saved records, however often it is escaped', () => {
  const id = '019a0000-0000-7000-8000-000000000001'
  const answer = `{"result":{"id":"${id}","workspace":"general","created":true,"refreshed":false,"made_stale":0}}`
  const escaped = JSON.stringify({ output: JSON.stringify([{ text: answer }]) })
  for (const text of [answer, escaped, `Wall time: 1 s\n${escaped}`, `${answer}\n${answer}`])
    expect(findSavedRecords(text)).toEqual([id])
  const listed = answer.replace('made_stale', 'score')
  for (const text of [listed, answer.replace(id, 'x'), 'made_stale']) expect(findSavedRecords(text)).toEqual([])
  expect(findSavedRecords(`${'{"result":{"id":"'.repeat(100_000)}made_stale`)).toEqual([])
})
