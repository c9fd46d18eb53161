import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../src/main.ts')

type Message = {
  id?: unknown
  error?: { code: number }
  method?: string
  params?: { progressToken?: unknown; _meta?: { progressToken?: unknown } }
}

/** The HTTP status that the transport of the stateless era wants with an error. */
const STATUSES: Record<number, number> = { [-32601]: 404, [-32602]: 400, [-32020]: 400, [-32021]: 400, [-32022]: 400 }
const STATELESS = /"io\.modelcontextprotocol\/protocolVersion"/

/**
 * The local agent as a process of its own, behind an HTTP server: for suites that speak HTTP only. Many clients share
 * it, so each request gets an id of its own on the way.
 */
export function openStdioBridge(environment: Record<string, string>) {
  const agent = Bun.spawn([process.execPath, MAIN, 'agent'], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (message: Message) => void>()
  /** Progress of the requests that asked for it, by their tokens. */
  const reports = new Map<unknown, Message[]>()
  let lastId = 0

  async function readAnswers(): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of agent.stdout) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
      text = lines.pop() ?? ''
      for (const message of lines.map((line) => JSON.parse(line) as Message)) {
        if (message.method === undefined) answer(message)
        else reports.get(message.params?.progressToken)?.push(message)
      }
    }
  }

  function answer(message: Message): void {
    const id = Number(message.id)
    waiting.get(id)?.(message)
    waiting.delete(id)
  }

  async function post(body: string): Promise<Response> {
    const message = JSON.parse(body) as Message
    if (message.id === undefined || message.method === undefined) {
      agent.stdin.write(`${JSON.stringify(message)}\n`)
      return new Response(null, { status: 202 })
    }
    const token = message.params?._meta?.progressToken
    if (token !== undefined) reports.set(token, [])
    lastId += 1
    const answered = new Promise<Message>((resolve) => waiting.set(lastId, resolve))
    agent.stdin.write(`${JSON.stringify({ ...message, id: lastId })}\n`)
    const got = await answered
    const status = STATELESS.test(body) ? (STATUSES[got.error?.code ?? 0] ?? 200) : 200
    const progress = reports.get(token) ?? []
    reports.delete(token)
    return progress.length === 0
      ? Response.json({ ...got, id: message.id }, { status })
      : toStream([...progress, { ...got, id: message.id }])
  }

  const done = readAnswers()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) =>
      request.method === 'POST'
        ? post(await request.text())
        : new Response(null, { status: 405, headers: { Allow: 'POST' } }),
  })
  return {
    url: `${server.url}mcp`,
    stop: async () => {
      await server.stop(true)
      await agent.stdin.end()
      await done
      return await agent.exited
    },
  }
}

function toStream(messages: Message[]): Response {
  const events = messages.map((message) => `data: ${JSON.stringify(message)}\n\n`)
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
}
