import { expect, test } from 'bun:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { createCatalogue, listTools } from '../../src/mcp/catalogue.ts'
import { RememberArguments } from '../../src/memory/records/save/draft.ts'
import { SearchArguments } from '../../src/memory/search/request.ts'
import { tools } from '../../src/tools/index.ts'
import { startService } from '../start-service.ts'

/** The keywords that the tests below look at. */
type Schema = {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  required?: string[]
  items?: Schema
  description?: string
  [keyword: string]: unknown
}

type Listed = {
  name: string
  inputSchema: Schema
  _meta?: object
  title: string
  description: string
  annotations: Record<string, unknown>
  outputSchema?: { properties: object; required: string[] }
}

async function listed(): Promise<Listed[]> {
  const { post } = await startService()
  const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  return body?.result?.tools as Listed[]
}

test('lists the five tools as they were agreed', async () => {
  expect(await listed()).toMatchSnapshot()
})

test('the list for a key without integrations is at most 12 KiB', async () => {
  expect(
    Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: await listed() } })),
  ).toBeLessThanOrEqual(12_288)
})

test('clients that keep tools behind a search show remember and search from the start', async () => {
  const shown = (await listed()).filter(({ _meta }) => _meta !== undefined)
  expect(shown.map(({ name, _meta }) => [name, _meta])).toEqual([
    ['remember', { 'anthropic/alwaysLoad': true }],
    ['search', { 'anthropic/alwaysLoad': true }],
  ])
})

test('each memory tool says when to use it, for models that are not shown the instructions', async () => {
  for (const { name, description } of await listed())
    expect([name, description]).toEqual([name, expect.stringMatching(/\bUse it\b/)])
})

test('arguments are described in what every converter reads, without bounds, and those of lists in words', async () => {
  const lists: [string, object][] = [
    ['search', SearchArguments.properties.also],
    ['remember', RememberArguments.properties.asked_as],
  ]
  const schemas = new Map((await listed()).map(({ name, inputSchema }) => [name, inputSchema]))
  for (const inputSchema of schemas.values()) {
    expect(JSON.stringify(inputSchema)).not.toMatch(/"const"|"additionalProperties"|"properties":\{\}/)
    expect(JSON.stringify(inputSchema)).not.toMatch(/"(minimum|maximum|minLength|maxLength|maxItems)"/)
  }
  for (const [name, argument] of lists) {
    const { description, maxItems, items } = argument as Schema
    expect(description).toStartWith(`2 to ${maxItems} `)
    expect(description).toEndWith(`; up to ${items?.maxLength} characters each`)
    expect(JSON.stringify(schemas.get(name))).toContain(String(description))
  }
})

test('a text or number that may be left out may be null, and nothing else', async () => {
  for (const { inputSchema } of await listed()) {
    for (const [name, schema] of Object.entries(inputSchema.properties ?? {})) {
      const isOptional = inputSchema.required?.includes(name) !== true
      const { type } = schema.anyOf?.[0] ?? schema
      const mayBeNull = isOptional && (type === 'string' || type === 'integer')
      expect([name, Compile(schema as TSchema).Check(null)]).toEqual([name, mayBeNull])
    }
  }
})

test('gives the names, titles and hints of the contract, in its order', async () => {
  const rows = (await listed()).map(({ name, title, annotations: a }) => [
    name,
    title,
    a.title,
    a.readOnlyHint,
    a.destructiveHint,
    a.idempotentHint,
    a.openWorldHint,
  ])
  expect(rows).toEqual([
    ['remember', 'Save memory', 'Save memory', false, false, false, false],
    ['search', 'Search memories', 'Search memories', true, false, true, false],
    ['forget', 'Delete memory', 'Delete memory', false, true, false, false],
    ['validate_memory', 'Check memory freshness', 'Check memory freshness', true, false, true, false],
    ['gateway_call', 'Call a connected integration', 'Call a connected integration', false, false, false, true],
  ])
})

test('promises the whole structured answer of every tool of its own', async () => {
  const schemas = new Map((await listed()).map(({ name, outputSchema }) => [name, outputSchema]))
  for (const name of ['remember', 'search', 'forget', 'validate_memory']) {
    expect(schemas.get(name)?.required).toEqual(['result', 'api_version', 'tenant_id', 'project_id'])
  }
  expect(Object.keys(schemas.get('search')?.properties ?? {})).toContain('hint')
  expect(schemas.get('gateway_call')).toBeUndefined()
})

test('lists the four memory tools to a hosted caller, with the schema of the answer it gets', async () => {
  const { service, secret } = await startService()
  const caller = { ...(await authenticate(service, `Bearer ${secret}`)), hosted: true }
  const none = { list: async () => [], find: async () => undefined }
  const text = await listTools(createCatalogue(Object.values(tools.decorator.catalogue), none), caller)
  const hosted = JSON.parse(`[${text}]`) as Listed[]
  expect(hosted.map(({ name }) => name)).toEqual(['remember', 'search', 'forget', 'validate_memory'])
  for (const { outputSchema } of hosted) expect(outputSchema?.required).toEqual(['result'])
  expect(text).not.toMatch(/tenant_id|project_id|api_version/)
})
