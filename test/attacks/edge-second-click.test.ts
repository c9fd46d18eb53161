import { expect, test } from 'bun:test'
import { browse, formOn, inSession, PASSWORD, type Page } from '../http/console/browse.ts'
import { startOrganization } from '../http/console/organization.ts'

const PEOPLE = '/console/people'
const linkOn = ({ text }: Page) =>
  new URL(/http:\/\/[^\s<"]+\/console\/(?:enter|join)\/[\w-]+/.exec(text)?.[0] ?? '').pathname
const keyOn = ({ text }: Page) => /svc_[A-Za-z0-9]{20,}/.exec(text)?.[0] ?? ''

test('what a form showed once is shown again to the session that sent it, and to no other', async () => {
  const { at, get, post, service, url, owner } = await startOrganization()
  const form = formOn(await get(`${at}/keys`))
  const shown = keyOn(await post(`${at}/keys`, { label: 'laptop', form }))
  expect(keyOn(await post(`${at}/keys`, { label: 'laptop', form }))).toBe(shown)
  const elsewhere = await inSession(service, url, owner)
  expect(keyOn(await elsewhere.post(`${at}/keys`, { label: 'laptop', form }))).not.toBe(shown)
})

test('a form that was shown anew makes anew, and so does one that does not say which it is', async () => {
  const { at, get, post } = await startOrganization()
  const made = []
  for (const form of [formOn(await get(`${at}/keys`)), formOn(await get(`${at}/keys`)), '', ''])
    made.push(keyOn(await post(`${at}/keys`, { label: 'laptop', form })))
  expect(new Set(made).size).toBe(4)
})

test('a link that was used is dead, and asking for one again makes another', async () => {
  const { get, post, member, url } = await startOrganization()
  const page = `${PEOPLE}/${member.id}`
  const link = linkOn(await post(`${page}/link`, { form: formOn(await get(page)) }))
  expect((await browse(url).post(link, { password: PASSWORD })).status).toBe(303)
  for (const again of [await browse(url).get(link), await browse(url).post(link, { password: `${PASSWORD} another` })])
    expect(again.status).toBe(404)
  const next = linkOn(await post(`${page}/link`, { form: formOn(await get(page)) }))
  expect(next).not.toBe(link)
  expect((await browse(url).get(next)).status).toBe(200)
})
