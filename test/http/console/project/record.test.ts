import { expect, test } from 'bun:test'
import { DAY_MS } from '../../../../src/clock.ts'
import { fieldsOf, placesOf, startTeam } from '../team.ts'

test('shows a record whole, with all that is kept of it', async () => {
  const { get, at, save } = await startTeam()
  const evil = '<script>alert(1)</script>'
  const long = `Deploys go to Frankfurt. ${'And so on. '.repeat(200)}${evil}`
  const more = {
    fact_key: `deploy.${evil}`,
    workspace: 'ops',
    source_id: `adr/${evil}.md`,
    source_hash: `h${evil}`,
    expires_at: '2027-01-31',
  }
  const id = await save(long, { ...more, scope: 'draft' })
  const { text } = await get(`${at}/records/${id}`)
  expect(text).toContain(Bun.escapeHTML(long))
  expect(text).not.toContain('<script>')
  const facts = [
    id,
    '>ops<',
    '>draft<',
    '>unverified<',
    '>fresh<',
    Bun.escapeHTML(more.source_hash),
    '>Owner<',
    '15 Jan 2026, 12:00 UTC',
    '31 Jan 2027, 00:00 UTC',
  ]
  expect({ facts, places: placesOf(text, facts) }).toEqual({ facts, places: expect.not.arrayContaining([-1]) })
  const source = /href="([^"]*source=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect((await get(source)).text).toContain('Deploys go to Frankfurt.')
})

test('a person verifies a record and takes it back, which is noted under their name', async () => {
  const { at, save, ben, service, standing } = await startTeam()
  const id = await save('The day of release is Tuesday')
  const page = `${at}/records/${id}`
  const verified = await ben.post(`${page}/verify`, fieldsOf((await ben.get(page)).text, `${page}/verify`))
  expect(verified).toMatchObject({ status: 303, place: expect.stringContaining(`${page}?done=record.verified&undo=`) })
  expect((await ben.get(`${page}?done=record.verified`)).text).toContain(
    '<div class="done" role="status">The record is verified.',
  )
  expect(await standing(id)).toMatchObject({ status: 'verified' })
  expect((await ben.get(page)).text).not.toContain(`${page}/verify"`)
  await ben.post(`${page}/unverify`, fieldsOf((await ben.get(page)).text, `${page}/unverify`))
  expect(await standing(id)).toMatchObject({ status: 'unverified' })
  const by = { actor: `member:${ben.member.id}`, via: '127.0.0.1', target: id }
  const lines = await service.store.control.listAudit({ limit: 2 })
  expect(lines).toMatchObject([
    { ...by, act: 'record.unverify' },
    { ...by, act: 'record.verify' },
  ])
})

test('says before that verifying supersedes what else the fact key says, and does it', async () => {
  const { get, post, at, save, standing } = await startTeam()
  const older = await save('The port is 8080', { fact_key: 'port' })
  await post(`${at}/records/${older}/verify`)
  const newer = await save('The port is 9090', { fact_key: 'port' })
  const page = `${at}/records/${newer}`
  const { text } = await get(page)
  expect(placesOf(text, ['Verify, and supersede the other', 'Contradicts it', 'The port is 8080'])).not.toContain(-1)
  expect((await get(`${at}/records/${older}`)).text).toContain('Keep it, and supersede the other')
  expect((await post(`${page}/verify`, fieldsOf(text, `${page}/verify`))).place).toStartWith(
    `${page}?done=record.chosen&undo=`,
  )
  expect([await standing(older), await standing(newer)]).toMatchObject([
    { status: 'superseded', supersededBy: newer },
    { status: 'verified' },
  ])
  expect((await get(page)).text).toMatch(
    /<strong>Verified<\/strong>.*\n<p class="quiet">It superseded: <a href="[^"]*"><bdi>The port is 8080/,
  )
  const old = await get(`${at}/records/${older}`)
  expect(placesOf(old.text, ['Superseded by', `${at}/records/${newer}`])).not.toContain(-1)
  expect(old.text).not.toContain('/verify"')
})

test('supersedes nothing that came after the page was made, and shows it instead', async () => {
  const { get, post, at, save, standing } = await startTeam()
  const older = await save('The port is 8080', { fact_key: 'port' })
  const page = `${at}/records/${older}`
  const fields = fieldsOf((await get(page)).text, `${page}/verify`)
  await post(`${page}/verify`, fields)
  await save('The port is 9090', { fact_key: 'port' })
  const refused = await post(`${page}/verify`, { ...fields, form: 'later' })
  expect(refused.status).toBe(400)
  expect(
    placesOf(refused.text, [
      'Another record of its fact key says something else since this page was made',
      'The port is 9090',
    ]),
  ).not.toContain(-1)
  expect(await standing(older)).toMatchObject({ status: 'verified' })
})

test('a forgotten record is restored from its page while the trash keeps it', async () => {
  const { get, post, at, save, call, service, pass, owner } = await startTeam()
  const id = await save('The lantern is green')
  const page = `${at}/records/${id}`
  expect((await post(`${page}/forget`)).place).toStartWith(`${page}?done=record.forgotten&undo=`)
  pass(3 * DAY_MS)
  const { text } = await get(page)
  expect(text).toContain('It is erased for good in 27 days.')
  expect(text).not.toContain(`${page}/verify"`)
  expect((await call('search', { query: 'lantern' })).structured?.result).toEqual([])
  expect((await post(`${page}/forget`)).status).toBe(400)
  expect((await post(`${page}/restore`, fieldsOf(text, `${page}/restore`))).place).toStartWith(
    `${page}?done=record.restored&undo=`,
  )
  expect((await call('search', { query: 'lantern' })).structured?.result).toMatchObject([{ id }])
  const lines = await service.store.control.listAudit({ limit: 2 })
  const by = { actor: `member:${owner.id}`, target: id, details: {} }
  expect(lines).toMatchObject([
    { ...by, act: 'record.restore' },
    { ...by, act: 'record.forget' },
  ])
})

test('a record whose fact key a newer one took comes back superseded, and is said to', async () => {
  const { post, at, save } = await startTeam()
  const id = await save('The port is 8080', { fact_key: 'port' })
  await post(`${at}/records/${id}/forget`)
  await save('The port is 9090', { fact_key: 'port' })
  expect((await post(`${at}/records/${id}/restore`)).place).toContain('?done=record.outdated&')
})

test('nobody sees or changes what they may not see, and learns not even that it is there', async () => {
  const { get, post, at, save, standing, ben, service } = await startTeam()
  const mine = await save('Ben drafts', { scope: 'draft', fact_key: 'port' }, 'ben')
  const sales = await save('Of sales', { scope: 'department', fact_key: 'port' }, 'ben')
  const shared = await save('The port is 8080', { fact_key: 'port' })
  expect((await get(`${at}/records/${shared}`)).text).not.toMatch(/conflict|Ben drafts|Of sales/)
  for (const id of [mine, sales, 'none', '..%2Fguard']) {
    const { status, text } = await get(`${at}/records/${id}`)
    expect({ id, status, said: text.includes('No record &#x27;') }).toEqual({ id, status: 404, said: true })
    expect(text).toContain(`<a href="${at}/trash">Trash</a>`)
    for (const act of ['verify', 'unverify', 'forget', 'restore']) {
      const refused = await post(`${at}/records/${id}/${act}`)
      expect({ id, act, status: refused.status, said: refused.text.includes('No record &#x27;') }).toEqual({
        id,
        act,
        status: 400,
        said: true,
      })
    }
  }
  expect([await standing(mine), await standing(sales)]).toMatchObject([
    { status: 'unverified', forgottenAt: null },
    { status: 'unverified', forgottenAt: null },
  ])
  await service.store.control.write((tx) => tx.update('members', { id: ben.member.id }, { departmentId: null }))
  expect((await ben.get(`${at}/records/${sales}`)).status).toBe(404)
  expect((await ben.get(`${at}/records/${mine}`)).status).toBe(200)
})

test('changes nothing for a GET, for another site, or without a session, and returns to no page but the project’s', async () => {
  const { get, post, at, save, standing } = await startTeam()
  const id = await save('The lantern is green')
  const page = `${at}/records/${id}`
  expect((await get(`${page}/forget`)).place).toBe(page)
  expect((await post(`${page}/forget`, {}, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(`${page}/forget`, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await post(`${page}/forget`, {}, { cookie: '' })).place).toBe('/console/sign-in')
  expect(await standing(id)).toMatchObject({ forgottenAt: null })
  for (const back of [
    'https://evil.example',
    '//evil.example',
    `${at}.evil`,
    `${at}/../..`,
    `${at}/%2E%2e/x`,
    `${at}\r\nx: y`,
    '/console/audit',
  ]) {
    const { place } = await post(`${page}/verify`, { back })
    expect({ back, place }).toEqual({ back, place: expect.stringContaining(`${page}?done=record.verified&undo=`) })
    await post(`${page}/unverify`)
  }
})
