import { expect, test } from 'bun:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { connectTo } from '../http/oauth/flow.ts'
import { serveDocuments } from '../oauth/serve-documents.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'
import { createSignIn } from './sign-in.ts'

const DAY = 24 * 60 * 60 * 1000
const DOCUMENT = 'https://assistant.example/oauth/client.json'
const NAMES = ['remember', 'search', 'forget', 'validate_memory']

type Provider = ReturnType<typeof createSignIn>['provider']

/** One attempt of a client to connect, and how it completes the authorization with the code of the redirect. */
type Attempt = {
  client: {
    listTools: () => Promise<{ tools: { name: string }[] }>
    callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<Record<string, unknown>>
    close: () => Promise<void>
  }
  connect: () => Promise<void>
  finish: (back: URLSearchParams) => Promise<void>
}

function attempt(url: URL, provider: Provider): Attempt {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider as never })
  return {
    client: client as unknown as Attempt['client'],
    connect: () => client.connect(transport as Parameters<Client['connect']>[0]),
    finish: (back) => transport.finishAuth(back.get('code') ?? ''),
  }
}

function attemptNew(url: URL, provider: Provider): Attempt {
  const client = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const transport = new NewTransport(url, { authProvider: provider as never })
  return {
    client: client as unknown as Attempt['client'],
    connect: () => client.connect(transport),
    finish: (back) => transport.finishAuth(back),
  }
}

test.each([
  ['the client of the SDK, which registers', attempt, undefined],
  ['the client of the SDK, which has a metadata document', attempt, DOCUMENT],
  ['the newer client, which registers', attemptNew, undefined],
  ['the newer client, which has a metadata document', attemptNew, DOCUMENT],
])('lets %s in, until 30 days have passed, and then again', async (_, begin, document) => {
  const running = await startService()
  const { provider, opened, kept } = createSignIn(document)
  const served = await serveDocuments(running.service, (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...provider.clientMetadata, client_id: DOCUMENT }))
  })
  const url = new URL(`${running.url}/mcp`)

  /** Connects: the first attempt is refused, a person gives consent in the browser, the second succeeds. */
  async function signIn(): Promise<Attempt['client']> {
    const refused = begin(url, provider)
    expect(await rejectionOf(refused.connect())).toMatch(/unauthorized/i)
    const back = await connectTo(running.url).allow(opened.at(-1) ?? '', running.secret)
    expect(back.searchParams.get('state')).toBe('a state of its own')
    await refused.finish(back.searchParams)
    const { client, connect } = begin(url, provider)
    await connect()
    return client
  }

  async function expectUsable(client: Attempt['client']): Promise<void> {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES)
    const saved = await client.callTool({ name: 'remember', arguments: { content: 'The build runs on Bun' } })
    expect(Object.keys(saved.structuredContent ?? {})).toEqual(['result'])
    const found = await client.callTool({ name: 'search', arguments: { query: 'build' } })
    expect(found.structuredContent).toMatchObject({ result: [{ content: 'The build runs on Bun' }] })
  }

  const client = await signIn()
  await expectUsable(client)
  expect(opened[0]?.searchParams.get('resource')).toBe(url.href)
  expect(served.seen.connections > 0).toBe(document !== undefined)
  expect((kept.client as { client_id: string }).client_id === DOCUMENT).toBe(document !== undefined)

  running.pass(30 * DAY)
  expect(await rejectionOf(client.callTool({ name: 'search', arguments: { query: 'build' } }))).toMatch(/unauthorized/i)
  expect(opened).toHaveLength(2)
  await client.close()
  await expectUsable(await signIn())
})
