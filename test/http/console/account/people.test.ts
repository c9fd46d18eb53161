import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../../src/account/auth/actor.ts'
import { makeEntryLink } from '../../../../src/account/auth/entry-link.ts'
import { changeMember, removeMember } from '../../../../src/account/organizations/change-member.ts'
import { inviteMember } from '../../../../src/account/organizations/invitation.ts'
import { DAY_MS } from '../../../../src/clock.ts'
import { rejectionOf } from '../../../rejection-of.ts'
import { readControl, readControlText } from '../../../stored-data.ts'
import { browse, PASSWORD, type Page, signedIn } from '../browse.ts'
import { startOrganization } from '../organization.ts'

const PEOPLE = '/console/people'
const NEW_OWNER = 'Only an owner may make, change or remove an owner.'

const linkOn = ({ text }: Page) => /<code class="secret">([^<]*)<\/code>/.exec(text)?.[1] ?? ''

test('invites by a link that is shown once and lets one person in, into a role and a department', async () => {
  const { get, post, service, url, org } = await startOrganization()
  const stones = await org.addDepartment('Stones')
  const wish = { email: 'Bob@example.org', role: 'admin', department: stones.id, days: '3' }
  const invited = await post(`${PEOPLE}/invitations`, wish)
  const link = linkOn(invited)
  expect(invited.headers.get('cache-control')).toBe('no-store')
  expect(link).toStartWith(`${url}/console/join/`)
  const token = link.split('/').at(-1) ?? ''

  const later = await get(PEOPLE)
  expect(later.text).toContain('bob@example.org')
  expect(later.text + (await get('/console/audit')).text).not.toContain(token)
  expect(await readControlText(service.config)).not.toContain(token)

  const bob = browse(url)
  await bob.post(new URL(link).pathname, { name: 'Bob', password: PASSWORD })
  expect((await bob.get(PEOPLE)).text).toContain('Bob')
  expect((await service.store.control.findMembers('bob@example.org', 1))[0]).toMatchObject({
    role: 'admin',
    departmentId: stones.id,
  })
})

test.each([
  [undefined, true],
  ['https://memory.example.org', false],
])(
  'with the public URL %p, invitation and sign-in link are said to open on this machine alone: %p',
  async (publicUrl, isSaid) => {
    const { post, member } = await startOrganization({ config: { publicUrl } })
    const shown = [
      await post(`${PEOPLE}/invitations`, { email: 'bob@example.org', role: 'member', days: '7' }),
      await post(`${PEOPLE}/${member.id}/link`),
    ]
    const note = 'Its address is of this machine alone: set SVC_PUBLIC_URL first for somebody elsewhere.'
    expect(shown.map(({ text }) => [linkOn({ text } as Page) !== '', text.includes(note)])).toEqual([
      [true, isSaid],
      [true, isSaid],
    ])
  },
)

test('withdraws an invitation', async () => {
  const { get, post } = await startOrganization()
  const link = linkOn(await post(`${PEOPLE}/invitations`, { email: 'bob@example.org', role: 'member', days: '7' }))
  expect((await post(`${PEOPLE}/invitations/withdraw`, { address: 'bob@example.org' })).place).toContain(
    'done=invitation.withdrawn',
  )
  expect((await get(new URL(link).pathname)).status).toBe(404)
})

test.each([
  [{ email: 'bob@example.org', days: '31' }, 'at most 30 days'],
  [{ email: 'bob@example.org', days: '' }, 'must be a whole number'],
  [{ email: 'ada@example.org', days: '7' }, 'is already a member'],
  [{ email: 'bob', days: '7' }, 'is not an e-mail address'],
  [{ email: 'bob@example.org', days: '7', role: 'king' }, 'Unknown role'],
  [{ email: 'bob@example.org', days: '7', department: 'none' }, 'No department'],
])('refuses to invite %p and keeps what was typed', async (wrong, reason) => {
  const { post, service, account } = await startOrganization()
  const { status, text } = await post(`${PEOPLE}/invitations`, { role: 'member', ...wrong })
  expect(status).toBe(400)
  expect(text).toContain(reason)
  expect(text).toContain(`value="${wrong.email}"`)
  expect(await service.store.control.list('invitations', { accountId: account.id })).toEqual([])
})

test('makes a link by which a member comes in once; until then their password works', async () => {
  const { get, post, member, url, service } = await startOrganization()
  await signedIn(service, url, member)
  const link = linkOn(await post(`${PEOPLE}/${member.id}/link`))
  const token = link.split('/').at(-1) ?? 'nothing'
  const pages = [await get(`${PEOPLE}/${member.id}`), await get(PEOPLE), await get('/console/audit')]
  expect(pages.map(({ text }) => text).join()).not.toContain(token)
  expect(await readControlText(service.config)).not.toContain(token)
  expect((await browse(url).post('/console/sign-in', { email: member.email, password: PASSWORD })).status).toBe(303)
  const mel = browse(url)
  await mel.post(new URL(link).pathname, { password: 'another long password' })
  expect((await mel.get('/console')).status).toBe(200)
  expect((await mel.get(new URL(link).pathname)).status).toBe(404)
})

test('gives another role and department, and says so in the audit log', async () => {
  const { post, asAdmin, service, account, member, admin, org } = await startOrganization()
  const stones = await org.addDepartment('Stones')
  expect((await asAdmin.post(`${PEOPLE}/${member.id}`, { role: 'member', department: stones.id })).place).toStartWith(
    `${PEOPLE}/${member.id}?done=member.changed&undo=`,
  )
  await post(`${PEOPLE}/${member.id}`, { role: 'owner', department: '' })
  expect((await service.store.control.findMembers(member.id, 1))[0]).toMatchObject({
    role: 'owner',
    departmentId: null,
  })
  const lines = (await service.store.control.listAudit({ accountId: account.id, limit: 3 })).map(({ act, actor }) => [
    act,
    actor,
  ])
  expect(lines[2]).toEqual(['member.move', `member:${admin.id}`])
  expect(lines.slice(0, 2).map(([act]) => act)).toEqual(['member.move', 'member.role'])
})

test('removes a member: their keys and their session are dead at once', async () => {
  const { post, get, asMember, as, held, member } = await startOrganization()
  expect((await get(`${PEOPLE}/${member.id}`)).text).toContain('stop working at once')
  const hasty = await post(`${PEOPLE}/${member.id}/remove`, { typed: 'yes' })
  expect([hasty.status, hasty.text.match(/<input id="typed"[^>]* aria-invalid/)?.length]).toEqual([400, 1])
  await post(`${PEOPLE}/${member.id}/remove`, { typed: member.email })
  expect((await as(held.secret).post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(401)
  expect((await asMember.get('/console')).place).toBe('/console/sign-in')
  expect((await get(`${PEOPLE}/${member.id}`)).status).toBe(404)
  expect((await get(PEOPLE)).text).not.toContain(member.email)
})

test('an account keeps an owner', async () => {
  const { post, owner } = await startOrganization()
  const removed = await post(`${PEOPLE}/${owner.id}/remove`, { typed: owner.email })
  const lowered = await post(`${PEOPLE}/${owner.id}`, { role: 'member' })
  expect([removed.status, lowered.status]).toEqual([400, 400])
  expect(removed.text + lowered.text).toContain('An account keeps at least one owner.')
})

test('who gives up their own role sees the projects that are left to them', async () => {
  const { asAdmin, admin } = await startOrganization()
  expect((await asAdmin.post(`${PEOPLE}/${admin.id}`, { role: 'member' })).place).toBe('/console?done=member.changed')
  expect((await asAdmin.get(PEOPLE)).status).toBe(404)
})

test('an admin makes, changes, removes and links no owner, and raises nobody to one, themselves neither', async () => {
  const { asAdmin, owner, admin, member, service, account } = await startOrganization()
  const own = { email: 'eve@example.org', role: 'owner' as const, validityMs: DAY_MS }
  await inviteMember(service, COMMAND_LINE, { account, ...own })
  // Showing people counts the records of every project, which makes the files of those not used yet.
  await asAdmin.get(PEOPLE)
  const before = await readControl(service.config)
  const tries: [string, Record<string, string>][] = [
    [`${PEOPLE}/${admin.id}`, { role: 'owner' }],
    [`${PEOPLE}/${member.id}`, { role: 'owner' }],
    [`${PEOPLE}/${owner.id}`, { role: 'member' }],
    [`${PEOPLE}/${owner.id}`, { role: 'owner', department: '' }],
    [`${PEOPLE}/${owner.email}/link`, {}],
    [`${PEOPLE}/${owner.id}/link`, {}],
    [`${PEOPLE}/${owner.id}/remove`, { typed: owner.email }],
    [`${PEOPLE}/invitations`, { email: 'new@example.org', role: 'owner', days: '7' }],
    [`${PEOPLE}/invitations`, { email: ' EVE@example.org', role: 'member', days: '7' }],
    [`${PEOPLE}/invitations/withdraw`, { address: 'eve@example.org' }],
  ]
  for (const [path, form] of tries) {
    const { status, text } = await asAdmin.post(path, form)
    expect({ path, status, said: text.includes(NEW_OWNER) }).toEqual({ path, status: 400, said: true })
  }
  expect(await readControl(service.config)).toEqual(before)
  const { text } = await asAdmin.get(`${PEOPLE}/${owner.id}`)
  expect(text).toContain('Only an owner may change an owner.')
  expect(text).not.toContain(`${owner.id}/link`)
  expect((await asAdmin.get(PEOPLE)).text).not.toContain('value="owner"')
})

test('a link made for a member opens nothing once they are more than that', async () => {
  const { asAdmin, post, member, url } = await startOrganization()
  const link = linkOn(await asAdmin.post(`${PEOPLE}/${member.id}/link`))
  await post(`${PEOPLE}/${member.id}`, { role: 'owner' })
  expect((await browse(url).post(new URL(link).pathname, { password: PASSWORD })).status).toBe(404)
})

test.each(['removed', 'demoted'])('links and invitations made by somebody who is %s let nobody in', async (fate) => {
  const { asAdmin, post, admin, member, url } = await startOrganization()
  const invitation = { email: 'new@example.org', role: 'admin', department: '', days: '30' }
  const made = [
    await asAdmin.post(`${PEOPLE}/${member.id}/link`),
    await asAdmin.post(`${PEOPLE}/invitations`, invitation),
  ]
  const kept = await post(`${PEOPLE}/invitations`, { ...invitation, email: 'kept@example.org' })
  await post(`${PEOPLE}/${admin.id}${fate === 'removed' ? '/remove' : ''}`, {
    role: 'member',
    department: '',
    typed: admin.email,
  })
  const statuses = await Promise.all(
    [...made, kept].map(async (page) => (await browse(url).get(new URL(linkOn(page)).pathname)).status),
  )
  expect(statuses).toEqual([404, 404, 200])
})

test('who was given another role meanwhile is not changed by what was allowed before', async () => {
  const { service, member } = await startOrganization()
  await changeMember(service, COMMAND_LINE, { member, role: 'owner' })
  const meanwhile = `the role of '${member.email}' was changed meanwhile; look again`
  expect(await rejectionOf(changeMember(service, COMMAND_LINE, { member, role: 'admin' }))).toContain(meanwhile)
  expect(await rejectionOf(removeMember(service, COMMAND_LINE, member))).toContain(meanwhile)
  expect(await rejectionOf(makeEntryLink(service, COMMAND_LINE, member))).toContain(meanwhile)
})

test('adds, renames and removes departments; one that has members stays', async () => {
  const { get, post, service, account, member } = await startOrganization()
  await post(`${PEOPLE}/departments`, { name: 'Stones' })
  expect((await post(`${PEOPLE}/departments`, { name: 'Stones' })).text).toContain(
    'There is already a department &#x27;Stones&#x27;.',
  )
  const [stones] = await service.store.control.list('departments', { accountId: account.id })
  const id = stones?.id ?? ''
  await post(`${PEOPLE}/departments/rename`, { which: id, to: 'Water' })
  await post(`${PEOPLE}/${member.id}`, { role: 'member', department: id })
  expect((await get(PEOPLE)).text).toMatch(/Water<\/bdi><\/td><td data-label="Members" class="number">1</)
  expect((await post(`${PEOPLE}/departments/remove`, { department: id })).text).toContain('still has members')
  await post(`${PEOPLE}/${member.id}`, { role: 'member', department: '' })
  expect((await post(`${PEOPLE}/departments/remove`, { department: id })).place).toContain('done=department.removed')
  expect(await service.store.control.list('departments', { accountId: account.id })).toEqual([])
})

test('does not show whether somebody of another account is there', async () => {
  const { get, post, stranger, service } = await startOrganization()
  await makeEntryLink(service, COMMAND_LINE, stranger)
  const pages = [await get(`${PEOPLE}/${stranger.id}`), await get(`${PEOPLE}/nobody`)]
  expect(pages.map(({ status }) => status)).toEqual([404, 404])
  expect(pages[0]?.text.replaceAll(stranger.id, 'nobody')).toBe(pages[1]?.text)
  expect((await post(`${PEOPLE}/${stranger.id}/link`)).text).not.toContain('class="secret"')
})

const recordsOf = ({ text }: Page, name: string) => {
  const row = text.split('<tr>').find((one) => one.includes(`<bdi>${name}</bdi></a>`)) ?? ''
  return [...row.matchAll(/data-label="(?:Unverified|Verified|Superseded)"[^>]*>(?:<a [^>]*>)?(\d+)/g)].map(
    ([, count]) => Number(count),
  )
}

test('shows of everybody when they were last seen, their keys, projects, and records by state', async () => {
  const { get, post, at, as, held, member, org } = await startOrganization()
  const mel = as(held.secret)
  const saved = await mel.call('remember', { content: 'The well is deep', fact_key: 'well' })
  await mel.call('remember', { content: 'The pump is old' })
  await post(`${at}/records/${(saved.structured?.result as { id: string } | undefined)?.id}/verify`)
  const list = await get(PEOPLE)
  expect(recordsOf(list, 'Mel')).toEqual([1, 1, 0])
  expect(recordsOf(list, 'Ada')).toEqual([0, 0, 0])
  const row = list.text.split('<tr>').find((one) => one.includes('<bdi>Mel</bdi></a>'))
  expect(row).toContain('data-label="Projects" class="number">1<')
  expect(row).toContain('data-label="Keys" class="number">1<')
  expect(row).toMatch(/data-label="Last seen"><time/)
  const { text } = await get(`${PEOPLE}/${member.id}`)
  expect(text).toContain(`${at}/records?author=Mel&amp;status=verified">1</a>`)
  expect(text).toContain(`/keys/${held.key.id}"><bdi>Mel’s laptop</bdi>`)
  expect(text).toMatch(/<dt>Last seen<\/dt><dd><time/)
  const bo = await org.addMember('Bo')
  expect((await get(`${PEOPLE}/${bo.id}`)).text).toContain('<dt>Last seen</dt><dd>never</dd>')
})

test('drafts of others are in no count, not even of an owner', async () => {
  const { get, as, held, member } = await startOrganization()
  await as(held.secret).call('remember', { content: 'A thought of Mel', scope: 'draft' })
  expect(recordsOf(await get(PEOPLE), 'Mel')).toEqual([0, 0, 0])
  const { text } = await get(`${PEOPLE}/${member.id}`)
  expect(text).toContain('you see 0 records')
  expect(text).not.toContain('status=unverified')
})

test('sorts people by what a heading says, and says how they are sorted', async () => {
  const { get } = await startOrganization()
  const namesOn = async (query: string) =>
    [...(await get(`${PEOPLE}${query}`)).text.matchAll(/people\/[\w-]{36}"><bdi>([^<]*)/g)].map(([, name]) => name)
  const up = await namesOn('?sort=name')
  expect(up).toEqual(up.toSorted())
  expect(await namesOn('?sort=-name')).toEqual(up.toReversed())
  expect((await get(`${PEOPLE}?sort=-name`)).text).toContain(
    'aria-sort="descending"><a class="sort" href="/console/people?sort=name">Name',
  )
  expect((await namesOn('?sort=-keys')).at(-1)).toBe('Ada')
})

test('says what ends before somebody is removed; their records are found by their name afterwards', async () => {
  const { get, post, at, as, held, member } = await startOrganization()
  await as(held.secret).call('remember', { content: 'The well is deep' })
  const before = await get(`${PEOPLE}/${member.id}`)
  expect(before.text).toContain('1 key and 1 session stop working at once.')
  expect(before.text).toContain('you see 1 record in')
  await post(`${PEOPLE}/${member.id}/remove`, { typed: member.email })
  const link = /<bdi>Mel<\/bdi>[\s\S]*?href="([^"]*records\?author=Mel)"><bdi>[^<]*<\/bdi>: 1</.exec(
    (await get(PEOPLE)).text,
  )?.[1]
  expect(link).toBe(`${at}/records?author=Mel`)
  expect((await get(link ?? '')).text).toContain('The well is deep')
})

test('one key stops, several things stop', async () => {
  const { get, org } = await startOrganization()
  const al = await org.addMember('Al')
  const said = async () => (await get(`${PEOPLE}/${al.id}`)).text
  expect(await said()).toContain('They have no key, connection or session now.')
  await org.issueKey({ label: 'Al’s laptop', member: al })
  expect(await said()).toContain('<p>1 key stops working at once.')
  await org.issueKey({ label: 'Al’s desk', member: al })
  expect(await said()).toContain('<p>2 keys stop working at once.')
})

test('an invitation opens projects, those of the inviter unless that is changed; who joins begins in the first', async () => {
  const { get, post, service, url, at, project, closed, account } = await startOrganization()
  const box = (id: string) => new RegExp(`value="${id}"( checked)?`).exec(text)?.[1]
  const { text } = await get(PEOPLE)
  expect([box(project.id), box(closed.id)]).toEqual([' checked', undefined])
  const form = { email: 'bob@example.org', role: 'member', days: '7', project: project.id }
  const bob = browse(url)
  const joined = await bob.post(new URL(linkOn(await post(`${PEOPLE}/invitations`, form))).pathname, {
    name: 'Bob',
    password: PASSWORD,
  })
  expect(joined.place).toBe(`${at}/start`)
  expect((await bob.get(`${at}/start`)).text).toContain('Issue a key for it')
  expect((await bob.get(`/console/projects/${closed.id}/records`)).status).toBe(404)
  const [first] = await service.store.control.listAudit({ accountId: account.id, act: 'member.join', limit: 1 })
  expect(first?.details).toMatchObject({ projects: project.id })
})

test('an invitation opens no project of another account, and none that was removed meanwhile', async () => {
  const { post, url, strange, closed } = await startOrganization()
  const form = { email: 'bob@example.org', role: 'member', days: '7' }
  expect((await post(`${PEOPLE}/invitations`, { ...form, project: strange.id })).status).toBe(400)
  const link = linkOn(await post(`${PEOPLE}/invitations`, { ...form, project: closed.id }))
  await post(`/console/projects/${closed.id}/settings/remove`, { typed: closed.name })
  const { place } = await browse(url).post(new URL(link).pathname, { name: 'Bob', password: PASSWORD })
  expect(place).toBe('/console')
})

test('of more than 50 removed people the last are shown, which is said', async () => {
  const { asAdmin, service, member } = await startOrganization()
  const add = (count: number, from = 0) =>
    service.store.control.write((tx) =>
      tx.insert(
        'members',
        Array.from({ length: count }, (_, at) => {
          const nth = from + at
          return { ...member, id: `gone-${nth}`, name: `Gone ${nth}`, email: `${nth}@example.org`, removedAt: nth + 1 }
        }),
      ),
    )
  const read = async () => {
    const { text } = await asAdmin.get(PEOPLE)
    return ['>Gone 0<', '>Gone 50<', 'The 50 removed last are shown'].map((part) => text.includes(part))
  }
  await add(50)
  expect(await read()).toEqual([true, false, false])
  await add(1, 50)
  expect(await read()).toEqual([false, true, true])
})
