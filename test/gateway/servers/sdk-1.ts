// An upstream made with the SDK 1.x: sessions, answers as streams of events.
import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport as Transport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const sessions = new Map<string, Transport>()
const inputSchema = { type: 'object' as const, properties: { text: { type: 'string' } } }
const tools = [
  { name: 'echo', description: 'Says it again', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'wipe', description: 'Writes', inputSchema },
]

async function open(): Promise<Transport> {
  const server = new Server({ name: 'made with 1.x', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.text) }],
  }))
  const transport: Transport = new Transport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => {
      sessions.set(id, transport)
    },
  })
  await server.connect(transport)
  return transport
}

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  fetch: async (request) => {
    if (new URL(request.url).pathname !== '/mcp') return new Response()
    const id = request.headers.get('mcp-session-id')
    const transport = id === null ? await open() : sessions.get(id)
    return transport?.handleRequest(request) ?? new Response('no such session', { status: 404 })
  },
})
