import { expect, test } from 'bun:test'
import { toMemberActor } from '../../../../src/account/auth/actor.ts'
import { DAY_MS } from '../../../../src/clock.ts'
import { changeRecords } from '../../../../src/memory/records/bulk/bulk.ts'
import { startTeam } from '../team.ts'

/** A team, and the history on a record's page as lines of text, newest first. */
async function startHistory() {
  const team = await startTeam()
  const { at, get, pass, service, project } = team
  const toText = (markup: string) =>
    markup
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .replaceAll('&#x27;', "'")
      .trim()
  async function historyOf(id: string, by: Pick<typeof team, 'get'> = { get }): Promise<string[]> {
    const { text } = await by.get(`${at}/records/${id}`)
    const list = /<ol class="timeline">(.*?)<\/ol>/s.exec(text)?.[1] ?? ''
    return [...list.matchAll(/<li [^>]*>(.*?)<\/li>/gs)].map(([, item = '']) => toText(item))
  }
  const account = { ...team.account }
  /** Does the same to many records at once, as a member does. */
  const bulk = async (act: Parameters<typeof changeRecords>[2]['act'], ids: string[], member = team.owner) => {
    pass(1_000)
    await changeRecords(service, toMemberActor({ member, account }, null), { projectId: project.id, act, ids })
  }
  /** Does something to a record by its page, a second after what was done before. */
  const act = (id: string, name: string, by: Pick<typeof team, 'post'> = team) => {
    pass(1_000)
    return by.post(`${at}/records/${id}/${name}`, name === 'verify' ? { seen: '' } : {})
  }
  return { ...team, historyOf, bulk, act }
}

test('the history of a fact has every version with the words that differ, and what was done to each, by whom', async () => {
  const { save, act, historyOf, ben, pass, forget } = await startHistory()
  const first = await save('The port is 8080', { fact_key: 'port' })
  const second = await save('The port is 9090', { fact_key: 'Port' }, 'ben')
  await act(second, 'verify', ben)
  await act(second, 'unverify')
  await act(second, 'forget')
  await act(second, 'restore', ben)
  pass(3 * DAY_MS)
  expect(await historyOf(second)).toEqual([
    'Restored by Ben 3 days ago',
    'Forgotten by Owner 3 days ago',
    'Verification withdrawn by Owner 3 days ago',
    'Verified by Ben 3 days ago',
    'Saved by Ben 3 days ago The port is 8080 9090',
    'Earlier version : Saved by Owner 3 days ago The port is 8080',
  ])
  expect((await historyOf(first)).at(-1)).toBe('Saved by Owner 3 days ago')
  expect((await historyOf(first))[0]).toBe('Later version : Restored by Ben 3 days ago')
  pass(1_000)
  await forget(second)
  expect((await historyOf(first))[0]).toBe('Later version : Forgotten by Owner just now')
})

test('the history says what was saved again, what expired, and what a verification superseded', async () => {
  const { save, act, historyOf, at, post, pass } = await startHistory()
  const of = { fact_key: 'port', source_id: 'README.md' }
  const verified = await save('The port is 8080', { ...of, source_hash: 'h1' })
  await act(verified, 'verify')
  pass(DAY_MS)
  await save('The port is 8080', { ...of, source_hash: 'h2' })
  const other = await save('The port is 9090', { ...of, expires_at: '2026-01-17T12:00:00Z' })
  pass(1_000)
  await post(`${at}/records/${other}/verify`, { seen: verified })
  pass(2 * DAY_MS)
  expect(await historyOf(other)).toEqual([
    'Expired 1 day ago',
    'Verified by Owner 2 days ago It superseded: The port is 8080',
    'Saved by Owner 2 days ago The port is 8080 9090',
    'Earlier version : Saved again with the same text 2 days ago',
    'Earlier version : Verified by Owner 3 days ago',
    'Earlier version : Saved by Owner 3 days ago The port is 8080',
  ])
})

test('who verified or forgot many records at once, or the records of a source, stands with each of them', async () => {
  const { save, bulk, call, historyOf, ben, pass } = await startHistory()
  const [one, two, three] = [
    await save('The port is 8080', { source_id: 'README.md' }),
    await save('The host is alpha', { source_id: 'README.md' }),
    await save('The zone is UTC'),
  ]
  await bulk({ kind: 'verify' }, [one, three], ben.member)
  pass(1_000)
  await call('forget', { source_id: 'README.md' })
  await bulk({ kind: 'forget' }, [three])
  expect(await historyOf(one)).toEqual([
    'Forgotten by Owner just now',
    'Verified by Ben just now',
    'Saved by Owner just now',
  ])
  expect(await historyOf(two)).toEqual(['Forgotten by Owner just now', 'Saved by Owner just now'])
  expect(await historyOf(three)).toEqual([
    'Forgotten by Owner just now',
    'Verified by Ben just now',
    'Saved by Owner just now',
  ])
})

test('who restored or moved records that were chosen stands with each of them, and of more than fifty the log has the number', async () => {
  const { save, bulk, call, historyOf, ben, pass, service } = await startHistory()
  const [one, two] = [await save('The port is 8080', { fact_key: 'port' }), await save('The zone is UTC')]
  await call('forget', { id: one })
  pass(1_000)
  await bulk({ kind: 'restore' }, [one], ben.member)
  pass(1_000)
  await bulk({ kind: 'move', workspace: 'attic' }, [one, two], ben.member)
  const [moved, restored] = ['Moved to another workspace by Ben just now', 'Restored by Ben just now']
  expect(await historyOf(one)).toEqual([moved, restored, 'Forgotten by Owner just now', 'Saved by Owner just now'])
  expect(await historyOf(two)).toEqual([moved, 'Saved by Owner just now'])
  const many: string[] = []
  for (let at = 0; at < 51; at++) many.push(await save(`Note ${at}`))
  await bulk({ kind: 'scope', scope: 'draft' }, many)
  const [ofMany, ofTwo] = (await service.store.control.listAudit({ limit: 200 })).filter(({ act }) =>
    /scope|move/.test(act),
  )
  expect([ofMany?.details, ofTwo?.details]).toEqual([
    { records: 51, from: 'shared', scope: 'draft' },
    { records: 2, ids: `${one} ${two}`, from: 'default', to: 'attic' },
  ])
})

test('a version that the log has nothing of, or not any more, still says what it knows of itself', async () => {
  const { save, act, historyOf, service } = await startHistory()
  const id = await save('The port is 8080')
  await act(id, 'verify')
  await act(id, 'forget')
  await service.store.control.write((tx) => tx.delete('audit', { at: { before: Number.MAX_SAFE_INTEGER } }, 1_000))
  expect(await historyOf(id)).toEqual(['Forgotten just now', 'Verified just now', 'Saved by Owner just now'])
})

test('what a correction of a derived fact key superseded is in its history, and no other note that begins alike', async () => {
  const { save, historyOf } = await startHistory()
  const note = await save('The build of the day failed for lack of space')
  await save('The build of the day failed because a test hung', { workspace: 'ops' })
  const corrected = await save('It did not fail', { fact_key: 'the-build-of-the-day-failed' })
  const alike = await save('The build of the day failed once more')
  expect(await historyOf(corrected)).toEqual([
    'Saved by Owner just now It superseded: The build of the day failed for lack of space',
    'Earlier version : Saved by Owner just now The build of the day failed for lack of space',
  ])
  expect(await historyOf(note)).toHaveLength(2)
  expect(await historyOf(alike)).toEqual(['Saved by Owner just now'])
})

test('no history, and nothing around a record, has anything of records that its reader may not see', async () => {
  const { save, act, historyOf, get, at, ben } = await startHistory()
  const of = { fact_key: 'port', source_id: 'README.md' }
  const shared = await save('The port is 8080', of)
  const draft = await save('Ben drafts 9090', { ...of, scope: 'draft' }, 'ben')
  const sales = await save('Sales say 7070', { ...of, scope: 'department' }, 'ben')
  await act(draft, 'verify', ben)
  await act(sales, 'verify', ben)
  await act(sales, 'forget', ben)
  expect(await historyOf(shared)).toEqual(['Saved by Owner just now'])
  const { text } = await get(`${at}/records/${shared}`)
  for (const hidden of ['Ben', '9090', '7070', draft, sales])
    expect({ hidden, isShown: text.includes(hidden) }).toEqual({ hidden, isShown: false })
  expect(await historyOf(sales, ben)).toHaveLength(3)
  expect((await ben.get(`${at}/records/${sales}`)).text).toContain('Ben drafts 9090')
})

test('the twenty newest versions are shown, and said to be', async () => {
  const { save, historyOf, get, at } = await startHistory()
  let id = ''
  for (let port = 1; port <= 22; port++) id = await save(`The port is ${port}`, { fact_key: 'port' })
  expect(await historyOf(id)).toHaveLength(20)
  expect((await get(`${at}/records/${id}`)).text).toContain('Older versions are not shown.')
})

test('a long text is shown in its history by what differs, and its ends', async () => {
  const { save, historyOf } = await startHistory()
  const filler = 'And so on. '.repeat(300)
  await save(`Begin. ${filler}The port is 8080.`, { fact_key: 'port' })
  const id = await save(`Begin. ${filler}The port is 9090.`, { fact_key: 'port' })
  const [saved = ''] = await historyOf(id)
  expect(saved).toStartWith('Saved by Owner just now Begin. And so on.')
  expect(saved).toEndWith('The port is 8080 9090 .')
  expect(saved.length).toBeLessThan(600)
})

test('the picture of what is around a record and the table behind it have the same records', async () => {
  const { save, act, get, at } = await startHistory()
  const of = { fact_key: 'port', source_id: 'README.md' }
  const older = await save('The port is 8080', of)
  const newer = await save('The port is 9090 <b>', of)
  await act(newer, 'verify')
  const rival = await save('The port is 7070', of)
  for (let i = 0; i < 8; i++) await save(`Note ${i}`, { source_id: 'README.md' })
  const { text } = await get(`${at}/records/${newer}`)
  const around = /<h2>Related records<\/h2>(.*?)<\/section>/s.exec(text)?.[1] ?? ''
  const [picture = '', table = ''] = around.split('</svg>\n<details>')
  const idsIn = (markup: string) => [...markup.matchAll(/records\/([\w-]+)"/g)].map(([, id]) => id)
  expect(idsIn(picture)).toEqual(idsIn(table))
  expect(idsIn(picture).slice(0, 2)).toEqual([rival, older])
  expect(idsIn(picture)).toHaveLength(2 + 6)
  expect(picture).toContain('Same source, and more')
  expect((await get(`${at}/records/${older}`)).text).toContain('The port is 9090 &lt;b&gt;')
})

test('the states that a source went through stand beside a record of it, with the one it was saved under', async () => {
  const { save, get, at, pass, ben } = await startHistory()
  const statesOf = async (id: string) => {
    const { text } = await get(`${at}/records/${id}`)
    const list = /of its source<\/h2>(.*?)<\/section>/s.exec(text)?.[1] ?? ''
    return [...list.matchAll(/<li [^>]*>(.*?)<\/li>/gs)].map(([, item = '']) =>
      item
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
  }
  const older = await save('The port is 8080', { source_id: 'README.md', source_hash: 'h1' })
  pass(DAY_MS)
  const newer = await save('The host is alpha', { source_id: 'README.md', source_hash: 'h2' })
  await save('Ben drafts', { source_id: 'README.md', source_hash: 'h3', scope: 'draft' }, 'ben')
  expect(await statesOf(older)).toEqual(['h2 current first saved just now', 'h1 this record first saved 1 day ago'])
  expect(await statesOf(newer)).toEqual(['h2 current this record first saved just now', 'h1 first saved 1 day ago'])
  expect((await ben.get(`${at}/records/${older}`)).text).toContain('<code>h3</code>')
  expect(await statesOf(await save('No source'))).toEqual([])
})

test('somebody who was removed is a former member in every history', async () => {
  const { save, act, historyOf, ben, service } = await startHistory()
  const id = await save('The port is 8080', {}, 'ben')
  await act(id, 'verify', ben)
  await service.store.control.write((tx) =>
    tx.update('members', { id: ben.member.id }, { removedAt: service.clock.now() }),
  )
  expect(await historyOf(id)).toEqual(['Verified by former member just now', 'Saved by former member just now'])
})
