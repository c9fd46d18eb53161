import { expect, test } from 'bun:test'
import { startOrganization } from './organization.ts'

const row = (text: string, name: string) =>
  text
    .split('<tr>')
    .slice(1)
    .find((part) => part.includes(`>${name}</bdi>`)) ?? ''

test('a project that is opened to a member is theirs to read and to issue keys for, until it is closed', async () => {
  const { asAdmin, asMember, member, closed, service, as } = await startOrganization()
  const [person, at] = [`/console/people/${member.id}`, `/console/projects/${closed.id}`]
  expect((await asMember.get(at)).status).toBe(404)
  expect(row((await asAdmin.get(person)).text, 'closed')).toContain('>no<')
  const opened = await asAdmin.post(`${person}/projects`, { project: closed.id, open: 'yes' })
  expect(opened.place).toStartWith(`${person}?done=project.opened`)
  expect((await asMember.get('/console')).text).toContain(`href="${at}"`)
  const [, secret = ''] =
    /(svc_[0-9A-Za-z]{36})/.exec((await asMember.post(`${at}/keys`, { label: 'mine' })).text) ?? []
  expect((await as(secret).call('remember', { content: 'The gate is painted green' })).isError).toBe(false)
  expect(row((await asAdmin.get(person)).text, 'closed')).toContain('by a key they hold')

  await asAdmin.post(`${person}/projects`, { project: closed.id, open: 'no' })
  expect((await asMember.get(`${at}/keys`)).status).toBe(200)
  const [own] = (await service.store.control.list('keys', { projectId: closed.id })).map(({ id }) => id)
  await asMember.post(`${at}/keys/${own}/revoke`)
  expect((await asMember.get(`${at}/keys`)).status).toBe(404)
  const acts = (await service.store.control.listAudit({ limit: 50 })).map(({ act }) => act)
  expect(acts.filter((act) => act.startsWith('project.'))).toEqual(
    expect.arrayContaining(['project.open', 'project.close']),
  )
})

test('nobody opens a project of another account, or to somebody of one', async () => {
  const { asAdmin, asStranger, member, stranger, strange, project } = await startOrganization()
  const open = { open: 'yes' }
  expect((await asAdmin.post(`/console/people/${member.id}/projects`, { project: strange.id, ...open })).status).toBe(
    400,
  )
  expect((await asAdmin.post(`/console/people/${stranger.id}/projects`, { project: project.id, ...open })).status).toBe(
    400,
  )
  expect(
    (await asStranger.post(`/console/people/${member.id}/projects`, { project: strange.id, ...open })).status,
  ).toBe(400)
})
