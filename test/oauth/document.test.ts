import { expect, test } from 'bun:test'
import type { RequestListener } from 'node:http'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/clock.ts'
import { openService } from '../../src/service.ts'
import { connectTo, makePkce } from '../http/oauth/flow.ts'
import { startServer } from '../outbound/start-server.ts'
import { startService } from '../start-service.ts'
import { serveDocuments } from './serve-documents.ts'

const ID = 'https://assistant.example/oauth/client.json'
const CALLBACK = 'https://assistant.example/callback'
const DOCUMENT = { client_id: ID, client_name: 'Assistant', redirect_uris: [CALLBACK] }

const answering =
  (body: unknown): RequestListener =>
  (_, response) =>
    void response.end(typeof body === 'string' ? body : JSON.stringify(body))

/** The service, with a site whose documents it reads. */
async function startWith(answer: RequestListener) {
  const running = await startService()
  const served = await serveDocuments(running.service, answer)
  const flow = connectTo(running.url)
  const visit = (change: Record<string, string> = {}) =>
    flow.visit({ client_id: ID, redirect_uri: CALLBACK, code_challenge: makePkce().challenge, ...change })
  return { ...running, ...flow, served, visit }
}

test('knows an application by its metadata document, and says who described it', async () => {
  const { visit } = await startWith(answering(DOCUMENT))
  const page = await visit()
  expect(page.status).toBe(200)
  const text = await page.text()
  expect(text).toContain('<bdi>Assistant</bdi>')
  expect(text).toContain('described by assistant.example')
})

test('redeems the code of such an application without reading its document again', async () => {
  const { served, allow, toAuthorizeUrl, redeem, secret, service } = await startWith(answering(DOCUMENT))
  const { verifier, challenge } = makePkce()
  const back = await allow(toAuthorizeUrl({ client_id: ID, redirect_uri: CALLBACK, code_challenge: challenge }), secret)
  served.server.close()
  const given = { client_id: ID, code: back.searchParams.get('code') ?? '', code_verifier: verifier }
  expect((await redeem(given)).status).toBe(200)
  expect((await service.store.control.listConnections({}))[0]?.connection).toMatchObject({
    clientId: ID,
    clientHost: 'assistant.example',
  })
})

test('takes an application that prefers a signature but can do without', async () => {
  const methods = {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  }
  const { visit } = await startWith(answering({ ...DOCUMENT, ...methods }))
  expect((await visit()).status).toBe(200)
})

test.each([
  ['of another client', { ...DOCUMENT, client_id: 'https://assistant.example/oauth/other.json' }],
  ['of a client that is not named', { ...DOCUMENT, client_id: undefined }],
  ['of a client that must sign', { ...DOCUMENT, token_endpoint_auth_method: 'private_key_jwt' }],
  ['of a client with a shared secret', { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_post' }],
  ['without redirect URIs', { ...DOCUMENT, redirect_uris: [] }],
  ['with a redirect to a script', { ...DOCUMENT, redirect_uris: [CALLBACK, 'javascript:alert(1)'] }],
  ['that is a list', [DOCUMENT]],
  ['that is null', 'null'],
  ['that is no JSON', '<html>'],
  ['of 1 MB', { ...DOCUMENT, padding: 'x'.repeat(1_000_000) }],
])('refuses a document %s, without a redirect', async (_, document) => {
  const { visit } = await startWith(answering(document))
  const page = await visit()
  expect([page.status, page.headers.get('location')]).toEqual([400, null])
  expect(await page.text()).toMatch(/invalid_(client|client_metadata|redirect_uri):/)
})

test('does not follow a redirect, nor take an answer that is not 200', async () => {
  for (const status of [301, 302, 307, 404]) {
    const { visit, served } = await startWith(
      (_, response) => void response.writeHead(status, { location: '/elsewhere' }).end(JSON.stringify(DOCUMENT)),
    )
    expect((await visit()).status).toBe(400)
    expect(served.seen.connections).toBe(1)
  }
})

test('compares the redirect with the document to the letter', async () => {
  const { visit } = await startWith(answering(DOCUMENT))
  for (const redirect_uri of [
    `${CALLBACK}/`,
    `${CALLBACK}?x=1`,
    'https://assistant.example/CALLBACK',
    'https://evil.example/callback',
  ]) {
    const page = await visit({ redirect_uri })
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(await page.text()).not.toContain('Return to')
  }
})

test('reads a document once an hour, lives a day on the last good one, and not longer', async () => {
  const { visit, served, pass } = await startWith((request, response) => {
    response.setHeader('connection', 'close')
    answering(DOCUMENT)(request, response)
  })
  expect([(await visit()).status, (await visit()).status, served.seen.connections]).toEqual([200, 200, 1])
  pass(HOUR_MS)
  expect([(await visit()).status, served.seen.connections]).toEqual([200, 2])
  served.server.close()
  pass(23 * HOUR_MS)
  expect((await visit()).status).toBe(200)
  pass(HOUR_MS)
  const page = await visit()
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('could not reach assistant.example')])
})

test('reads a document again that was read by a clock that was ahead', async () => {
  const { visit, served, pass } = await startWith((request, response) => {
    response.setHeader('connection', 'close')
    answering(DOCUMENT)(request, response)
  })
  pass(365 * DAY_MS)
  await visit()
  pass(-365 * DAY_MS)
  expect([(await visit()).status, served.seen.connections]).toEqual([200, 2])
})

test('lives a day on the last good document while its host answers with faults of its own', async () => {
  let status = 200
  const { visit, pass } = await startWith((request, response) =>
    status === 200 ? answering(DOCUMENT)(request, response) : void response.writeHead(status).end('out of order'),
  )
  status = 502
  expect((await visit()).status).toBe(503)
  status = 200
  expect((await visit()).status).toBe(200)
  status = 502
  pass(HOUR_MS)
  expect((await visit()).status).toBe(200)
  pass(23 * HOUR_MS)
  expect((await visit()).status).toBe(503)
})

test('believes a document no longer when it has been read again and says something else', async () => {
  let document = DOCUMENT
  const { visit, pass } = await startWith((request, response) => answering(document)(request, response))
  expect((await visit()).status).toBe(200)
  document = { ...DOCUMENT, redirect_uris: ['https://assistant.example/new'] }
  pass(HOUR_MS)
  expect((await visit()).status).toBe(400)
})

test('an application that is used while its document is read again stays used', async () => {
  let meanwhile = async () => {}
  const { visit, service, pass } = await startWith(
    (request, response) => void meanwhile().then(() => answering(DOCUMENT)(request, response)),
  )
  await visit()
  pass(HOUR_MS)
  const usedAt = service.clock.now()
  meanwhile = () => service.store.control.write((tx) => tx.update('oauthClients', { id: ID }, { usedAt }))
  expect((await visit()).status).toBe(200)
  expect(await service.store.control.find('oauthClients', { id: ID })).toMatchObject({ readAt: usedAt, usedAt })
})

test('keeps what a document said over a restart', async () => {
  const { visit, service } = await startWith(answering(DOCUMENT))
  await visit()
  const again = await openService(service)
  expect(await again.store.control.find('oauthClients', { id: ID })).toMatchObject({
    kind: 'document',
    redirectUris: [CALLBACK],
  })
  await again.close()
})

test.each([
  'https://127.0.0.1:PORT/client.json',
  'https://localhost:PORT/client.json',
  'https://[::1]:PORT/client.json',
  'https://[::ffff:127.0.0.1]:PORT/client.json',
  'https://0.0.0.0:PORT/client.json',
  'https://10.0.0.1/client.json',
  'https://192.168.1.1/client.json',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/client.json',
  'https://[fd00::1]/client.json',
])('never calls %s, also where the operator lets integrations be called there', async (address) => {
  const { url, logged } = await startService({
    config: { outboundAllow: ['127.0.0.1', 'localhost', '10.0.0.0/8', '192.168.0.0/16'] },
  })
  const inside = await startServer(answering(DOCUMENT), { secure: true })
  const client_id = new URL(address.replace('PORT', String(inside.port))).href
  const page = await connectTo(url).visit({ client_id, redirect_uri: CALLBACK, code_challenge: makePkce().challenge })
  expect(page.status).toBe(503)
  expect(await page.text()).toContain(
    `temporarily_unavailable: this server could not reach ${new URL(client_id).hostname} for the client metadata document`,
  )
  expect(inside.seen.connections).toBe(0)
  expect(logged.join('')).toContain('"reason":"address"')
})

test.each([
  'http://assistant.example/client.json',
  'https://assistant.example',
  'https://assistant.example/',
  'https://user:word@assistant.example/client.json',
  'https://assistant.example/client.json#x',
  'https://assistant.example/a/../client.json',
  'https://ASSISTANT.example/client.json',
  'https://assistant.example:443/client.json',
  'https://2130706433/client.json',
])('takes %s for no address of a document', async (client_id) => {
  const { visit, served } = await startWith(answering({ ...DOCUMENT, client_id }))
  const page = await visit({ client_id })
  expect(page.status).toBe(400)
  expect(await page.text()).toContain('invalid_client: unknown client')
  expect(served.seen.connections).toBe(0)
})

test('reads at most 20 new documents a minute for one address', async () => {
  const { visit, served, pass } = await startWith((_, response) => void response.writeHead(404).end())
  const statuses: number[] = []
  for (let time = 0; time <= 20; time++)
    statuses.push((await visit({ client_id: `https://assistant.example/${time}.json` })).status)
  expect(statuses).toEqual([...Array(20).fill(400), 429])
  expect(served.seen.connections).toBeLessThanOrEqual(20)
  pass(MINUTE_MS)
  expect((await visit()).status).toBe(400)
})

test('where documents are switched off, an application that has one is told to register', async () => {
  const { service, visit, served } = await startWith(answering(DOCUMENT))
  service.config.clientDocuments = 'off'
  const page = await visit()
  expect([page.status, await page.text()]).toEqual([
    400,
    expect.stringContaining('invalid_client: unknown client; register again'),
  ])
  expect(served.seen.connections).toBe(0)
})
