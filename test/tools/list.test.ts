import { expect, test } from 'bun:test'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { createCatalogue, listTools } from '../../src/mcp/catalogue.ts'
import { tools } from '../../src/tools/index.ts'
import { startService } from '../start-service.ts'

type Listed = {
  name: string
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
