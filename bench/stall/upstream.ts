/**
 * A server behind an integration that answers with what is long to read. Its tools: `marks`, `large`, `nested`, `slow`.
 */
export function startHostileUpstream(hostname: string) {
  return Bun.serve({
    hostname,
    port: 0,
    idleTimeout: 60,
    fetch: async (request) => {
      if (request.method !== 'POST') return new Response(null, { status: 405 })
      const message = (await request.json()) as Message
      if (message.id === undefined) return new Response(null, { status: 202 })
      if (message.method === 'tools/call') return answerCall(message)
      return toAnswer(message, message.method === 'tools/list' ? { tools: toTools() } : toHello(message))
    },
  })
}

type Message = { id?: number | string; method: string; params?: { name?: string; protocolVersion?: string } }

const MIB = 1024 * 1024

const toAnswer = ({ id }: Message, result: unknown) => Response.json({ jsonrpc: '2.0', id, result })

const toHello = ({ params }: Message) => ({
  protocolVersion: params?.protocolVersion ?? '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1' },
})

const toTools = () =>
  ['marks', 'large', 'nested', 'slow'].map((name) => ({
    name,
    description: `a${'\u0301\u0316'.repeat(2_000)}`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  }))

async function answerCall(message: Message): Promise<Response> {
  const { name } = message.params ?? {}
  if (name === 'slow') await Bun.sleep(50_000)
  const text =
    name === 'marks' ? `a${'\u0301\u0316'.repeat(200_000)}` : 'word '.repeat(name === 'large' ? (14 * MIB) / 5 : 1)
  if (name !== 'nested') return toAnswer(message, { content: [{ type: 'text', text }] })
  const nested = `${'[[],'.repeat(60)}${'[[0],0],'.repeat(900_000 / 8)}0${']'.repeat(60)}`
  return new Response(
    `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":[],"structuredContent":{"a":${nested}}}}`,
    {
      headers: { 'content-type': 'application/json' },
    },
  )
}
