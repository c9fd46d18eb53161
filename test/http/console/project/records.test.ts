import { expect, test } from 'bun:test'
import { verifyRecord } from '../../../../src/memory/records/verify.ts'
import { toActor } from '../../../builders/organization.ts'
import { commandsBeside } from '../../../command-line.ts'
import { browse, inSession } from '../browse.ts'
import { placesOf, startTeam } from '../team.ts'

const linkOf = (page: string, label: string) =>
  new RegExp(`href="([^"]*)"[^>]*>${label}<`).exec(page)?.[1]?.replaceAll('&amp;', '&')

test('lists the newest records first, fifty at a time, with the filters kept', async () => {
  const { get, at, save } = await startTeam()
  for (let i = 0; i < 53; i++)
    await save(`Lantern ${String(i).padStart(2, '0')}.`, { workspace: i === 0 ? 'attic' : 'default' })
  const first = await get(`${at}/records?workspace=default&status=unverified`)
  expect(first.text.match(/Lantern \d\d\./g)).toHaveLength(50)
  const [newest = 0, older = 0] = placesOf(first.text, ['Lantern 52.', 'Lantern 51.'])
  expect(newest).toBeGreaterThan(0)
  expect(older).toBeGreaterThan(newest)
  const next = linkOf(first.text, 'Older') ?? ''
  expect(next).toStartWith(`${at}/records?workspace=default&status=unverified&before=`)
  const second = await get(next)
  expect(second.text.match(/Lantern \d\d\./g)).toEqual(['Lantern 02.', 'Lantern 01.'])
  expect(linkOf(second.text, 'Older')).toBeUndefined()
  expect(linkOf(first.text, 'Newer')).toBeUndefined()
})

test('leads from page to page and back, also while records are saved and forgotten, and never to half a page before the last', async () => {
  const { get, at, save, forget } = await startTeam()
  const ids: string[] = []
  for (let i = 0; i < 120; i++) ids.push(await save(`Lantern ${String(i).padStart(3, '0')}.`))
  const namesOf = ({ text }: { text: string }) => [...(text.match(/Lantern \d{3}\./g) ?? [])]
  const first = await get(`${at}/records`)
  const second = await get(linkOf(first.text, 'Older') ?? '')
  expect([namesOf(second).at(0), namesOf(second).at(-1)]).toEqual(['Lantern 069.', 'Lantern 020.'])
  const third = await get(linkOf(second.text, 'Older') ?? '')
  expect(namesOf(third)).toHaveLength(20)
  for (let i = 120; i < 130; i++) await save(`Lantern ${i}.`)
  await forget(ids[69] ?? '')
  expect(namesOf(await get(linkOf(third.text, 'Newer') ?? ''))).toEqual(
    namesOf(second)
      .filter((name) => name !== 'Lantern 069.')
      .toSpliced(0, 0, 'Lantern 070.'),
  )
  const back = await get(linkOf(second.text, 'Newer') ?? '')
  expect([namesOf(back).at(0), namesOf(back).at(-1)]).toEqual(['Lantern 119.', 'Lantern 070.'])
  const top = await get(linkOf(back.text, 'Newer') ?? '')
  expect([namesOf(top).length, namesOf(top).at(0), linkOf(top.text, 'Newer')]).toEqual([50, 'Lantern 129.', undefined])
  expect((await get(`${at}/records?before=nothing`)).text).toContain('No record &#x27;nothing&#x27;.')
})

test('narrows the list by workspace, scope, status and source, and leaves out stale records', async () => {
  const { get, at, save } = await startTeam()
  await save('shared one')
  await save('drafted one', { scope: 'draft' })
  await save('attic one', { workspace: 'attic', source_id: 'a.md', source_hash: '1' })
  await save('attic two', { workspace: 'attic', source_id: 'a.md', source_hash: '2' })
  await save('old port', { fact_key: 'port' })
  await save('new port', { fact_key: 'port' })
  const found = async (query: string) =>
    [
      ...(await get(`${at}/records?${query}`)).text
        .replaceAll(/<\/?mark>/g, '')
        .matchAll(/<h3 [^>]*><a [^>]*>(.*?)<\/a>/g),
    ].map(([, content]) => content)
  expect(await found('workspace=attic')).toEqual(['attic two', 'attic one'])
  expect(await found('scope=draft')).toEqual(['drafted one'])
  expect(await found('scope=department')).toEqual([])
  expect(await found('status=superseded')).toEqual(['old port'])
  expect(await found('workspace=attic&source=a.md&freshness=fresh')).toEqual(['attic two'])
  expect(await found('freshness=fresh')).toEqual(['new port', 'attic two', 'drafted one', 'shared one'])
  expect(await found('source=a.md')).toEqual(['attic two', 'attic one'])
  expect(await found('fact_key=PORT')).toEqual(['new port', 'old port'])
  expect(await found('q=port&fact_key=port&freshness=fresh')).toEqual(['new port'])
  expect(await found('author=nobody')).toEqual([])
  expect(await found('since=2100-01-01')).toEqual([])
  expect(await found('until=2100-01-01&scope=draft')).toEqual(['drafted one'])
  expect((await get(`${at}/records?since=2100-01-01&fact_key=port`)).text).toContain(
    'aria-label="Remove the filter Fact key: port"',
  )
  expect(await found('scope=nonsense&status=nonsense')).toHaveLength(6)
})

test('finds by words what search finds, best first, and shows how each score is made', async () => {
  const { get, at, save, call } = await startTeam()
  await save('Deploys go to Frankfurt on Tuesday', { source_id: 'adr/1.md' })
  await save('Deploys are slow')
  await save('Lunch is at noon', { source_id: 'menu.md' })
  const { text } = await get(`${at}/records?q=deploys+frankfurt+zanzibar`)
  const { structured } = await call('search', { query: 'deploys frankfurt zanzibar' })
  const results = (structured?.result ?? []) as { score: number }[]
  const [first] = results
  expect(text).toContain('2 records in all workspaces, best first')
  const scores = [...text.matchAll(/Score ([\d.]+)</g)].map(([, score]) => Number(score))
  expect(scores).toEqual(results.map(({ score }) => score))
  expect(text).not.toContain('Lunch')
  expect(text).toContain('<summary>Why this score</summary>')
  const [, covered, newness] = /x is \(2 × ([\d.]+)\)<sup>4<\/sup> × ([\d.]+):/.exec(text) ?? []
  const odds = (2 * Number(covered)) ** 4 * Number(newness)
  expect(odds / (1 + odds)).toBeCloseTo(first?.score ?? 0, 2)
  expect(text).toMatch(/<i>not here:<\/i> <bdi>zanzibar<\/bdi>/)
  expect(text).toContain('<i>its source</i>')
})

test('finds by other wordings too, and says which of them found a record best', async () => {
  const { get, at, save } = await startTeam()
  await save('Lost property goes to the porter at gate 3')
  expect((await get(`${at}/records?q=jacket`)).text).not.toContain('porter')
  const { text } = await get(`${at}/records?q=jacket&also=forgotten+clothes%3B+lost+property`)
  expect(text).toContain('goes to the porter at gate 3')
  expect(text).toContain('Found best by the wording <bdi>lost property</bdi>')
  expect((await get(`${at}/records?q=jacket&also=a%3Bb%3Bc%3Bd%3Be%3Bf`)).text).toContain(
    'must have at most 5 wordings',
  )
})

test('finds in every workspace, fifty at a time, and says which words no record holds', async () => {
  const { get, at, save } = await startTeam()
  for (let i = 0; i < 53; i++) await save(`Lantern ${i}`, { workspace: i % 2 === 0 ? 'attic' : 'default' })
  const first = await get(`${at}/records?q=lantern+zanzibar`)
  expect(first.text).toContain('In no record: <bdi>zanzibar</bdi>')
  const next = linkOf(first.text, 'More') ?? ''
  expect(next).toBe(`${at}/records?q=lantern+zanzibar&offset=50`)
  const second = await get(next)
  const found = [first, second].map(({ text }) =>
    [...text.matchAll(/<mark>(Lantern<\/mark> \d+)</g)].map(([, content]) => content),
  )
  expect(found.map(({ length }) => length)).toEqual([50, 3])
  expect(new Set(found.flat()).size).toBe(53)
  expect(linkOf(second.text, 'More')).toBeUndefined()
  expect((await get(`${at}/records?q=lantern&workspace=attic`)).text).toContain(
    '27 records in the workspace <bdi>attic</bdi>',
  )
  await save('Only a mill', { workspace: 'mill' })
  expect((await get(`${at}/records?q=lantern&workspace=mill`)).text).toContain(
    'There are such records in <bdi>attic, default</bdi>.',
  )
})

test('narrows what words find, and says what was left out where nothing is found', async () => {
  const { get, at, save, service, memory, project, owner } = await startTeam()
  const id = await save('Deploys go to Frankfurt', { workspace: 'ops' })
  await save('Deploys go to Dublin', { workspace: 'ops' })
  await verifyRecord(service, await toActor(service, owner), { projectId: project.id, id })
  const verified = await get(`${at}/records?q=deploys&workspace=ops&status=verified`)
  expect(verified.text).toContain('Frankfurt')
  expect(verified.text).not.toContain('Dublin')
  const none = await get(`${at}/records?q=deploys&workspace=ops&status=superseded`)
  expect(none.text).toContain(
    'Searched the workspace <bdi>ops</bdi> for: <bdi>deploys</bdi>. The filters left out 2 records. Ask again without the filters.',
  )
  expect((await get(`${at}/records?q=qqqqq`)).text).toContain(
    'Searched all workspaces for: <bdi>qqqqq</bdi>. Try other words',
  )
  const elsewhere = await get(`${at}/records?q=deploys&workspace=nowhere`)
  expect(elsewhere).toMatchObject({
    status: 400,
    text: expect.stringContaining('Workspace &#x27;nowhere&#x27; is not active.'),
  })
  expect(await memory.listWorkspaces(undefined, { limit: 9 })).toHaveLength(1)
})

test('a draft, and what is of another department, is on nobody else’s page', async () => {
  const { get, at, save, ben } = await startTeam()
  await save('Ben drafts about lanterns', { scope: 'draft', workspace: 'secret', source_id: 'a.md' }, 'ben')
  await save('Sales lanterns', { scope: 'department' }, 'ben')
  await save('Everybody’s lanterns')
  for (const query of [
    '',
    '?scope=draft',
    '?scope=department',
    '?status=unverified',
    '?q=lanterns',
    '?q=lanterns&scope=draft',
  ]) {
    const mine = await get(`${at}/records${query}`)
    expect({ query, status: mine.status, shown: /Ben drafts|Sales lanterns|secret/.test(mine.text) }).toEqual({
      query,
      status: 200,
      shown: false,
    })
  }
  expect((await get(`${at}/records?q=lanterns`)).text).toContain('1 record in all workspaces')
  expect((await get(`${at}/records?q=lanterns&scope=draft`)).text).toContain('The filters left out 1 record.')
  expect((await get(`${at}/records?workspace=secret&source=a.md`)).text).toContain(
    'Workspace &#x27;secret&#x27; is not active.',
  )
  const his = await ben.get(`${at}/records`)
  expect(placesOf(his.text, ['Ben drafts', 'your draft', 'Sales lanterns', '>secret</option>'])).not.toContain(-1)
})

test('shows contents, names and keys as text, and long ones from their beginning', async () => {
  const { get, at, save } = await startTeam()
  const evil = '<script>alert(1)</script>'
  const id = await save(`${evil} ${'lantern '.repeat(200)}`, { fact_key: `${evil}"key`, source_id: `${evil}"source` })
  for (const query of [
    '',
    '?q=lantern',
    `?q=${encodeURIComponent(evil)}`,
    `?source=${encodeURIComponent(evil)}&workspace=default`,
  ]) {
    const { text } = await get(`${at}/records${query}`)
    expect(text).not.toContain('<script>')
    expect(text).not.toContain('"key"')
  }
  await save('line\n'.repeat(40))
  const { text } = await get(`${at}/records`)
  expect(text).toContain(`<a href="${at}/records/${id}" aria-label="Read all of it:`)
  expect(text.match(/lantern/g)?.length).toBeLessThan(100)
  expect(text.match(/^line$/gm)?.length).toBeLessThan(10)
})

test('cuts a long content between characters', async () => {
  const { get, at, save } = await startTeam()
  await save(`a${'😀'.repeat(300)}`)
  expect((await get(`${at}/records`)).text).toMatch(/>a(😀){239}<\/a><\/h3>/u)
})

test('opens only to members whom a live key lets in, and to nobody without a session', async () => {
  const { at, save, service, url, org } = await startTeam()
  const id = await save('Lanterns')
  const { json } = commandsBeside(service)
  await json('account', 'add', 'Mill')
  const mill = await service.store.control.find('accounts', { name: 'Mill' })
  if (mill === undefined) throw new Error('no account')
  const strangers = [await org.addMember('Cy'), await org.addMember('Di', { account: mill, role: 'owner' })]
  for (const member of strangers) {
    const stranger = await inSession(service, url, member)
    for (const page of ['/records', `/records/${id}`, '/review', '/trash', '/guard']) {
      const { status, text } = await stranger.get(`${at}${page}`)
      expect({ page, status }).toEqual({ page, status: 404 })
      expect(text).toContain('There is no such project, or it is not open to you.')
      expect(text).not.toContain('Lanterns')
    }
    expect((await stranger.post(`${at}/records/${id}/forget`)).status).toBe(400)
  }
  expect((await browse(url).get(`${at}/records`)).place).toBe(
    `/console/sign-in?to=${encodeURIComponent(`${at}/records`)}`,
  )
})

test('without a subscription it shows the notice, and in the grace period still reads', async () => {
  const { get, post, at, save, service, account, standing } = await startTeam()
  const id = await save('Lanterns')
  const { control } = service.store
  await control.write((tx) => tx.update('accounts', { id: account.id }, { subscribedUntil: service.clock.now() }))
  expect((await get(`${at}/records?q=lanterns`)).text).toContain('Lanterns')
  const refused = await post(`${at}/records/${id}/verify`)
  expect(refused).toMatchObject({
    status: 400,
    text: expect.stringContaining('Memory is read-only during the grace period'),
  })
  expect(await standing(id)).toMatchObject({ status: 'unverified' })
  await control.write((tx) => tx.update('accounts', { id: account.id }, { subscribedAt: null, subscribedUntil: null }))
  for (const page of ['/records', `/records/${id}`, '/review', '/trash', '/guard']) {
    const { status, text } = await get(`${at}${page}`)
    expect({ page, status }).toEqual({ page, status: 403 })
    expect(text).toContain('This account has no active subscription')
    expect(text).not.toContain('Lanterns')
  }
})

test('a filter that cannot be says so at its field, which stands open', async () => {
  const { get, at, save } = await startTeam()
  await save('Lunch is at noon')
  const { status, text } = await get(`${at}/records?since=2026-02-01&until=2026-01-01`)
  expect(status).toBe(400)
  expect(text).toContain('<details class="filters" open>')
  expect(text).toMatch(/<input id="since"[^>]*aria-describedby="messages" aria-invalid="true" autofocus/)
  expect(text.match(/Since must not be after until\./g)).toHaveLength(1)
})

test('narrows to stale records, and to those that expire soon', async () => {
  const { get, at, save } = await startTeam()
  await save('old port', { fact_key: 'port' })
  await save('new port', { fact_key: 'port' })
  await save('until soon', { expires_at: '2026-01-31' })
  await save('until later', { expires_at: '2027-01-31' })
  const found = async (query: string) =>
    [
      ...(await get(`${at}/records?${query}`)).text
        .replaceAll(/<\/?mark>/g, '')
        .matchAll(/<h3 [^>]*><a [^>]*>(.*?)<\/a>/g),
    ].map(([, content]) => content)
  expect(await found('freshness=stale')).toEqual(['old port'])
  expect(await found('freshness=expiring')).toEqual(['until soon'])
  expect(await found('freshness=fresh')).toEqual(['until later', 'until soon', 'new port'])
  expect(await found('q=port&freshness=stale')).toEqual(['old port'])
})

test('goes from page to page and back, with the number of all', async () => {
  const { get, at, save } = await startTeam()
  for (let i = 0; i < 53; i++) await save(`Lantern ${i}`)
  const first = (await get(`${at}/records`)).text
  expect(first).toContain('53 records, newest first')
  expect(linkOf(first, 'Newer')).toBeUndefined()
  const second = (await get(linkOf(first, 'Older') ?? '')).text
  expect(linkOf(second, 'Older')).toBeUndefined()
  const back = (await get(linkOf(second, 'Newer') ?? '')).text
  expect([linkOf(back, 'Newer'), linkOf(back, 'Older')]).toEqual([undefined, linkOf(first, 'Older')])
})

test('newest is what was saved or refreshed last, by the time that is shown', async () => {
  const { get, at, save, pass } = await startTeam()
  await save('Refreshed', { source_id: 'a.md', source_hash: '1' })
  pass(60 * 60_000)
  await save('Saved later')
  pass(60 * 60_000)
  await save('Refreshed', { source_id: 'a.md', source_hash: '2' })
  const { text } = await get(`${at}/records`)
  expect(placesOf(text, ['>Refreshed<', '>just now<', '>Saved later<', '>1 hour ago<'])).toEqual(
    placesOf(text, ['>Refreshed<', '>just now<', '>Saved later<', '>1 hour ago<']).toSorted((a, b) => a - b),
  )
  expect(text).toContain('>1 hour ago<')
})
