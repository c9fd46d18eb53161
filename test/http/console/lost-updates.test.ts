import { expect, test } from 'bun:test'
import { startUpstream, tool } from '../../gateway/upstreams.ts'
import { startOrganization } from './organization.ts'
import { startTeam } from './team.ts'

/** What a browser would post of the form of a page with this path, unless somebody changes it. */
async function formOf({ text }: { text: string }, action: string): Promise<URLSearchParams> {
  const fields = new URLSearchParams()
  const form = `form[action="${action}"]`
  let area = ''
  let select = ''
  await new HTMLRewriter()
    .on(`${form} input[name]`, {
      element: (input) => {
        const isPosted = input.getAttribute('type') !== 'checkbox' || input.hasAttribute('checked')
        if (isPosted) fields.append(input.getAttribute('name') ?? '', input.getAttribute('value') ?? '')
      },
    })
    .on(`${form} textarea`, {
      element: (element) => {
        area = element.getAttribute('name') ?? ''
        fields.set(area, '')
      },
      text: (part) => fields.set(area, (fields.get(area) + part.text).replace(/^\n/, '')),
    })
    .on(`${form} select`, {
      element: (element) => {
        select = element.getAttribute('name') ?? ''
      },
    })
    .on(`${form} option[selected]`, { element: (option) => fields.set(select, option.getAttribute('value') ?? '') })
    .transform(new Response(text))
    .text()
  return fields
}

type Visitor = Pick<Awaited<ReturnType<typeof startOrganization>>, 'get' | 'postText'>

/** Two people open a page; then each posts its form with a change of their own, and the second undoes theirs. */
async function changeBoth(
  [first, second]: [Visitor, Visitor],
  page: string,
  action: string,
  changes: [change: (form: URLSearchParams) => void, change: (form: URLSearchParams) => void],
) {
  const forms = [await formOf(await first.get(page), action), await formOf(await second.get(page), action)]
  const places: (string | null)[] = []
  for (const [at, visitor] of [first, second].entries()) {
    const form = forms[at] ?? new URLSearchParams()
    changes[at]?.(form)
    places.push((await visitor.postText(action, form.toString())).place)
  }
  const undo = new URL(places[1] ?? '', 'http://x').searchParams.get('undo') ?? ''
  return () => second.postText(action, new URLSearchParams({ undo, back: '' }).toString())
}

const setting = (name: string, value: string) => (form: URLSearchParams) => form.set(name, value)

test('switches of two admins who opened the page at once both stand, and an undo takes back its own alone', async () => {
  const upstream = startUpstream({ 'tools/list': () => ({ tools: ['a', 'b', 'c'].map((name) => tool(name)) }) })
  const running = await startOrganization()
  const { asAdmin, service, account } = running
  await asAdmin.post('/console/integrations', { slug: 'wiki', url: upstream.url, mode: 'read-only' })
  await asAdmin.post('/console/integrations/wiki/test')
  const picks = async () => (await service.store.control.list('integrations', { accountId: account.id }))[0]?.tools
  const page = '/console/integrations/wiki'
  const undo = await changeBoth([running, asAdmin], page, `${page}/tools`, [
    (form) => form.delete('tool', 'a'),
    (form) => form.delete('tool', 'b'),
  ])
  expect(await picks()).toEqual(['c'])
  await undo()
  expect(await picks()).toEqual(['b', 'c'])
})

test('settings of an integration: each changes what they changed, and nothing that they only saw', async () => {
  const running = await startOrganization()
  const { asAdmin, service } = running
  await asAdmin.post('/console/integrations', { slug: 'wiki', url: 'https://mcp.example.org/a', mode: 'read-only' })
  const read = async () => (await service.store.control.list('integrations', {}))[0]
  const page = '/console/integrations/wiki'
  const undo = await changeBoth([running, asAdmin], page, `${page}/settings`, [
    setting('mode', 'read-write'),
    setting('timeout', '90'),
  ])
  expect(await read()).toMatchObject({ mode: 'read-write', timeoutMs: 90_000 })
  await undo()
  expect(await read()).toMatchObject({ mode: 'read-write', timeoutMs: 300_000 })
})

test('a credential is not stored for another server than the page named', async () => {
  const running = await startOrganization()
  const { asAdmin, service } = running
  await asAdmin.post('/console/integrations', { slug: 'wiki', url: 'https://mcp.example.org/a', mode: 'read-only' })
  const page = '/console/integrations/wiki'
  const form = await formOf(await running.get(page), `${page}/settings`)
  await asAdmin.post(`${page}/settings`, { url: 'https://127.0.0.1/b' })
  const moved = await service.store.control.list('integrations', {})
  form.set('credential', 'secret of mcp.example.org')
  const refused = await running.postText(`${page}/settings`, form.toString())
  expect([refused.status, refused.text.includes('Somebody changed the address since this page was made')]).toEqual([
    400,
    true,
  ])
  expect(moved).toMatchObject([{ url: 'https://127.0.0.1/b' }])
  expect(await service.store.control.list('integrations', {})).toEqual(moved)
})

test('who moves a person to a department does not give back the role that another took from them', async () => {
  const running = await startOrganization()
  const { asAdmin, member, org, service } = running
  const stones = await org.addDepartment('Stones')
  const page = `/console/people/${member.id}`
  const read = async () => service.store.control.find('members', { id: member.id })
  await running.post(page, { role: 'admin' })
  const undo = await changeBoth([running, asAdmin], page, page, [
    setting('role', 'member'),
    setting('department', stones.id),
  ])
  expect(await read()).toMatchObject({ role: 'member', departmentId: stones.id })
  await undo()
  expect(await read()).toMatchObject({ role: 'member', departmentId: null })
})

test('limits and subscription of an account are changed one by one', async () => {
  const running = await startOrganization()
  const { elsewhere, service, again } = running
  const page = `/console/operator/accounts/${elsewhere.id}`
  const other = await again()
  const read = async () => service.store.control.find('accounts', { id: elsewhere.id })
  const undo = await changeBoth([running, other], page, `${page}/limits`, [
    setting('records', '7'),
    setting('callsPerKey', '8'),
  ])
  expect((await read())?.limits).toEqual({ records: 7, callsPerKey: 8 })
  await undo()
  expect((await read())?.limits).toEqual({ records: 7 })
  await changeBoth([running, other], page, `${page}/subscription`, [
    setting('plan', 'team'),
    setting('until', '2027-01-01'),
  ])
  expect(await read()).toMatchObject({ plan: 'team', subscribedUntil: Date.UTC(2027, 0, 1) })
})

test('a tab of one’s own profile that is out of date does not ask for the old address again', async () => {
  const running = await startOrganization()
  const { member, asMember, service } = running
  const form = await formOf(await asMember.get('/console/me'), '/console/me')
  await service.store.control.write((tx) => tx.update('members', { id: member.id }, { email: 'new@example.org' }))
  form.set('name', 'Melanie')
  await asMember.postText('/console/me', form.toString())
  expect(await service.store.control.find('members', { id: member.id })).toMatchObject({
    name: 'Melanie',
    email: 'new@example.org',
  })
  expect(await service.store.control.count('emailChanges', { memberId: member.id })).toBe(0)
})

test('phrases and expiry of a record: what two people change while both edit it stands', async () => {
  const running = await startTeam()
  const { at, ben, save, memory } = running
  const id = await save('The mill grinds rye', { asked_as: ['which grain', 'what is ground'] })
  const page = `${at}/records/${id}/edit`
  const read = async () => {
    const found = await memory.findRecord(undefined, id)
    return [found?.askedAs, found?.expiresAt]
  }
  const undo = await changeBoth([running, ben], page, page, [
    (form) => {
      form.set('asked_as', 'which grain\r\nwhich corn')
      form.set('expires_at', '2027-01-01')
    },
    setting('asked_as', 'which grain\r\nwhat is ground\r\nwhich flour'),
  ])
  expect(await read()).toEqual(['which grain\nwhich flour\nwhich corn', Date.UTC(2027, 0, 1)])
  await undo()
  expect(await read()).toEqual(['which grain\nwhich corn', Date.UTC(2027, 0, 1)])
})
