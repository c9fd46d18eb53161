// An upstream made with the SDK 2.x: stateless, of the newest revision.
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'

const { fetch } = createMcpHandler(() => {
  const server = new McpServer({ name: 'made with 2.x', version: '2' })
  const inputSchema = fromJsonSchema<{ text: string }>({
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  })
  const described = { description: 'Says it again', inputSchema, annotations: { readOnlyHint: true } }
  server.registerTool('echo', described, async ({ text }) => ({ content: [{ type: 'text', text }] }))
  server.registerTool('wipe', { description: 'Writes' }, async () => ({ content: [{ type: 'text', text: 'wiped' }] }))
  const counting = { description: 'Counts to two', annotations: { readOnlyHint: true } }
  server.registerTool('count', counting, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? ''
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: 1, total: 2, message: 'one of two' },
    })
    await Bun.sleep(300)
    return { content: [{ type: 'text', text: 'two' }] }
  })
  return server
})

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  fetch: (request) => (new URL(request.url).pathname === '/mcp' ? fetch(request) : new Response()),
})
