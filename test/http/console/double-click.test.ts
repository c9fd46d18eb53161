import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { makeEntryLink } from '../../../src/account/auth/entry-link.ts'
import { inviteMember } from '../../../src/account/organizations/invitation.ts'
import { DAY_MS } from '../../../src/clock.ts'
import { browse, PASSWORD } from './browse.ts'
import { startOrganization } from './organization.ts'
import { fieldsOf, startTeam } from './team.ts'

type Console = Pick<Awaited<ReturnType<typeof startTeam>>, 'get' | 'post'>

/** Opens a page and clicks the button of a form twice. Returns where each click leads to, without the undo's name. */
async function clickTwice({ get, post }: Console, page: string, action: string, more: Record<string, string> = {}) {
  const fields = { ...fieldsOf((await get(page)).text, action), ...more }
  const answers = await Promise.all([post(action, fields), post(action, fields)])
  return [...answers, await post(action, fields)].map(({ status, place, text }) => ({ status, place, text }))
}

/** All the same, and no refusal. */
function expectSame(answers: Awaited<ReturnType<typeof clickTwice>>): void {
  const [first] = answers
  expect(first?.status).toBe(303)
  expect(answers).toEqual(answers.map(() => ({ status: 303, text: '', place: first?.place ?? '' })))
}

test('what was done by one click on a record is done by two, and said once', async () => {
  const running = await startTeam()
  const { at, save, post, get, standing } = running
  const id = await save('The mill grinds rye')
  const page = `${at}/records/${id}`
  for (const act of ['verify', 'unverify', 'forget', 'restore'])
    expectSame(await clickTwice(running, page, `${page}/${act}`))
  expect(await standing(id)).toMatchObject({ status: 'unverified', forgottenAt: null })
  const { place } = await post(`${page}/forget`)
  expectSame(await clickTwice(running, place ?? '', `${page}/restore`))
  expect((await get(page)).text).not.toContain('can be restored')
})

test('what is added, removed or withdrawn by two clicks is added, removed or withdrawn once', async () => {
  const running = await startOrganization()
  const { service, account } = running
  const people = '/console/people'
  expectSame(await clickTwice(running, people, `${people}/departments`, { name: 'Stones' }))
  const [stones] = await service.store.control.list('departments', { accountId: account.id })
  expectSame(await clickTwice(running, people, `${people}/departments/remove`, { department: stones?.id ?? '' }))
  await running.post(`${people}/invitations`, { email: 'bob@example.org', role: 'member', days: '7' })
  expectSame(await clickTwice(running, people, `${people}/invitations/withdraw`))
  expectSame(await clickTwice(running, '/console', '/console/projects', { name: 'barn' }))
  expect(await service.store.control.count('projects', { name: 'barn' })).toBe(1)
  const wiki = { slug: 'wiki', url: 'https://mcp.example.org/a', mode: 'read-only' }
  expectSame(await clickTwice(running, '/console/integrations', '/console/integrations', wiki))
})

test('who joins, or chooses a password, by two clicks is in, and not told that the link does not work', async () => {
  const { service, account, url, member } = await startOrganization()
  const invitation = { account, email: 'bob@example.org', role: 'member', validityMs: DAY_MS } as const
  const { token } = await inviteMember(service, COMMAND_LINE, invitation)
  const link = await makeEntryLink(service, COMMAND_LINE, member)
  for (const path of [`/console/join/${token}`, `/console/enter/${link}`]) {
    const browser = browse(url)
    const join = () => browser.post(path, { name: 'Bob', password: PASSWORD })
    const answers = [...(await Promise.all([join(), join()])), await join()]
    expect(answers.map(({ status, place }) => [status, place])).toEqual(Array(3).fill([303, '/console']))
    expect((await browser.get('/console')).status).toBe(200)
    expect((await browse(url).post(path, { name: 'Bob', password: 'another long password' })).status).toBe(404)
  }
  expect(await service.store.control.count('members', { email: 'bob@example.org' })).toBe(1)
})
