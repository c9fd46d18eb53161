import { expect, test } from 'bun:test'
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
