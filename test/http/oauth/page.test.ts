import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { revokeKey } from '../../../src/account/keys/key.ts'
import { startService } from '../../start-service.ts'
import { CALLBACK, connectTo, makePkce, readPageForm } from './flow.ts'

const MINUTE = 60_000

async function startPage(metadata: Record<string, unknown> = {}) {
  const running = await startService()
  const flow = connectTo(running.url)
  const { client_id } = (await flow.register(metadata)).body
  const asked = { client_id, code_challenge: makePkce().challenge }
  return { ...running, ...flow, client_id, asked }
}

test('says who asks, for which service, and where the answer goes', async () => {
  const { visit, asked, url } = await startPage()
  const text = await (await visit(asked)).text()
  expect(text).toContain('<h1><bdi>Assistant</bdi> wants to connect</h1>')
  expect(text).toContain('the name it gives itself, not verified')
  expect(text).toContain('<dd>assistant.example</dd>')
  expect(text).toContain(`<strong>${new URL(url).host}</strong>`)
})

test('takes the key in a field that hides it, with a label, and needs no script', async () => {
  const { visit, asked } = await startPage()
  const text = await (await visit(asked)).text()
  expect(text).toMatch(/<label for="key">/)
  expect(text).toMatch(/<input id="key" name="key" type="password" required/)
  expect(text).not.toContain('<script')
  expect(text).toContain('<html lang="en">')
})

test('is in no frame, runs no script, is kept by nobody, and sends the key nowhere else', async () => {
  const { visit, enter, asked, secret } = await startPage()
  const first = await visit(asked)
  const policy = (page: Response) => page.headers.get('content-security-policy')
  expect(policy(first)).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
  const second = await enter(first, secret)
  expect(policy(second)).toContain("form-action 'self' https:;")
  for (const { headers } of [first, second]) {
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test.each([
  ['http://localhost:6274/callback', "'self' https: http://localhost:6274;"],
  ['http://[::1]:6274/callback', "'self' https: http:;"],
  ['cursor://anysphere.cursor-mcp/oauth/callback', "'self' https: cursor:;"],
])('lets the form lead back to %s', async (redirect_uri, sources) => {
  const { visit, enter, asked, secret } = await startPage({ redirect_uris: [redirect_uri] })
  const page = await enter(await visit({ ...asked, redirect_uri }), secret)
  expect(page.headers.get('content-security-policy')).toContain(`form-action ${sources}`)
})

test('shows a name as text only, without what hides or turns it', async () => {
  const { visit, enter, asked, secret } = await startPage({
    client_name: `<b onclick="x">\u202eBank\u0007</b> &amp; ${'y'.repeat(200)}`,
  })
  const pages = [await (await visit(asked)).text(), await (await enter(await visit(asked), secret)).text()]
  for (const text of pages) {
    expect(text).toContain('&lt;b onclick=&quot;x&quot;&gt;Bank&lt;/b&gt; &amp;amp; yyy')
    expect(text).not.toContain('<b onclick')
    expect(text).not.toContain('y'.repeat(80))
  }
})

test('shows what the key opens and for how long, after the key', async () => {
  const { visit, enter, asked, secret, key } = await startPage()
  const page = await enter(await visit(asked), `  ${secret}\n`)
  expect(page.status).toBe(200)
  const text = await page.text()
  expect(text).toContain('<dt>Account</dt><dd>default</dd>')
  expect(text).toContain('<dt>Project</dt><dd>default</dd>')
  expect(text).toContain(`svc_${key.shown}…`)
  expect(text).toContain('14 February 2026<small>30 days')
  expect(text).not.toContain(secret)
})

test('says the same of every key that opens nothing', async () => {
  const { visit, enter, asked, secret, service, project, owner, org } = await startPage()
  const make = () => org.issueKey({ member: owner, expiresAt: service.clock.now() + 1 })
  const [revoked, expired] = [await make(), await make()]
  await revokeKey(service, COMMAND_LINE, revoked.key)
  await service.store.control.write((tx) =>
    tx.update('keys', { id: expired.key.id }, { expiresAt: service.clock.now() }),
  )
  const form = await (await visit(asked)).text()
  const pages: string[] = []
  for (const wrong of [
    revoked.secret,
    expired.secret,
    secret.slice(0, -1),
    `${secret.slice(0, -1)}~`,
    'svc_',
    'x',
    '',
    'svo_x',
  ]) {
    const page = await enter(form, wrong)
    expect(page.status).toBe(403)
    pages.push(await page.text())
  }
  expect(new Set(pages).size).toBe(1)
  expect(pages[0]).toContain('role="alert">This key was not accepted;')
  expect(pages[0]).toMatch(/aria-describedby="key-fault key-hint" aria-invalid="true" autofocus/)
  await service.store.control.write((tx) => tx.update('accounts', { id: project.accountId }, { suspendedAt: 1 }))
  expect(await (await enter(form, secret)).text()).toBe(pages[0] ?? '')
})

test('lets one address try 10 keys a minute, and then none, not even a right one', async () => {
  const { visit, enter, asked, secret, pass, service } = await startPage()
  const form = await (await visit(asked)).text()
  for (let time = 0; time < 10; time++) expect((await enter(form, `svc_wrong${time}`)).status).toBe(403)
  const refused = await enter(form, secret)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await refused.text()).toContain('Too many attempts; try again in 60 seconds.')
  pass(MINUTE)
  expect((await enter(form, secret)).status).toBe(200)
  const lines = await service.store.control.listAudit({ act: 'sign-in.fail', limit: 9 })
  expect(lines).toMatchObject([{ outcome: 'refused', via: '127.0.0.1', details: { credential: 'key' } }])
})

test('lets keys that begin alike be tried 5 times a minute, from wherever', async () => {
  const { visit, asked, secret, post, pass } = await startPage()
  const { action, fields } = await readPageForm(await (await visit(asked)).text())
  const from = (last: number, key: string) =>
    post(action, { ...fields, key }, { 'x-forwarded-for': `1.2.3.4, 203.0.113.${last}` })
  const wrong = `${secret.slice(0, 12)}${'x'.repeat(28)}`
  for (let time = 0; time < 5; time++) expect((await from(time, wrong)).status).toBe(403)
  expect((await from(9, secret)).status).toBe(429)
  pass(MINUTE)
  expect((await from(9, secret)).status).toBe(200)
})

test('counts an address by what its proxy says of it, and never by what the client says', async () => {
  const { visit, asked, post } = await startPage()
  const { action, fields } = await readPageForm(await (await visit(asked)).text())
  const from = (forwarded: string) => post(action, { ...fields, key: 'svc_wrong' }, { 'x-forwarded-for': forwarded })
  for (let time = 0; time < 10; time++) await from(`198.51.100.${time}, 203.0.113.7`)
  expect((await from('198.51.100.99, 203.0.113.7')).status).toBe(429)
  expect((await from('203.0.113.8')).status).toBe(403)
  for (let time = 0; time < 10; time++) await from(`2001:db8:1:2::${time}`)
  expect((await from('2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await from('2001:db8:1:3::1')).status).toBe(403)
})

test('takes a form only from its own page', async () => {
  const { visit, enter, asked, secret, post, url } = await startPage()
  const sources: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${url}.evil.example` },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  const { action, fields } = await readPageForm(await (await visit(asked)).text())
  for (const source of sources) {
    const refused = await post(action, { ...fields, key: secret }, source)
    expect(refused.status).toBe(403)
    expect(await refused.text()).not.toContain('ticket')
  }
  const consent = await readPageForm(await (await enter(await visit(asked), secret)).text())
  for (const source of sources) {
    const refused = await post(action, { ...consent.fields, answer: 'allow' }, source)
    expect([refused.status, refused.headers.get('location')]).toEqual([403, null])
  }
  const own = await post(
    action,
    { ...consent.fields, answer: 'allow' },
    { origin: url, 'sec-fetch-site': 'same-origin' },
  )
  expect(own.status).toBe(303)
})

test('tells the application when the person denies, and gives no code', async () => {
  const { visit, enter, decide, asked, secret, url } = await startPage()
  const back = await decide(await enter(await visit(asked), secret), 'deny')
  expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'xyz', iss: url })
  const cancel = /<a class="button" href="([^"]+)">Cancel/
    .exec(await (await visit(asked)).text())?.[1]
    ?.replaceAll('&amp;', '&')
  expect(cancel).toBe(back.href)
})

test('takes an answer once, within 10 minutes, and only to its own question', async () => {
  const { visit, enter, post, asked, secret, pass } = await startPage()
  const ask = async () => readPageForm(await (await enter(await visit(asked), secret)).text())
  const answer = async (fields: Record<string, string>) =>
    (await post('/oauth/authorize', { ...fields, answer: 'allow' })).status
  const first = await ask()
  expect([await answer(first.fields), await answer(first.fields)]).toEqual([303, 400])
  expect(await answer({ ticket: 'x'.repeat(43) })).toBe(400)
  const late = await ask()
  pass(10 * MINUTE)
  expect(await answer(late.fields)).toBe(400)
})

test('what is asked for cannot be changed between the question and the answer', async () => {
  const { visit, enter, post, asked, secret, url } = await startPage()
  const { fields } = await readPageForm(await (await enter(await visit(asked), secret)).text())
  expect(Object.keys(fields)).toEqual(['ticket'])
  const changed = { state: 'forged', redirect_uri: 'https://evil.example', client_id: 'other', code_challenge: 'x' }
  const response = await post('/oauth/authorize', { ...fields, ...changed, answer: 'allow' })
  const back = new URL(response.headers.get('location') ?? '')
  expect(back.origin + back.pathname).toBe(CALLBACK)
  expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['xyz', url])
})

test('what the first form carries is judged anew when it comes back', async () => {
  const { visit, post, asked, secret } = await startPage()
  const { action, fields } = await readPageForm(await (await visit(asked)).text())
  for (const change of [
    { redirect_uri: 'https://evil.example/' },
    { client_id: 'other' },
    { code_challenge_method: 'plain' },
  ]) {
    const page = await post(action, { ...fields, ...change, key: secret })
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(await page.text()).not.toContain('ticket')
  }
})

test.each([
  ['an unknown application', { client_id: 'nobody' }, 'invalid_client'],
  ['no application', { client_id: undefined }, 'invalid_request'],
  ['no redirect', { redirect_uri: undefined }, 'invalid_request'],
  ['a redirect with a suffix', { redirect_uri: `${CALLBACK}/more` }, 'invalid_request'],
  ['a redirect with a query', { redirect_uri: `${CALLBACK}?x=1` }, 'invalid_request'],
  ['a redirect with a fragment', { redirect_uri: `${CALLBACK}#x` }, 'invalid_request'],
  ['a redirect in mixed case', { redirect_uri: 'https://Assistant.example/callback' }, 'invalid_request'],
  ['a redirect with user information', { redirect_uri: 'https://x@assistant.example/callback' }, 'invalid_request'],
  [
    'a redirect to a host that only begins so',
    { redirect_uri: 'https://assistant.example.evil.example/callback' },
    'invalid_request',
  ],
])('refuses %s, with no way back', async (_, change, error) => {
  const { visit, asked } = await startPage()
  const page = await visit({ ...asked, ...change })
  expect([page.status, page.headers.get('location')]).toEqual([400, null])
  const text = await page.text()
  expect(text).toContain(`<code>${error}: `)
  expect(text).not.toContain('href="https:')
})

test.each([
  ['the challenge left out', { code_challenge: undefined }, 'invalid_request'],
  ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['the method left out', { code_challenge_method: undefined }, 'invalid_request'],
  ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['no response type', { response_type: undefined }, 'invalid_request'],
  ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
  ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['a resource that is no address', { resource: 'mcp' }, 'invalid_target'],
  ['a state that is too long', { state: 'x'.repeat(5000) }, 'invalid_request'],
])('refuses %s, and goes back only with the person', async (_, change, error) => {
  const { visit, asked } = await startPage()
  const page = await visit({ ...asked, ...change })
  expect([page.status, page.headers.get('location')]).toEqual([400, null])
  const href = /href="(https:[^"]+)">Return to assistant\.example</.exec(await page.text())?.[1] ?? ''
  expect(href).toStartWith(`${CALLBACK}?error=${error}&amp;`)
})

test('refuses a parameter that is sent twice', async () => {
  const { url, toAuthorizeUrl, asked } = await startPage()
  const twice = await fetch(`${toAuthorizeUrl(asked)}&client_id=other`)
  expect([twice.status, await twice.text()]).toEqual([400, expect.stringContaining('client_id is sent more than once')])
  const resources = await fetch(
    `${toAuthorizeUrl({ ...asked, resource: `${url}/mcp` })}&resource=https://other.example`,
  )
  expect(await resources.text()).toContain('invalid_target')
})

test('lets a program on this machine listen on any port', async () => {
  const { visit, asked } = await startPage({
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1:6274/oauth/callback'],
  })
  const open = async (redirect_uri: string) => (await visit({ ...asked, redirect_uri })).status
  expect(await open('http://localhost:51234/callback')).toBe(200)
  expect(await open('http://127.0.0.1:1/oauth/callback')).toBe(200)
  for (const other of [
    'http://localhost:51234/other',
    'http://127.0.0.1:51234/callback',
    'https://localhost:51234/callback',
    'http://localhost:99999/callback',
    'http://localhost:1/callback#x',
    'http://x@localhost:1/callback',
    'http://localhost:1@evil.example/callback',
    'http://LOCALHOST:1/callback',
  ]) {
    expect(await open(other)).toBe(400)
  }
})

test('keeps the query of a registered redirect as it is', async () => {
  const redirect_uri = 'https://assistant.example/callback?tenant=a%20b'
  const { allow, toAuthorizeUrl, asked, secret } = await startPage({ redirect_uris: [redirect_uri] })
  const back = await allow(toAuthorizeUrl({ ...asked, redirect_uri, state: undefined }), secret)
  expect(back.href).toStartWith(`${redirect_uri}&code=`)
  expect(back.searchParams.has('state')).toBe(false)
})

test('serves its style sheet under a path that changes with it', async () => {
  const { visit, asked, url } = await startPage()
  const path = /<link rel="stylesheet" href="([^"]+)">/.exec(await (await visit(asked)).text())?.[1]
  const style = await fetch(url + path)
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect(style.headers.get('cache-control')).toContain('immutable')
})
