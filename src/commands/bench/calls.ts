/** A service's address, and a key to call it with. */
export type Caller = { url: string; key: string }

/** Latencies of calls in milliseconds, and the seconds that all of them took together. */
type Acts = { times: number[]; seconds: number }

/** The refusal of a generated note that the Security Guard takes for an instruction, about one in some thousand. */
const GUARD_REFUSAL = 'Memory rejected by Security Guard'
/** Generated notes tried for one save; if the guard refuses all, something is wrong. */
const MAX_TRIES = 5

/** Sends one message to the endpoint and reads the whole answer. Throws if it is not a success. */
export async function post(caller: Caller, method: string, params: object = {}): Promise<void> {
  const { ok, text } = await send(caller, method, params)
  if (!ok) throw new Error(`${method} was answered with ${text.slice(0, 500)}`)
}

/** Saves a note; if the Security Guard refuses it, another one. Returns the text that was saved. */
export async function saveNote(caller: Caller, makeUp: () => string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const content = makeUp()
    const { ok, text } = await send(caller, 'tools/call', { name: 'remember', arguments: { content } })
    if (ok) return content
    if (tries >= MAX_TRIES || !text.includes(GUARD_REFUSAL))
      throw new Error(`remember was answered with ${text.slice(0, 500)}`)
  }
}

async function send({ url, key }: Caller, method: string, params: object): Promise<{ ok: boolean; text: string }> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body, proxy: false })
  const text = await answer.text()
  const isRefused = text.includes('"isError":true') || text.startsWith('{"jsonrpc":"2.0","id":1,"error"')
  return { ok: answer.ok && !isRefused, text: `${answer.status} ${text}` }
}

export const search = (caller: Caller, query: string) =>
  post(caller, 'tools/call', { name: 'search', arguments: { query } })

/** Runs callers concurrently, each calling again as soon as it is answered, until `isOver`. */
export async function actTogether<Of>(
  callers: readonly Of[],
  ticks: () => number,
  isOver: (done: number) => boolean,
  act: (caller: Of) => Promise<unknown>,
): Promise<Acts> {
  const times: number[] = []
  const began = ticks()
  await Promise.all(
    callers.map(async (caller) => {
      while (!isOver(times.length)) {
        const start = ticks()
        await act(caller)
        times.push(ticks() - start)
      }
    }),
  )
  return { times, seconds: (ticks() - began) / 1_000 }
}

export const toRate = ({ times, seconds }: Acts) => times.length / seconds

/** The smallest value that at least `share` of the values do not exceed (nearest rank); 0 if there is none. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
