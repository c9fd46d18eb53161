import { expect, test } from 'bun:test'
import { HOUR_MS } from '../../../src/clock.ts'
import { eraseSession } from '../../../src/history/erase/erase.ts'
import { purgeHistories } from '../../../src/history/erase/purge.ts'
import { readSuggesting, setSuggesting } from '../../../src/history/suggestions/consent.ts'
import { readSuggestion, settleSuggestion } from '../../../src/history/suggestions/review.ts'
import { suggestFromSessions } from '../../../src/history/suggestions/suggest.ts'
import type { Service } from '../../../src/service.ts'
import type { HistoryStore } from '../../../src/store/history.ts'
import { BOUND_MS, longestTurn } from '../../longest-turn.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { filesHold } from '../start-histories.ts'
import { claudeLine, createUploadClient } from '../upload-client.ts'
import { RULE, startSuggestions } from './start-suggestions.ts'

test('a suggestion is made once a session has rested for an hour, with its line, and only for who agreed', async () => {
  const { service, actor, projectId, upload, rest, texts, waiting, pass } = await startSuggestions()
  const id = await upload('one', ['Look at the build.', RULE])
  pass(HOUR_MS - 1)
  await suggestFromSessions(service)
  expect(await texts()).toEqual([])
  pass(2)
  await suggestFromSessions(service)
  expect(await waiting()).toMatchObject([{ text: RULE, sourceId: id, line: 2, signal: 'lasting' }])
  await setSuggesting(service, actor, { projectId, isOn: false })
  await upload('two', ['From now on every invoice gets a number.'])
  await rest()
  expect([await texts(), await readSuggesting(service, actor, { projectId })]).toEqual([[], false])
  expect(await filesHold(service, 'every invoice')).toBe(true)
})

test('at most three are made of a session, also of one that goes on', async () => {
  const { client, upload, rest, texts } = await startSuggestions()
  const subjects = [
    'invoices need numbers',
    'cats sleep outside',
    'tea is green',
    'maps point north',
    'bells ring twice',
  ]
  const rules = subjects.map((subject) => `From now on ${subject}.`)
  await upload('one', rules.slice(0, 2))
  await rest()
  expect(await texts()).toHaveLength(2)
  const lines = rules.slice(2).map((text, at) => claudeLine(`more ${at}`, text))
  await client.append(await client.head({ session_id: 'one' }), lines)
  await rest()
  expect(await texts()).toHaveLength(3)
})

test('what was dismissed returns from no session, nor does what is nearly the same', async () => {
  const { service, actor, projectId, upload, rest, texts, waiting } = await startSuggestions()
  await upload('one', [RULE])
  await rest()
  const [made] = await waiting()
  await settleSuggestion(service, actor, { projectId, id: made?.id ?? '', state: 'dismissed' })
  await upload('two', [RULE, 'From now on deploy only on mondays, please!', 'From now on the cat sleeps outside.'])
  await rest()
  expect(await texts()).toEqual(['From now on the cat sleeps outside.'])
  await settleSuggestion(service, actor, { projectId, id: made?.id ?? '', state: 'open' })
  expect(await texts()).toContain(RULE)
})

test('nobody but their owner reads or settles them: no member, owner, admin or key', async () => {
  const { service, org, url, secret, projectId, owner, actorOf, upload, rest, waiting, call } = await startSuggestions()
  const { ben, ada } = await org.addMembers({ ben: {}, ada: { role: 'admin' } })
  const bens = createUploadClient(url, await org.keyOf(ben))
  await setSuggesting(service, actorOf(ben), { projectId, isOn: true })
  await upload('his', [RULE], bens)
  await rest()
  const [made] = await waiting(ben)
  const place = { projectId, id: made?.id ?? '' }
  expect(made?.text).toBe(RULE)
  for (const other of [owner, ada]) {
    expect(await waiting(other)).toEqual([])
    const refused = 'there is no such suggestion; it may be settled, or its session erased'
    expect(await rejectionOf(readSuggestion(service, actorOf(other), place))).toBe(refused)
    expect(await rejectionOf(settleSuggestion(service, actorOf(other), { ...place, state: 'dismissed' }))).toBe(refused)
  }
  const { historyAccess: _, ...unconfirmed } = actorOf(ben).member
  const intruder = { ...actorOf(ben), member: { ...unconfirmed, historyAccess: 'withheld' as const } }
  expect(await rejectionOf(readSuggestion(service, intruder, place))).toStartWith('sessions are seen once')
  for (const query of ['deploy Mondays', '*', RULE]) {
    const { text } = await call('search', { query, workspace: '*' })
    expect(text).not.toContain('only on Mondays')
  }
  expect((await service.store.project(projectId).readUsage()).records).toBe(0)
  const service_key = createUploadClient(url, (await org.issueKey()).secret)
  for (const key of [service_key, createUploadClient(url, secret)])
    expect(JSON.stringify((await key.get('suggestions')).body)).not.toContain('Mondays')
  expect((await service_key.send('POST', 'suggestions/on', undefined, {})).body.error).toMatchObject({
    message: 'suggestions are shown to people in the console; a service key gets none',
  })
})

test('they are erased with their session, and with the member', async () => {
  const { service, actor, actorOf, org, url, owner, projectId, upload, rest, texts } = await startSuggestions()
  const id = await upload('one', [`${RULE} Pelicans too.`])
  const ben = await org.addMember('ben')
  const bens = createUploadClient(url, await org.keyOf(ben))
  await setSuggesting(service, actorOf(ben), { projectId, isOn: true })
  await upload('his', ['From now on herons stand in the pond.'], bens)
  await rest()
  expect([await texts(), await texts(ben)]).toEqual([[RULE], ['From now on herons stand in the pond.']])
  await eraseSession(service, actor, { projectId, id })
  expect([await texts(), await filesHold(service, 'only on Mondays')]).toEqual([[], false])
  await service.store.control.write((tx) => tx.update('members', { id: ben.id }, { removedAt: service.clock.now() }))
  await purgeHistories(service)
  expect(await filesHold(service, 'herons stand')).toBe(false)
  const owners = await service.store.history(projectId).listSuggestionOwners()
  expect(owners.map(({ ownerId }) => ownerId)).toEqual([owner.id])
})

test('killed before or after its write, a service has made all suggestions of a session or none, and each once when it goes on', async () => {
  for (const isCommitted of [false, true]) {
    const { service, upload, rest, texts } = await startSuggestions()
    await upload('one', [RULE, 'From now on the cat sleeps outside.'])
    const history = (id: string): HistoryStore => {
      const verbs = service.store.history(id)
      const write: HistoryStore['write'] = async (act) => {
        if (isCommitted) await verbs.write(act)
        throw new Error('killed')
      }
      return { ...verbs, write }
    }
    const killed: Service = { ...service, store: { ...service.store, history } }
    await suggestFromSessions(killed, () => false, service.clock.now() + 2 * HOUR_MS)
    expect(await texts()).toHaveLength(isCommitted ? 2 : 0)
    await rest()
    expect(await texts()).toHaveLength(2)
  }
})

test('a long session with long prompts lets others have their turn', async () => {
  const { service, client, pass, projectId, waiting } = await startSuggestions()
  const words = Array.from({ length: 50 }, (_, at) => `word${at}`).join(' ')
  let head = await client.head()
  for (const part of [0, 1, 2]) {
    const lines = Array.from({ length: 100 }, (_, at) =>
      claudeLine(`${part} ${at}`, `Always use ${words} for ${at}. `.repeat(2)),
    )
    head = await client.append(head, lines)
  }
  pass(2 * HOUR_MS)
  const examine = async () => {
    await service.store.history(projectId).write((tx) => tx.updateSource(head.source_id, { examinedLine: 0 }))
    await suggestFromSessions(service)
  }
  expect(await longestTurn(examine)).toBeLessThan(BOUND_MS)
  expect(await waiting()).not.toBeEmpty()
})
