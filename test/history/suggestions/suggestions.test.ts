import { expect, test } from 'bun:test'
import { removeMember } from '../../../src/account/organizations/change-member.ts'
import { HOUR_MS } from '../../../src/clock.ts'
import { eraseAllSessions } from '../../../src/history/erase/erase.ts'
import { purgeHistories, removeMemberAndHistories } from '../../../src/history/erase/purge.ts'
import { findSavedIn } from '../../../src/history/find/saved-in.ts'
import { scanHistories } from '../../../src/history/scan-histories.ts'
import {
  listKeptSources,
  readSuggesting,
  requireSuggestion,
  settleSuggestion,
  toSuggestionSource,
} from '../../../src/history/suggestions/review.ts'
import { suggestFromSessions } from '../../../src/history/suggestions/suggest.ts'
import type { Service } from '../../../src/service.ts'
import type { HistoryStore } from '../../../src/store/history-verbs.ts'
import { BOUND_MS, longestTurn } from '../../longest-turn.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { filesHold, plant } from '../start-histories.ts'
import { claudeLine, createUploadClient } from '../upload-client.ts'
import { OTHER_RULE, RULE, startSuggestions } from './start-suggestions.ts'

test('a suggestion is made once a session has rested for an hour, with its line, and only for who agreed', async () => {
  const { service, actor, owner, projectId, agree, upload, rest, texts, waiting, pass } = await startSuggestions()
  const id = await upload('one', ['Look at the build.', RULE])
  pass(HOUR_MS - 1)
  await suggestFromSessions(service)
  expect(await texts()).toEqual([])
  pass(2)
  await suggestFromSessions(service)
  expect(await waiting()).toMatchObject([{ text: RULE, sourceId: id, line: 2 }])
  await agree(owner, false)
  await upload('two', [OTHER_RULE])
  await rest()
  expect([await texts(), await readSuggesting(service, actor, projectId)]).toEqual([[], false])
  expect(await service.store.history(projectId).listSuggestions({ of: { ownerId: owner.id }, limit: 9 })).toEqual([])
  const events = await service.store.control.listAudit({ limit: 2 })
  expect(events.map(({ act }) => act)).toEqual(['history.suggest-end', 'history.suggest'])
})

test('at most three are made of a session, also of one that goes on', async () => {
  const { upload, rest, texts } = await startSuggestions()
  const subjects = [
    'invoices need numbers',
    'cats sleep outside',
    'tea is green',
    'maps point north',
    'bells ring twice',
  ]
  const rules = subjects.map((subject) => `From now on we always say that ${subject}.`)
  await upload('one', rules.slice(0, 2))
  await rest()
  expect(await texts()).toHaveLength(2)
  await upload('one', rules.slice(2))
  await rest()
  expect(await texts()).toHaveLength(3)
})

test('what was dismissed returns from no session, nor does what is nearly the same', async () => {
  const { service, actor, projectId, upload, rest, texts, waiting } = await startSuggestions()
  await upload('one', [RULE])
  await rest()
  const place = { projectId, id: (await waiting())[0]?.id ?? '' }
  await settleSuggestion(service, actor, { ...place, state: 'dismissed' })
  await upload('two', [RULE, 'From now on please, we always deploy only on mondays!', OTHER_RULE])
  await rest()
  expect(await texts()).toEqual([OTHER_RULE])
  await settleSuggestion(service, actor, { ...place, state: 'open' })
  expect(await texts()).toContain(RULE)
})

test('once suggestions are ended, a dismissed one is not brought back', async () => {
  const { service, actor, owner, projectId, agree, upload, rest, waiting, texts } = await startSuggestions()
  await upload('one', [RULE])
  await rest()
  const place = { projectId, id: (await waiting())[0]?.id ?? '' }
  await settleSuggestion(service, actor, { ...place, state: 'dismissed' })
  await agree(owner, false)
  const refusal = await rejectionOf(settleSuggestion(service, actor, { ...place, state: 'open' }))
  expect([refusal, await texts()]).toEqual([
    'there is no such suggestion; it may be settled, or its session erased',
    [],
  ])
})

test('nobody but their owner reads or settles them: no member, owner, admin, key or other project', async () => {
  const running = await startSuggestions()
  const { service, org, url, secret, projectId, owner, actorOf, agree, upload, rest, waiting, call } = running
  const { ben, ada } = await org.addMembers({ ben: {}, ada: { role: 'admin' } })
  const bens = createUploadClient(url, await org.keyOf(ben))
  await agree(ben)
  await upload('his', [RULE], bens)
  await rest()
  const [made] = await waiting(ben)
  const place = { projectId, id: made?.id ?? '' }
  expect(made?.text).toBe(RULE)
  const refused = 'there is no such suggestion; it may be settled, or its session erased'
  const other = await org.addProject('other')
  expect([await waiting(owner), await waiting(ada)]).toEqual([[], []])
  for (const [member, at] of [
    [owner, place],
    [ada, place],
    [owner, { ...place, projectId: other.id }],
  ] as const) {
    expect(await rejectionOf(requireSuggestion(service, actorOf(member), at))).toBe(refused)
    const settled = settleSuggestion(service, actorOf(member), { ...at, state: 'dismissed' })
    expect(await rejectionOf(settled)).toBe(refused)
  }
  const unconfirmed = { ...actorOf(ben), member: { ...ben, historyAccess: 'withheld' as const } }
  expect(await rejectionOf(requireSuggestion(service, unconfirmed, place))).toStartWith('sessions are seen once')
  for (const query of ['deploy Mondays', '*', RULE, place.id])
    expect((await call('search', { query, workspace: '*' })).text).not.toContain('only on Mondays')
  expect((await service.store.project(projectId).readUsage()).records).toBe(0)
  const serviceKey = createUploadClient(url, (await org.issueKey()).secret)
  for (const key of [serviceKey, createUploadClient(url, secret)])
    for (const path of ['suggestions', 'sessions', 'find?words=Mondays'])
      expect(JSON.stringify((await key.get(path)).body)).not.toContain('only on Mondays')
  expect((await serviceKey.send('POST', 'suggestions/yes', undefined, {})).body.error).toMatchObject({
    message: 'suggestions are shown to people in the console; a service key gets none',
  })
  expect(await waiting(ben)).toHaveLength(1)
})

test('a kept one leads to its line and its session to it, for their owner alone; whoever uses its source links nothing', async () => {
  const { service, actor, actorOf, owner, org, projectId, upload, rest, waiting, call } = await startSuggestions()
  const sessionId = await upload('one', ['Look.', RULE])
  await rest()
  const [made] = await waiting()
  const sourceId = toSuggestionSource(made ?? { id: '' })
  const { structured } = await call('remember', { content: RULE, source_id: sourceId })
  const record = { id: (structured as { result: { id: string } }).result.id, sourceId, projectId }
  const savedIn = (by: typeof actor, authorId = owner.id) => findSavedIn(service, by, { ...record, authorId })
  const keptOf = () => listKeptSources(service, actor, { projectId, id: sessionId })
  expect([await savedIn(actor), await keptOf()]).toEqual([undefined, []])
  await settleSuggestion(service, actor, { projectId, id: made?.id ?? '', state: 'kept' })
  expect([await savedIn(actor), await keptOf()]).toEqual([{ sessionId, line: 2 }, [sourceId]])
  const ada = await org.addMember('ada', { role: 'admin' })
  expect(await savedIn(actorOf(ada))).toBe('of its author')
  for (const by of [actor, actorOf(ada)]) expect(await savedIn(by, ada.id)).toBeUndefined()
  await eraseAllSessions(service, actor, { projectId })
  expect(await savedIn(actor)).toBeUndefined()
})

test('they are erased with their session, and with the member, whose consent ends', async () => {
  const { service, actor, org, url, owner, projectId, agree, upload, rest, texts } = await startSuggestions()
  await upload('one', [`${RULE} Pelicans too.`])
  const { ben, cara } = await org.addMembers({ ben: {}, cara: {} })
  for (const [member, text] of [
    [ben, 'From now on we always see herons in the pond.'],
    [cara, 'From now on we always count the storks that nest.'],
  ] as const) {
    const client = createUploadClient(url, await org.keyOf(member))
    await agree(member)
    await upload(member.name, [text], client)
  }
  await rest()
  expect([await texts(), await texts(ben)]).toEqual([[RULE], ['From now on we always see herons in the pond.']])
  await eraseAllSessions(service, actor, { projectId })
  expect([await texts(), await filesHold(service, 'only on Mondays')]).toEqual([[], false])
  await removeMemberAndHistories(service, actor, ben)
  await removeMember(service, actor, cara)
  await purgeHistories(service)
  for (const word of ['heron', 'stork']) expect(await filesHold(service, word)).toBe(false)
  const owners = await service.store.history(projectId).listOwners()
  expect(owners).toMatchObject([{ id: owner.id, agreedAt: expect.any(Number) }])
})

test('they go with what was not uploaded to for the retention period, and with a source that is forgotten', async () => {
  const { service, client, upload, rest, texts, pass } = await startSuggestions()
  const forgotten = await upload('one', [RULE])
  await upload('two', [OTHER_RULE])
  await rest()
  await client.forget(forgotten)
  expect(await texts()).toEqual([OTHER_RULE])
  pass(366 * 24 * HOUR_MS)
  await purgeHistories(service)
  expect([await texts(), await filesHold(service, 'cat sleep')]).toEqual([[], false])
})

test('a credential that is found later is masked in them too', async () => {
  const { service, projectId, upload, rest, waiting, texts } = await startSuggestions()
  await upload('one', [RULE])
  await rest()
  const store = service.store.history(projectId)
  const text = 'From now on we always use the key AKIAQWERTYUIOP234567.'
  const [made] = await waiting()
  await store.write((tx) => tx.updateSuggestion(made?.id ?? '', { text, terms: 'akiaqwertyuiop234567 key' }))
  expect([await scanHistories(store, false), await texts()]).toEqual([{ aws: 1 }, [text]])
  await scanHistories(store, true)
  await store.scrub(() => false)
  expect(await texts()).toEqual(['From now on we always use the key [REDACTED:aws].'])
  expect(await filesHold(service, 'akiaqwertyuiop')).toBe(false)
})

test('one that is masked while its session is examined is not suggested', async () => {
  const { service, projectId, upload, texts, pass } = await startSuggestions()
  await upload('one', ['From now on we always use the key PLACE.', OTHER_RULE])
  await plant(service.store.history(projectId), 'PLACE', 'AKIAQWERTYUIOP234567')
  pass(HOUR_MS + 1)
  const history = (id: string): HistoryStore => {
    const verbs = service.store.history(id)
    const write: HistoryStore['write'] = async (act) => {
      await scanHistories(verbs, true)
      return verbs.write(act)
    }
    return { ...verbs, write }
  }
  await suggestFromSessions({ ...service, store: { ...service.store, history } })
  expect(await texts()).toEqual([OTHER_RULE])
})

test('killed before or after its write, a service has made all suggestions of a session or none, and each once', async () => {
  for (const isCommitted of [false, true]) {
    const { service, upload, rest, texts, pass } = await startSuggestions()
    await upload('one', [RULE, OTHER_RULE])
    pass(HOUR_MS + 1)
    const history = (id: string): HistoryStore => {
      const verbs = service.store.history(id)
      const write: HistoryStore['write'] = async (act) => {
        if (isCommitted) await verbs.write(act)
        throw new Error('killed')
      }
      return { ...verbs, write }
    }
    const killed: Service = { ...service, store: { ...service.store, history } }
    await suggestFromSessions(killed)
    expect(await texts()).toHaveLength(isCommitted ? 2 : 0)
    await Promise.all([rest(), suggestFromSessions(service)])
    expect(await texts()).toHaveLength(2)
  }
})

test('nothing is made of a session that is erased, or whose owner ends suggestions, while it is examined', async () => {
  for (const isErased of [false, true]) {
    const { service, actor, owner, projectId, agree, upload, pass } = await startSuggestions()
    await upload('one', [RULE])
    pass(HOUR_MS + 1)
    const history = (id: string): HistoryStore => {
      const verbs = service.store.history(id)
      const write: HistoryStore['write'] = async (act) => {
        await (isErased ? eraseAllSessions(service, actor, { projectId }) : agree(owner, false))
        return verbs.write(act)
      }
      return { ...verbs, write }
    }
    await suggestFromSessions({ ...service, store: { ...service.store, history } })
    expect(await service.store.history(projectId).listSuggestions({ of: { ownerId: owner.id }, limit: 9 })).toEqual([])
  }
})

test('somebody who was removed and is invited again has agreed to nothing, and sees nothing of before', async () => {
  const { service, actor, actorOf, org, url, projectId, agree, upload, rest, texts } = await startSuggestions()
  const ben = await org.addMember('ben', { role: 'admin' })
  await agree(ben)
  await upload('his', [RULE], createUploadClient(url, await org.keyOf(ben)))
  await rest()
  expect(await texts(ben)).toEqual([RULE])
  await removeMemberAndHistories(service, actor, ben)
  const again = await org.addMember('ben', { role: 'admin' })
  expect([await texts(again), await readSuggesting(service, actorOf(again), projectId)]).toEqual([[], false])
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
