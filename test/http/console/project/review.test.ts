import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../../src/account/auth/actor.ts'
import { closeSessions } from '../../../../src/account/auth/session.ts'
import { changeMember } from '../../../../src/account/organizations/change-member.ts'
import { toActor } from '../../../builders/organization.ts'
import { insertRecords } from '../../../builders/records.ts'
import { waitUntil } from '../../../wait-until.ts'
import { inSession } from '../browse.ts'
import { fieldsOf, placesOf, startTeam } from '../team.ts'

/** A team with a verified record that a newer one speaks against. */
async function startContradicted() {
  const running = await startTeam()
  const { at, post, save } = running
  const older = await save('The port is 8080', { fact_key: 'port' })
  await post(`${at}/records/${older}/verify`)
  const newer = await save('The port is 9090', { fact_key: 'port' })
  return { ...running, older, newer, review: `${at}/review` }
}

test('shows contradictions side by side first, then what nobody verified, newest first', async () => {
  const { get, review, save, pass } = await startContradicted()
  await save('Lunch is at noon')
  await save('Old lunch', { expires_at: '2026-01-16' })
  pass(24 * 60 * 60_000)
  const { text } = await get(review)
  const places = placesOf(text, [
    'Contradictions',
    'The port is 8080',
    'The port is 9090',
    'Keep the verified one',
    'Take the new one',
    'Old lunch',
    '>stale<',
    'Lunch is at noon',
  ])
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(text.match(/The port is 8080/g)).toHaveLength(1)
})

test('a record of a contradiction that is shown does not stand among those that nobody verified as well', async () => {
  const { get, review, newer, save } = await startContradicted()
  const other = await save('Lunch is at noon')
  const articles = async (query = '') => (await get(`${review}${query}`)).text.match(/<article [^>]*id="r-[\w-]+"/g)
  expect(await articles()).toEqual([expect.stringContaining(newer), expect.stringContaining(other)])
  expect(await articles('?kind=unverified')).toEqual([expect.stringContaining(other), expect.stringContaining(newer)])
})

test('keeping the verified one forgets the newcomer', async () => {
  const { get, post, review, at, older, newer, standing } = await startContradicted()
  const action = `${at}/records/${newer}/forget`
  expect((await post(action, fieldsOf((await get(review)).text, action))).place).toStartWith(
    `${review}?done=record.forgotten&undo=`,
  )
  expect(await standing(older)).toMatchObject({ status: 'verified' })
  expect((await standing(newer)).forgottenAt).not.toBeNull()
  expect((await get(review)).text).not.toContain('Contradictions')
})

test('taking the new one verifies it and supersedes the other', async () => {
  const { get, post, review, at, older, newer, standing } = await startContradicted()
  const action = `${at}/records/${newer}/verify`
  expect((await post(action, fieldsOf((await get(review)).text, action))).place).toStartWith(
    `${review}?done=record.chosen&undo=`,
  )
  expect([await standing(older), await standing(newer)]).toMatchObject([
    { status: 'superseded', supersededBy: newer },
    { status: 'verified' },
  ])
  expect((await get(review)).text).toContain('Nothing to review.')
})

test('of two that are both verified either may be kept', async () => {
  const { get, post, review, at, older, newer, standing, forget } = await startContradicted()
  await forget(older)
  await post(`${at}/records/${newer}/verify`)
  await post(`${at}/records/${older}/restore`)
  const { text } = await get(review)
  expect(placesOf(text, ['Keep the older one', 'Keep the newer one'])).not.toContain(-1)
  const action = `${at}/records/${older}/verify`
  await post(action, fieldsOf(text, action))
  expect([await standing(older), await standing(newer)]).toMatchObject([
    { status: 'verified' },
    { status: 'superseded', supersededBy: older },
  ])
})

test('goes through what nobody verified in parts, and an act returns to the same part', async () => {
  const { get, post, at, save } = await startTeam()
  for (let i = 0; i < 52; i++) await save(`Lantern ${String(i).padStart(2, '0')}.`)
  const first = await get(`${at}/review`)
  expect(first.text.match(/Lantern \d\d\.(?=<)/g)).toHaveLength(50)
  const part = /href="([^"]*before=[^"]*)"/.exec(first.text)?.[1] ?? ''
  const second = await get(part)
  expect(second.text.match(/Lantern \d\d\.(?=<)/g)).toEqual(['Lantern 01.', 'Lantern 00.'])
  const action = /action="([^"]*\/verify)"/.exec(second.text)?.[1] ?? ''
  const { place } = await post(action, fieldsOf(second.text, action))
  expect(place).toStartWith(`${part}&done=record.verified&undo=`)
  const after = await get(place ?? '')
  expect(after.text.match(/Lantern \d\d\.(?=<)/g)).toEqual(['Lantern 00.'])
  expect(after.text).toContain('The record is verified.')
})

test('heads say how many there are, also where only the newest are shown', async () => {
  const { get, review, service, project, owner } = await startContradicted()
  const pairs = Array.from({ length: 110 }, (_, at) => {
    const fact = { factKey: `fact ${at}`, factKeyGiven: true }
    return [
      { ...fact, content: `Lantern ${at} is red`, status: 'verified' as const, verifiedAt: 1 },
      { ...fact, content: `Lantern ${at} is green` },
    ]
  })
  await insertRecords({ service, project, owner }, pairs.flat())
  const gone = Array.from({ length: 105 }, (_, at) => ({
    content: `Beacon ${at}`,
    status: 'verified' as const,
    forgottenAt: 1,
    needsReview: true,
  }))
  await insertRecords({ service, project, owner }, gone)
  const { text } = await get(review)
  expect(text).toContain('Contradictions <small class="quiet">111</small>')
  expect(text).toContain('though verified <small class="quiet">105</small>')
  expect([text.match(/>Take the new one</g)?.length, text.match(/More follow when they are settled/g)?.length]).toEqual(
    [20, 2],
  )
  expect((await get(`${review}?author=Nobody`)).text).not.toContain('Contradictions')
})

test('shows nobody a contradiction of records they may not see', async () => {
  const { get, save, ben, at } = await startTeam()
  const mine = await save('The port is 8080', { fact_key: 'port', scope: 'draft' }, 'ben')
  await ben.post(`${at}/records/${mine}/verify`)
  await save('The port is 9090', { fact_key: 'port', scope: 'draft' }, 'ben')
  expect((await ben.get(`${at}/review`)).text).toContain('Contradictions')
  const { text } = await get(`${at}/review`)
  expect(text).not.toMatch(/Contradictions|The port/)
  expect(text).toContain('Nothing to review.')
})

test('shows what records say as text', async () => {
  const { get, post, at, save } = await startTeam()
  const evil = '<script>alert(1)</script>'
  const id = await save(`${evil} one`, { fact_key: evil })
  await post(`${at}/records/${id}/verify`)
  await save(`${evil} two`, { fact_key: evil })
  const { text } = await get(`${at}/review`)
  expect(text).toContain('Contradictions')
  expect(text).not.toContain('<script>')
})

test('a verified record that an assistant forgot stands first, and comes back with one click', async () => {
  const { get, post, review, at, older, newer, forget, standing } = await startContradicted()
  expect((await forget(older)).structured?.result).toEqual({
    forgotten: 1,
    ids: [older],
    verified: 1,
    current_again: [],
  })
  const { text } = await get(review)
  const places = placesOf(text, [
    'though verified',
    'The port is 8080',
    '>Restore<',
    'Unverified, newest first',
    'The port is 9090',
  ])
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  const action = `${at}/records/${older}/restore`
  expect((await post(action, fieldsOf(text, action))).place).toStartWith(`${review}?done=record.restored&undo=`)
  expect([await standing(older), await standing(newer)]).toMatchObject([
    { status: 'verified', forgottenAt: null },
    { status: 'unverified' },
  ])
  expect((await get(review)).text).not.toContain('though verified')
})

test('a person who leaves it forgotten is not asked again, nor is one who forgot it themselves', async () => {
  const { get, post, review, at, older, newer, forget, standing } = await startContradicted()
  await forget(older)
  const action = `${at}/records/${older}/accept-forgetting`
  const { place } = await post(action, fieldsOf((await get(review)).text, action))
  expect(place).toStartWith(`${review}?done=record.forgetting-accepted&undo=`)
  expect((await standing(older)).forgottenAt).not.toBeNull()
  expect((await get(review)).text).not.toContain('though verified')
  const undo = `${at}/records/${older}/return-to-review`
  expect((await post(undo, fieldsOf((await get(place ?? '')).text, undo))).place).toStartWith(
    `${review}?done=record.returned`,
  )
  expect((await get(review)).text).toContain('though verified')
  await post(action)
  await post(`${at}/records/${newer}/verify`)
  await post(`${at}/records/${newer}/forget`)
  expect((await get(review)).text).not.toContain('though verified')
})

test('what a forgotten record had superseded holds again, and restoring it turns that back', async () => {
  const { post, at, save, standing } = await startTeam()
  const older = await save('The port is 8080', { fact_key: 'port' })
  const newer = await save('The port is 9090', { fact_key: 'port' })
  expect((await post(`${at}/records/${newer}/forget`)).place).toStartWith(
    `${at}/records/${newer}?done=record.replaced&undo=`,
  )
  expect(await standing(older)).toMatchObject({ status: 'unverified', supersededBy: null })
  await post(`${at}/records/${newer}/restore`)
  expect(await standing(older)).toMatchObject({ status: 'superseded', supersededBy: newer })
})

test('shows nobody a forgotten draft of somebody else', async () => {
  const { get, save, ben, at } = await startTeam()
  const mine = await save('The port is 8080', { fact_key: 'port', scope: 'draft' }, 'ben')
  await ben.post(`${at}/records/${mine}/verify`)
  await ben.call('forget', { id: mine })
  expect((await ben.get(`${at}/review`)).text).toContain('though verified')
  expect((await get(`${at}/review`)).text).not.toMatch(/though verified|The port/)
})

test('is narrowed by kind, workspace, source and author; what is refused is said, and where it was typed', async () => {
  const { get, review, save } = await startContradicted()
  await save('From a file', { source_id: 'a.md', workspace: 'ops' })
  await save('Ben says', {}, 'ben')
  const shown = async (query: string) => {
    const { text } = await get(`${review}?${query}`)
    return ['Contradictions', 'From a file', 'Ben says'].filter((one) => text.includes(`>${one}`))
  }
  expect(await shown('')).toEqual(['Contradictions', 'From a file', 'Ben says'])
  expect(await shown('kind=contradictions')).toEqual(['Contradictions'])
  expect(await shown('kind=unverified')).toEqual(['From a file', 'Ben says'])
  expect(await shown('workspace=ops')).toEqual(['From a file'])
  expect(await shown('source=a.md')).toEqual(['From a file'])
  expect(await shown('author=Ben')).toEqual(['Ben says'])
  expect(await shown('kind=guard')).toEqual([])
  expect(await get(`${review}?workspace=nowhere`)).toMatchObject({
    status: 400,
    text: expect.stringContaining('is not active.'),
  })
})

test('shows which words of two contradicting records differ', async () => {
  const { get, review } = await startContradicted()
  const { text } = await get(review)
  expect(text).toContain('>The port is <del>8080</del><ins>9090</ins></p>')
})

test('without scripts an act returns to the record that took its place, with a button that undoes it', async () => {
  const { get, post, at, save, standing } = await startTeam()
  const [older, newer] = [await save('The older'), await save('The newer')]
  const review = `${at}/review`
  const action = `${at}/records/${newer}/verify`
  const { place } = await post(action, fieldsOf((await get(review)).text, action))
  expect(place).toMatch(new RegExp(`^${review}\\?done=record\\.verified&undo=[\\w-]+#r-${older}$`))
  const { text } = await get(place ?? '')
  expect(text).toContain(`id="r-${older}"`)
  const undo = `${at}/records/${newer}/unverify`
  expect((await post(undo, fieldsOf(text, undo))).place).toStartWith(`${review}?done=record.unverified&undo=`)
  expect(await standing(newer)).toMatchObject({ status: 'unverified' })
})

test('the menu of the project says how many records wait, as far as the visitor sees them', async () => {
  const team = await startTeam()
  const { get, at, save, post, ben } = team
  const countOn = ({ text }: { text: string }) =>
    / id="waiting"( hidden)?><span>([\d+]*)</.exec(text)?.slice(1) as [string | undefined, string] | undefined
  expect(countOn(await get(`${at}/keys`))).toEqual([' hidden', ''])
  const id = await save('One')
  await save('Ben drafts', { scope: 'draft' }, 'ben')
  expect([countOn(await get(`${at}/keys`)), countOn(await ben.get(`${at}/keys`))]).toEqual([
    [undefined, '1'],
    [undefined, '2'],
  ])
  await post(`${at}/records/${id}/verify`)
  expect(countOn(await get(`${at}/keys`))).toEqual([' hidden', ''])
  await insertRecords(team, Array(101).fill({}))
  expect(countOn(await get(`${at}/keys`))?.[1]).toBe('101')
})

test('a stream tells of every change with the count, and ends with the session', async () => {
  const { at, url, cookie, save, service, owner } = await startTeam()
  const response = await fetch(new URL(`${at}/events`, url), { headers: { cookie: cookie() ?? '' } })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.getReader()
  const next = async () => new TextDecoder().decode((await reader?.read())?.value)
  expect(await next()).toBe('event: changed\ndata: \n\n')
  await save('One')
  expect(await next()).toBe('event: changed\ndata: 1\n\n')
  await closeSessions(service, await toActor(service, owner))
  await save('Two')
  expect((await reader?.read())?.done).toBe(true)
})

test('a stream counts what its reader may see now, not what they could when it began', async () => {
  const { at, url, ben, save, service } = await startTeam()
  const response = await fetch(new URL(`${at}/events`, url), { headers: { cookie: ben.cookie() ?? '' } })
  const reader = response.body?.getReader()
  const next = async () => new TextDecoder().decode((await reader?.read())?.value)
  expect(await next()).toBe('event: changed\ndata: \n\n')
  await save('Of Sales alone', { scope: 'department' }, 'ben')
  expect(await next()).toBe('event: changed\ndata: 1\n\n')
  await changeMember(service, COMMAND_LINE, { member: ben.member, role: 'member', department: null })
  await save('For everybody')
  expect(await next()).toBe('event: changed\ndata: 1\n\n')
})

/** Opens streams of changes by this cookie. */
function streamsOf(url: string, at: string) {
  return (cookie: string | undefined) =>
    fetch(new URL(`${at}/events`, url), { headers: { cookie: cookie ?? '' }, redirect: 'manual' })
}

/** Reads a stream to its end. */
const readToEnd = async ({ body }: Response) => (body === null ? '' : new Response(body).text())

test('two hundred streams are open at once, whosever they are', async () => {
  const { at, url, service, org } = await startTeam()
  const open = streamsOf(url, at)
  const streams: Response[] = []
  for (let nth = 0; nth < 34; nth++) {
    const admin = await org.addMember(`admin${nth}`, { role: 'admin' })
    for (let browser = 0; browser < 3; browser++) {
      const { cookie } = await inSession(service, url, admin)
      streams.push(...(await Promise.all([open(cookie()), open(cookie())])))
    }
  }
  expect(streams.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    ...Array(200).fill(200),
    ...Array(4).fill(429),
  ])
  await streams.find(({ status }) => status === 200)?.body?.cancel()
  const late = await inSession(service, url, await org.addMember('late', { role: 'admin' }))
  await waitUntil('a place for a stream', async () => (await open(late.cookie())).status === 200)
})

test('a browser has two streams at once: a third ends the one that was opened first, and tells it not to come again', async () => {
  const { at, url, cookie, service, owner, save } = await startTeam()
  const open = streamsOf(url, at)
  const [first, second, third] = [await open(cookie()), await open(cookie()), await open(cookie())]
  expect([first, second, third].map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await readToEnd(first)).toEndWith('event: replaced\ndata:\n\n')
  const elsewhere = await inSession(service, url, owner)
  await open(elsewhere.cookie())
  const fourth = await open(cookie())
  expect(await readToEnd(second)).toEndWith('event: replaced\ndata:\n\n')
  await closeSessions(service, await toActor(service, owner))
  await save('A change, at which sessions are looked up')
  for (const stream of [third, fourth]) expect(await readToEnd(stream)).not.toContain('replaced')
})

test('a member has six streams at once, and nobody else’s project', async () => {
  const { at, url, cookie, ben, org, service, owner, save } = await startTeam()
  const open = streamsOf(url, at)
  const streams: Response[] = []
  for (let browser = 0; browser < 4; browser++) {
    const session = await inSession(service, url, owner)
    streams.push(await open(session.cookie()), await open(session.cookie()))
  }
  for (const replaced of streams.slice(0, 2)) expect(await readToEnd(replaced)).toEndWith('event: replaced\ndata:\n\n')
  await closeSessions(service, await toActor(service, owner))
  await save('A change, at which sessions are looked up')
  for (const stream of streams.slice(2)) expect(await readToEnd(stream)).not.toContain('replaced')
  const closed = await org.addProject('closed')
  expect((await streamsOf(url, `/console/projects/${closed.id}`)(ben.cookie())).status).toBe(404)
  expect((await open(cookie())).status).toBe(303)
})
