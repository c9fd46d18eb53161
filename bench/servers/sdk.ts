import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { consumeCall } from '../../src/account/limits/throttle.ts'
import { createCatalogue, listTools } from '../../src/mcp/catalogue.ts'
import { identityFor } from '../../src/mcp/reply.ts'
import { searchMemory } from '../../src/memory/search/search.ts'
import { tools } from '../../src/tools/index.ts'
import { announce, openWithNotes } from './open.ts'

const { service, key } = await openWithNotes(process.argv[2] ?? '')
const catalogue = createCatalogue(Object.values(tools.decorator.catalogue), {
  list: async () => [],
  find: async () => undefined,
})
const anyone = await authenticate(service, `Bearer ${key}`)
const list = JSON.parse(`[${await listTools(catalogue, anyone)}]`) as Tool[]

async function answer(request: Request): Promise<Response> {
  const caller = await authenticate(service, request.headers.get('authorization'))
  const server = new Server({ name: 'memsvc', version: '0.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    await consumeCall(service, caller)
    const found = await searchMemory(service, caller, params.arguments as { query: string })
    const structuredContent = { ...found, ...identityFor(caller) }
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError: false }
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport as Parameters<typeof server.connect>[0])
  return transport.handleRequest(request)
}

announce(Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer }).port, key)
