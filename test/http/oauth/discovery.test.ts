import { expect, test } from 'bun:test'
import { startService } from '../../start-service.ts'
import { connectTo } from './flow.ts'

const WELL_KNOWN = '/.well-known'
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

async function read(url: string) {
  const response = await fetch(url)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Record<string, unknown>,
  }
}

test('leads a client from the 401 to the authorization server, all under the public address', async () => {
  const { url, post } = await startService({ config: { publicUrl: 'https://memory.example' } })
  const { headers } = await post(list, { authorization: undefined })
  const named = /resource_metadata="https:\/\/memory\.example([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
  expect(named).toBe(`${WELL_KNOWN}/oauth-protected-resource/mcp`)
  const resource = await read(url + named)
  expect(resource).toMatchObject({ status: 200, type: expect.stringContaining('application/json') })
  expect(resource.body).toMatchObject({
    resource: 'https://memory.example/mcp',
    authorization_servers: ['https://memory.example'],
    bearer_methods_supported: ['header'],
  })
  expect((await read(`${url}${WELL_KNOWN}/oauth-protected-resource`)).body).toEqual(resource.body)
  const server = await read(`${url}${WELL_KNOWN}/oauth-authorization-server`)
  expect(server).toMatchObject({ status: 200, type: expect.stringContaining('application/json') })
  expect(server.body).toEqual({
    issuer: 'https://memory.example',
    authorization_endpoint: 'https://memory.example/oauth/authorize',
    token_endpoint: 'https://memory.example/oauth/token',
    registration_endpoint: 'https://memory.example/oauth/register',
    revocation_endpoint: 'https://memory.example/oauth/revoke',
    scopes_supported: ['memory'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  })
})

test('writes the public address in one way only', async () => {
  const { url } = await startService({ config: { publicUrl: 'HTTPS://Memory.Example:443' } })
  expect((await read(`${url}${WELL_KNOWN}/oauth-authorization-server`)).body.issuer).toBe('https://memory.example')
})

test.each(['http://memory.example', 'https://memory.example/memsvc'])(
  'leads nobody to OAuth under %s',
  async (publicUrl) => {
    const { url, post } = await startService({ config: { publicUrl } })
    expect((await post(list, { authorization: undefined })).headers.get('www-authenticate')).toBe('Bearer')
    for (const document of ['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server']) {
      expect((await read(`${url}${WELL_KNOWN}/${document}`)).status).toBe(404)
    }
    for (const answer of [await connectTo(url).visit({}), await connectTo(url).post('/oauth/token', {})]) {
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('SVC_PUBLIC_URL must')
    }
  },
)
