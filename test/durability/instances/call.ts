/**
 * What became of a call: `answered` with its text, `refused` for a reason that passes, `unauthorized`, or `unknown`
 * where no answer came.
 */
export type Outcome = {
  kind: 'answered' | 'refused' | 'unauthorized' | 'unknown'
  text: string
  id?: string | undefined
}

/** Longer than an instance waits for its database, so that it is always the instance that gives up. */
const TIMEOUT_MS = 90_000

/** Reasons that have to do with the database alone. */
const PASSING = /the database|another process|in use/

/** Calls a tool. @throws for an answer that the way to the database does not explain. */
export async function callTool(url: string, key: string, name: string, args: object): Promise<Outcome> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  const answer = await post(url, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    keepalive: false,
  })
  if (answer === undefined) return { kind: 'unknown', text: '' }
  const { status, text } = answer
  if (status === 401) return { kind: 'unauthorized', text }
  if (status === 503) return { kind: 'refused', text }
  const { result } = JSON.parse(text) as {
    result?: { isError: boolean; content: { text: string }[]; structuredContent?: Saved }
  }
  if (status !== 200 || result === undefined) throw new Error(`${status} ${text}`)
  const said = result.content[0]?.text ?? ''
  if (!result.isError) return { kind: 'answered', text: said, id: result.structuredContent?.result.id }
  return { kind: PASSING.test(said) ? 'refused' : 'answered', text: said }
}

type Saved = { result: { id: string } }

/** Undefined where the connection broke before the answer was whole. */
async function post(url: string, init: RequestInit): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, init)
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}
