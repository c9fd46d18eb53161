import { expect, test } from 'bun:test'
import { startTeam } from './team.ts'

const targetsOn = (text: string) =>
  [...text.matchAll(/<li><a href="([^"]+)"><bdi>([^<]*)<\/bdi><small>(\w+)</g)].map(([, path, label, kind]) => ({
    path,
    label,
    kind,
  }))

test('finds pages, projects and records by what is typed, for those who come from a project its records', async () => {
  const { get, at, save, org } = await startTeam()
  const id = await save('Keys are rotated in spring')
  const other = await org.addProject('Keyboard shop')
  expect(targetsOn((await get(`/console/jump?q=key&from=${at}/records`)).text)).toEqual([
    { path: `${at}/keys`, label: 'Keys', kind: 'Page' },
    { path: `/console/projects/${other.id}`, label: 'Keyboard shop', kind: 'Project' },
    { path: `${at}/records/${id}`, label: 'Keys are rotated in spring', kind: 'Record' },
  ])
  const { text } = await get('/console/jump?q=rotated')
  expect(targetsOn(text)).toEqual([])
  expect(text).toContain('To find records, open their project first.')
  expect(text).toContain('>A project or page</label>')
  expect((await get('/console')).text).toContain('aria-label="Jump to a project or page"')
  expect((await get(`${at}/records`)).text).toContain('aria-label="Jump to a project, record or page"')
  expect(targetsOn((await get(`/console/jump?q=${id}&from=${at}`)).text)).toMatchObject([{ kind: 'Record' }])
})

test('finds the records of an only project from everywhere', async () => {
  const { get, save } = await startTeam()
  const id = await save('Keys are rotated in spring')
  expect((await get('/console')).text).toContain('aria-label="Jump to a project, record or page"')
  expect(targetsOn((await get('/console/jump?q=rotated')).text)).toMatchObject([
    { path: expect.stringContaining(id), kind: 'Record' },
  ])
})

test('shows nobody projects, records and pages that are not theirs', async () => {
  const { get, at, save, org, ben, account, service } = await startTeam()
  await save('The owner drafts about lanterns', { scope: 'draft' })
  const closed = await org.addProject('Lantern factory')
  for (const from of [at, `/console/projects/${closed.id}`, '/console/projects/nonsense', 'x'.repeat(5_000)]) {
    const { status, text } = await ben.get(`/console/jump?q=lantern&from=${from}`)
    expect([status, targetsOn(text)]).toEqual([200, []])
  }
  expect(targetsOn((await ben.get(`/console/jump?q=audit&from=${at}`)).text)).toEqual([])
  expect(targetsOn((await ben.get('/console/jump?q=operator')).text)).toEqual([])
  expect(targetsOn((await get('/console/jump?q=operator')).text)).toMatchObject([{ path: '/console/operator' }])
  await save('Ben sees lanterns')
  await service.store.control.write((tx) =>
    tx.update('accounts', { id: account.id }, { subscribedAt: 1, subscribedUntil: 2 }),
  )
  expect(targetsOn((await ben.get(`/console/jump?q=lantern&from=${at}`)).text)).toEqual([])
})
