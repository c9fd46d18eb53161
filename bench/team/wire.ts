import { tmpdir } from 'node:os'
/**
 * What became of a call. `cut`: no answer, or one that does not say whether the act was done; `ended`: the key is
 * refused.
 */
export type Answer =
  | { kind: 'done'; result: unknown }
  | { kind: 'refused'; text: string }
  | { kind: 'cut' }
  | { kind: 'ended' }

export type Call = (tool: string, args: object) => Promise<Answer>

type Message = {
  id?: number
  result?: { isError?: boolean; content: { text: string }[]; structuredContent?: { result: unknown } }
}

const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Calls tools by `POST /mcp`, with the key that is in use at that moment. */
export function callOverHttp(url: string, key: () => string): Call {
  return async (tool, args) => {
    const body = toRequest(1, tool, args)
    try {
      const answer = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { ...ACCEPT, authorization: `Bearer ${key()}` },
        body,
      })
      if (answer.status === 401) return { kind: 'ended' }
      return answer.ok ? toAnswer((await answer.json()) as Message) : { kind: 'cut' }
    } catch {
      return { kind: 'cut' }
    }
  }
}

/** Calls tools through a local agent, on the standard input and output of a process. */
export function openRelay(command: string[], env: Record<string, string>) {
  const agent = Bun.spawn([...command, 'agent'], { env, cwd: env.HOME ?? tmpdir(), stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (answer: Answer) => void>()
  let lastId = 0
  void readLines(agent.stdout, (line) => {
    const message = JSON.parse(line) as Message
    waiting.get(message.id ?? 0)?.(toAnswer(message))
    waiting.delete(message.id ?? 0)
  })
  const send = async (line: string) => {
    agent.stdin.write(`${line}\n`)
    await agent.stdin.flush()
  }
  const call: Call = async (tool, args) => {
    lastId += 1
    const { promise, resolve } = Promise.withResolvers<Answer>()
    waiting.set(lastId, resolve)
    await send(toRequest(lastId, tool, args))
    return promise
  }
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'team', version: '1' } }
  const begun = send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }))
  return {
    call: (async (...given) => {
      await begun
      return call(...given)
    }) as Call,
    stop: async () => {
      agent.stdin.end()
      await agent.exited
    },
  }
}

const toRequest = (id: number, name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })

function toAnswer({ result }: Message): Answer {
  if (result === undefined) return { kind: 'cut' }
  if (result.isError === true) return { kind: 'refused', text: result.content[0]?.text ?? '' }
  return { kind: 'done', result: result.structuredContent?.result }
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}
