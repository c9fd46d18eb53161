import { expect, test } from 'bun:test'
import { issueKey, revokeKey, rotateKey } from '../../src/account/keys/key.ts'

import { toActor } from '../builders/organization.ts'
import { startOrganization } from '../http/console/organization.ts'
import { rejectionOf } from '../rejection-of.ts'

const MINUTE = 60_000

test('a member posts sixty forms a minute, whatever the form and the session; what was typed beyond is not lost', async () => {
  const { asMember, at, pass, post, service, member } = await startOrganization()
  for (let time = 0; time < 30; time++) {
    expect((await asMember.post(`${at}/guard/explain`, { text: 'a note' })).status).toBe(200)
    expect((await asMember.post('/console/me', { name: 'Mel', email: member.email })).status).toBe(303)
  }
  const typed = { text: 'a long <text>\r\nof two lines', why: 'needed', password: 'not to be seen' }
  const refused = await asMember.post(`${at}/guard/explain`, typed)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(refused.text).toContain(`<form method="post" action="${at}/guard/explain">`)
  expect(refused.text).toContain('name="text" value="a long &lt;text&gt;\r\nof two lines"')
  expect(refused.text).not.toContain('not to be seen')
  expect((await asMember.post('/console/me', { name: 'Another', email: member.email })).status).toBe(429)
  expect((await service.store.control.findMembers(member.id, 1))[0]).toMatchObject({ name: 'Mel' })

  expect((await post(`${at}/guard/explain`, { text: 'a note of the owner' })).status).toBe(200)
  pass(MINUTE)
  expect((await asMember.post(`${at}/guard/explain`, typed)).status).toBe(200)
})

test('whoever uses up the forms with a stolen session keeps nobody from ending it', async () => {
  const { asMember, at } = await startOrganization()
  for (let time = 0; time < 61; time++) await asMember.post(`${at}/guard/explain`, { text: 'a note' })
  expect((await asMember.post('/console/me/sessions')).place).toBe('/console/sign-in?done=sessions.ended')
})

test('a member holds a bounded number of keys of a project', async () => {
  const { service, project, member } = await startOrganization()
  const actor = await toActor(service, member)
  await Promise.all(Array.from({ length: 199 }, () => issueKey(service, actor, { project, member })))
  expect(await rejectionOf(issueKey(service, actor, { project, member }))).toContain(
    'a member holds at most 200 keys of a project; revoke some first',
  )
})

test('a member does not come by more keys by rotating them while the old ones still work', async () => {
  const { service, project, member } = await startOrganization()
  const actor = await toActor(service, member)
  const issued = await Promise.all(Array.from({ length: 199 }, () => issueKey(service, actor, { project, member })))
  const key = issued[0]?.key
  if (key === undefined) throw new Error('no key was issued')
  expect(await rejectionOf(rotateKey(service, actor, { key, overlapMs: MINUTE }))).toContain(
    'a member holds at most 200 keys of a project; revoke some first',
  )
  await rotateKey(service, actor, { key, overlapMs: 0 })
  expect(
    await service.store.control.count('keys', {
      memberId: member.id,
      projectId: project.id,
      revokedAt: null,
      expiresAt: { after: service.clock.now() },
    }),
  ).toBe(200)
})

test('a form with a file has no more fields than another', async () => {
  const { url, at, cookie } = await startOrganization()
  const form = new FormData()
  for (let field = 0; field < 1_001; field++) form.append('a', '')
  const headers = { cookie: cookie() ?? '', origin: url }
  const response = await fetch(new URL(`${at}/import`, url), { method: 'POST', body: form, headers })
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('The form has too many fields.'),
  ])
})

test('keys that are revoked make no page longer: those that open the project come first, fifty at a time', async () => {
  const { service, project, member, asMember, at } = await startOrganization()
  const actor = await toActor(service, member)
  const issued = await Promise.all(
    Array.from({ length: 120 }, (_, n) => issueKey(service, actor, { project, member, label: `key ${n}` })),
  )
  await Promise.all(issued.slice(0, 110).map(({ key }) => revokeKey(service, actor, key)))
  const seen: string[][] = []
  for (let path: string | undefined = `${at}/keys`; path !== undefined; ) {
    const { text } = await asMember.get(path)
    seen.push(
      [...text.matchAll(/data-label="State"[^>]*><span class="badge \w+">(\w+)/g)].map(([, state = '']) => state),
    )
    path = /<p class="older"><a href="([^"]+)"/.exec(text)?.[1]
  }
  expect(seen.map(({ length }) => length)).toEqual([50, 50, 21])
  expect(seen.flat()).toEqual([...Array(11).fill('active'), ...Array(110).fill('revoked')])
})
