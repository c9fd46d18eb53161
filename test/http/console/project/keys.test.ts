import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY_MS } from '../../../../src/clock.ts'
import { readControlText } from '../../../stored-data.ts'
import { formOn, type Page } from '../browse.ts'
import { startOrganization } from '../organization.ts'

const KEY = /svc_[0-9A-Za-z]{36}/
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const keyOn = ({ text }: Page) => KEY.exec(text)?.[0] ?? ''
const decode = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

test('issues a key that opens the project, and shows it on that page only', async () => {
  const { at, get, post, as, service, pass, project } = await startOrganization()
  const issued = await post(`${at}/keys`, { label: 'CI', holder: '', expires: '2026-02-01', client: 'continue' })
  expect({ status: issued.status, kept: issued.headers.get('cache-control') }).toEqual({
    status: 200,
    kept: 'no-store',
  })
  expect(issued.text).toContain('it is not shown again')
  const secret = keyOn(issued)
  expect((await as(secret).post(list)).status).toBe(200)

  const [made] = (await service.store.control.list('keys', { projectId: project.id })).filter(
    ({ label }) => label === 'CI',
  )
  expect(made).toMatchObject({ label: 'CI', memberId: null, toolNames: 'underscored', expiresAt: Date.UTC(2026, 1, 1) })
  const later = [await get(`${at}/keys`), await get(`${at}/keys/${made?.id}`), await get('/console/audit')]
  for (const { status, text } of later) {
    expect(status).toBe(200)
    expect(text).not.toContain(secret)
    expect(text).toContain(secret.slice(4, 12))
  }
  expect(later[1]?.text).toContain('as github__get_me')
  expect(later[0]?.text).not.toContain('underscored')
  expect(await readControlText(service.config)).not.toContain(secret)
  pass(17 * DAY_MS)
  expect((await as(secret).post(list)).status).toBe(401)
})

test('shows what to paste into the chosen client first, and all that the page of clients gives, with this key and the address of the browser', async () => {
  const { at, post, url } = await startOrganization()
  const issued = await post(`${at}/keys`, { label: 'x', client: 'cursor' })
  const secret = keyOn(issued)
  const blocks = [...issued.text.matchAll(/<pre class="paste">([^<]*)<\/pre>/g)].map(([, block = '']) => decode(block))
  const page = await Bun.file(join(import.meta.dir, '../../../../docs/clients.md')).text()
  const own = page.replaceAll('http://127.0.0.1:8787', url).replaceAll('svc_…', secret).replaceAll('$KEY', secret)
  const fromPage = [...own.matchAll(/^\*\*[^*]+\*\*[^\n]*\n\n(?:<!--[^\n]*-->\n)?```(\w*)\n(.*?)\n```/gms)].map(
    ([, kind, block = '']) => (kind === 'json' ? JSON.stringify(JSON.parse(block), null, 2) : block),
  )
  const pasted = blocks.map((block) => block.replace(`export SVC_API_KEY=${secret}\n`, ''))
  expect(fromPage).toHaveLength(13)
  expect(pasted.toSorted()).toEqual(fromPage.toSorted())
  expect(JSON.parse(blocks[0] ?? '')).toMatchObject({ mcpServers: { memsvc: { url: `${url}/mcp` } } })
  expect(issued.text.indexOf('<h3>Cursor</h3>')).toBeLessThan(
    issued.text.indexOf('<summary>Other assistants</summary>'),
  )
})

test('names the public address where there is one', async () => {
  const { at, post } = await startOrganization({ config: { publicUrl: 'https://memory.example' } })
  expect((await post(`${at}/keys`, {})).text).toContain('https://memory.example/mcp')
})

test('lists the keys that work before those that have ended', async () => {
  const { at, get, post, service, key, pass, org } = await startOrganization()
  await org.issueKey({ label: 'short', expiresAt: service.clock.now() + DAY_MS })
  const later = await org.issueKey({ label: 'later' })
  await post(`${at}/keys/${later.key.id}/revoke`)
  pass(2 * DAY_MS)
  const { text } = await get(`${at}/keys`)
  expect([...text.matchAll(/badge \w+">(\w+)</g)].map(([, state]) => state)).toEqual([
    'active',
    'active',
    'revoked',
    'expired',
  ])
  expect(text.indexOf(key.shown)).toBeLessThan(text.indexOf(later.key.shown))
})

test('pages a long list', async () => {
  const { at, get, org } = await startOrganization()
  for (let i = 0; i < 60; i++) await org.issueKey({ label: `number ${i}` })
  const first = await get(`${at}/keys`)
  expect(first.text.match(/number \d+/g)).toHaveLength(50)
  expect(first.text).toContain(`href="${at}/keys?page=2"`)
  const second = await get(`${at}/keys?page=2`)
  expect(second.text).toContain('First key')
  expect(second.text).not.toContain('page=3')
  expect((await get(`${at}/keys?page=9`)).text).toContain('First key')
})

test('marks a key that expires within 14 days, and no other', async () => {
  const { get, at, org, service, pass, again } = await startOrganization()
  const soon = await org.issueKey({ label: 'soon', expiresAt: service.clock.now() + 15 * DAY_MS })
  expect((await get(`${at}/keys`)).text).not.toContain('expires soon')
  pass(2 * DAY_MS)
  const { text } = await get(`${at}/keys`)
  expect(text).toContain('1 of these keys expires within 14 days')
  expect(text.match(/expires soon/g)).toHaveLength(1)
  expect((await get(`${at}/keys/${soon.key.id}`)).text).toContain('expires soon')
  pass(13 * DAY_MS)
  expect((await (await again()).get(`${at}/keys`)).text).not.toContain('expires soon')
})

test('asks before it revokes a key, on a page that says when it was last used', async () => {
  const { get, at, project, service, call } = await startOrganization()
  const [key] = await service.store.control.list('keys', { projectId: project.id })
  await call('search', { query: 'x' })
  expect((await get(`${at}/keys/${key?.id}`)).text).toContain(`href="${at}/keys/${key?.id}/revoke"`)
  const { status, text } = await get(`${at}/keys/${key?.id}/revoke`)
  expect(status).toBe(200)
  expect(text).toContain('This cannot be undone.')
  expect(text).toContain(`<form method="post" action="${at}/keys/${key?.id}/revoke">`)
})

test('revokes a key at once', async () => {
  const { at, post, get, as, secret, key } = await startOrganization()
  expect((await post(`${at}/keys/${key.id}/revoke`)).place).toBe(`${at}/keys?done=key.revoked`)
  expect((await as(secret).post(list)).status).toBe(401)
  expect((await get(`${at}/keys/${key.id}`)).text).not.toContain('/rotate')
})

test.each([
  ['none', 401, 401],
  ['1h', 200, 401],
  ['24h', 200, 200],
])('rotates a key; with overlap %s the old one answers %d now and %d after 2 hours', async (overlap, now, later) => {
  const { at, post, as, secret, key, pass } = await startOrganization()
  const rotated = await post(`${at}/keys/${key.id}/rotate`, { overlap })
  const next = keyOn(rotated)
  expect((await as(next).post(list)).status).toBe(200)
  expect((await as(secret).post(list)).status).toBe(now)
  pass(DAY_MS / 12)
  expect((await as(secret).post(list)).status).toBe(later)
})

test.each([
  [{ expires: '2020-01-01' }, 'The expiry of a key must be in the future.'],
  [{ expires: 'tomorrow' }, 'The expiry must be an ISO 8601 date'],
  [{ client: 'netscape' }, 'The client must be one of claude-code, codex'],
  [
    { holder: 'nobody@example.org' },
    'A key for somebody else is issued by themselves; open the project to them under People.',
  ],
])('refuses %p and keeps what was typed', async (wrong, reason) => {
  const { at, post } = await startOrganization()
  const { status, text } = await post(`${at}/keys`, { label: 'my own label', ...wrong })
  expect(status).toBe(400)
  expect(text).toContain(reason)
  expect(text).toContain('value="my own label"')
  expect(text).not.toMatch(KEY)
})

test('refuses an overlap that is none of those', async () => {
  const { at, post, key } = await startOrganization()
  const { status, text } = await post(`${at}/keys/${key.id}/rotate`, { overlap: 'constructor' })
  expect({ status, said: text.includes('Choose how long') }).toEqual({ status: 400, said: true })
})

test('shows a member their own keys only, and issues them to nobody else', async () => {
  const { at, asMember, owner, key, held, service, project, member } = await startOrganization()
  const { text } = await asMember.get(`${at}/keys`)
  expect(text).toContain(held.key.shown)
  expect(text).not.toContain(key.shown)
  expect(text).not.toContain('name="holder"')
  expect((await asMember.get(`${at}/keys/${key.id}`)).status).toBe(404)

  expect(keyOn(await asMember.post(`${at}/keys`, { label: 'mine' }))).toMatch(KEY)
  for (const holder of ['', owner.id]) {
    const refused = await asMember.post(`${at}/keys`, { label: 'theirs', holder })
    expect({ status: refused.status, key: keyOn(refused) }).toEqual({ status: 400, key: '' })
  }
  const labels = (await service.store.control.list('keys', { projectId: project.id })).map(({ label, memberId }) => [
    label,
    memberId,
  ])
  expect(labels.slice(2)).toEqual([['mine', member.id]])
})

test('lets a member replace and revoke their own; without the last one the project is closed to them', async () => {
  const { at, asMember, held, service, member } = await startOrganization()
  expect(keyOn(await asMember.post(`${at}/keys/${held.key.id}/rotate`, { overlap: 'none' }))).toMatch(KEY)
  const own = await service.store.control.list('keys', { memberId: member.id })
  const left = own.find(({ revokedAt }) => revokedAt === null)?.id
  expect((await asMember.get(`${at}/keys/${left}/revoke`)).text).toContain('your last key for this project')
  expect((await asMember.post(`${at}/keys/${left}/revoke`)).place).toBe('/console?done=key.revoked')
  expect((await asMember.get(`${at}/keys`)).status).toBe(404)
})

test('nobody issues or rotates a key of somebody else, who could be read by it', async () => {
  const { at, get, post, asAdmin, member, held, key, service, project } = await startOrganization()
  for (const [browser, holder, other] of [
    [{ get, post }, member.id, held.key.id],
    [asAdmin, key.memberId ?? '', key.id],
  ] as const) {
    const issued = await browser.post(`${at}/keys`, { label: 'for another', holder })
    expect(issued.text).toContain('A key for somebody else is issued by themselves')
    expect((await browser.get(`${at}/keys/${other}`)).text).not.toContain('/rotate')
    const rotated = await browser.post(`${at}/keys/${other}/rotate`, { overlap: '1h' })
    expect([issued.status, keyOn(issued), rotated.status, keyOn(rotated)]).toEqual([400, '', 400, ''])
  }
  expect(await service.store.control.list('keys', { projectId: project.id })).toHaveLength(2)
})

test('lets an admin issue a service key, and says who did it', async () => {
  const { at, asAdmin, admin, service, project } = await startOrganization()
  await asAdmin.post(`${at}/keys`, { label: 'CI', holder: '' })
  const made = (await service.store.control.list('keys', { projectId: project.id })).find(({ label }) => label === 'CI')
  expect(made?.memberId).toBe(null)
  const [line] = await service.store.control.listAudit({ act: 'key.issue', limit: 1 })
  expect(line).toMatchObject({ actor: `member:${admin.id}`, via: '127.0.0.1', target: made?.id })
})

test('a second click makes no second key, and shows the one that the first made', async () => {
  const { at, post, service, project, as, get } = await startOrganization()
  const form = formOn(await get(`${at}/keys`))
  const [one, two] = await Promise.all([1, 2].map(() => post(`${at}/keys`, { label: 'clicked twice', form })))
  expect(keyOn(one ?? (await get(at)))).toBe(keyOn(two ?? (await get('/console'))))
  const made = (await service.store.control.list('keys', { projectId: project.id })).filter(
    ({ label }) => label === 'clicked twice',
  )
  expect(made).toHaveLength(1)
  const rotation = formOn(await get(`${at}/keys/${made[0]?.id}`))
  const rotate = () => post(`${at}/keys/${made[0]?.id}/rotate`, { overlap: 'none', form: rotation })
  const [first, second] = [await rotate(), await rotate()]
  expect({ status: second.status, key: keyOn(second) }).toEqual({ status: 200, key: keyOn(first) })
  expect((await as(keyOn(first)).post(list)).status).toBe(200)
  expect((await post(`${at}/keys`, { label: 'another' })).text).not.toContain(keyOn(first))
})

test('keys are sorted by what a heading says, those without it last, and are counted', async () => {
  const { at, get, post } = await startOrganization()
  for (const [label, expires] of [
    ['sort b', '2026-03-01'],
    ['sort a', ''],
    ['sort c', '2026-02-01'],
  ])
    await post(`${at}/keys`, { label: label ?? '', holder: '', expires: expires ?? '', client: 'continue' })
  const sorted = async (sort: string) =>
    [...(await get(`${at}/keys?sort=${sort}`)).text.matchAll(/<bdi>(sort .)<\/bdi>/g)].map(([, label]) => label)
  expect(await sorted('label')).toEqual(['sort a', 'sort b', 'sort c'])
  expect(await sorted('-label')).toEqual(['sort c', 'sort b', 'sort a'])
  expect(await sorted('-expires')).toEqual(['sort b', 'sort c', 'sort a'])
  const { text } = await get(`${at}/keys?sort=expires`)
  expect(text).toContain(`aria-sort="ascending"><a class="sort" href="${at}/keys?sort=-expires">Expires`)
  const count = Number(/<h1>Keys <small class="quiet">(\d+)/.exec(text)?.[1])
  expect(count).toBe([...text.matchAll(/<code>svc_/g)].length)
})

test('of more than 1 000 keys the live and new ones are sorted, which is said; the list in its own order has all', async () => {
  const { get, at, service, key, project } = await startOrganization()
  const said = 'Only 1,000 of these keys are sorted: the live ones first, then the newest.'
  const add = (count: number, from = 0) =>
    service.store.control.write(async (tx) => {
      for (let nth = from; nth < from + count; nth++)
        await tx.insert('keys', {
          ...key,
          id: `key-${nth}`,
          digest: `digest ${nth}`,
          label: `key ${nth}`,
          createdAt: nth,
        })
    })
  await add(998)
  expect((await get(`${at}/keys?sort=label`)).text).not.toContain(said)
  await add(1, 998)
  expect(await service.store.control.count('keys', { projectId: project.id })).toBe(1_001)
  const sorted = (await get(`${at}/keys?sort=label`)).text
  expect(sorted).toContain(said)
  expect(sorted).toContain(`<a href="${at}/keys">All are in the list that is not sorted.</a>`)
  const [first, last] = [await get(`${at}/keys`), await get(`${at}/keys?page=21`)]
  expect([first.text.includes(said), last.text.includes('<bdi>key 0</bdi>')]).toEqual([false, true])
})
