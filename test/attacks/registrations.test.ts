import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { purgeConnected } from '../../src/oauth/client.ts'
import { CALLBACK, connectTo, makePkce } from '../http/oauth/flow.ts'
import { serveDocuments } from '../oauth/serve-documents.ts'
import { startService } from '../start-service.ts'
import { embeddedTest } from '../stored-data.ts'

const ID = 'https://assistant.example/oauth/client.json'

async function startRegistering() {
  const running = await startService()
  return { ...running, ...connectTo(running.url) }
}

const padded = (characters: number) => `${CALLBACK}/${'x'.repeat(characters - CALLBACK.length - 1)}`

test('a registration is bounded in every part', async () => {
  const { register, service } = await startRegistering()
  const parts = [
    { redirect_uris: [padded(2_000), padded(2_000), padded(97)] },
    { redirect_uris: Array.from({ length: 21 }, (_, at) => `${CALLBACK}${at}`) },
    { token_endpoint_auth_method: 'x'.repeat(201) },
    { grant_types: ['authorization_code', 'x'.repeat(201)] },
    { grant_types: Array(51).fill('authorization_code') },
    { response_types: ['code', 'x'.repeat(201)] },
  ]
  for (const part of parts) expect((await register(part)).status).toBe(400)
  const { status, body } = await register({
    client_name: 'n'.repeat(9_000),
    redirect_uris: [padded(2_000), padded(2_000)],
    contacts: ['x'.repeat(900)],
  })
  expect(status).toBe(201)
  const kept = await service.store.control.find('oauthClients', { id: body.client_id })
  expect(JSON.stringify(kept).length).toBeLessThan(4_500)
})

test('a metadata document is bounded in the same way', async () => {
  const { visit, service } = await startRegistering()
  const redirect_uris = [CALLBACK, padded(2_000), padded(2_048), padded(100)]
  await serveDocuments(service, (_, response) => void response.end(JSON.stringify({ client_id: ID, redirect_uris })))
  const page = await visit({ client_id: ID, redirect_uri: CALLBACK, code_challenge: makePkce().challenge })
  expect(page.status).toBe(400)
  expect(await page.text()).toContain('invalid_redirect_uri')
})

test('thousands of registrations leave a bounded number of small rows', async () => {
  const { register, service, pass } = await startRegistering()
  const client = { kind: 'registration' as const, name: '', secretDigest: null, usedAt: null }
  const redirectUris = [CALLBACK]
  const ids = Array.from({ length: 3_100 }, (_, at) => `flood-${at}`)
  await service.store.control.write(async (tx) => {
    for (const [at, id] of ids.entries())
      await tx.save('oauthClients', { ...client, id, redirectUris, readAt: service.clock.now() + at })
  })
  pass(5_000)
  const mine = (await register()).body.client_id
  const left = (await Promise.all(ids.map((id) => service.store.control.find('oauthClients', { id })))).filter(
    (found) => found !== undefined,
  )
  expect(left).toHaveLength(2_999)
  expect(left[0]?.id).toBe('flood-101')
  expect(await service.store.control.find('oauthClients', { id: mine })).toBeDefined()
})

embeddedTest('a file that grows')(
  'the control file stops to grow when applications that nobody connects keep coming',
  async () => {
    const { register, service, pass } = await startRegistering()
    const client = {
      kind: 'registration' as const,
      name: '',
      secretDigest: null,
      usedAt: null,
      redirectUris: [padded(2_000), padded(2_000)],
    }
    const file = join(service.config.dataDir, 'control.db')
    const sizes: number[] = []
    for (let day = 0; day < 3; day++) {
      await service.store.control.write(async (tx) => {
        for (let at = 0; at < 500; at++)
          await tx.save('oauthClients', { ...client, id: `${day}-${at}`, readAt: service.clock.now() })
      })
      pass(24 * 60 * 60 * 1000)
      await purgeConnected(service, () => false, service.clock.now())
      expect((await register()).status).toBe(201)
      sizes.push(statSync(file).size)
    }
    expect(sizes[2]).toBeLessThan(6 * 1024 * 1024)
  },
)

test('one address makes at most 1 000 applications known in a day, and the others go on', async () => {
  const { register, pass } = await startRegistering()
  const from = (address: string) => register({}, { 'x-forwarded-for': address })
  for (let minute = 0; minute < 50; minute++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => from('203.0.113.7')))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    pass(60_000)
  }
  expect((await from('203.0.113.7')).status).toBe(429)
  expect((await from('203.0.113.8')).status).toBe(201)
  pass(24 * 60 * 60 * 1000)
  expect((await from('203.0.113.7')).status).toBe(201)
})
