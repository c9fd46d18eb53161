import type { Subprocess } from 'bun'

/** A service started from the built file: its endpoint, what it printed first, and how to end it. */
export type Running = { url: string; printed: () => Promise<string>; stop: () => Promise<number> }

/**
 * Starts the executable, or the command that stands for it, on a free port of this machine and waits until it serves.
 * `started` gets the process, for the last resort.
 */
export async function startExecutable(
  executable: string | string[],
  cwd: string,
  data: string,
  started: Subprocess[],
  more: Record<string, string> = {},
): Promise<Running> {
  const env = { SVC_BACKUP_EVERY: 'off', ...more, SVC_DATA_DIR: data, SVC_PORT: '0' }
  const child = Bun.spawn([executable, 'serve'].flat(), { cwd, env, stdout: 'pipe', stderr: 'pipe' })
  started.push(child)
  const printed = new Response(child.stdout).text()
  const address = await findAddress(child.stderr)
  const stop = () => {
    child.kill('SIGTERM')
    return child.exited
  }
  return { url: `${address}/mcp`, printed: () => printed, stop }
}

/** The address in the log's line `serving`. Throws with the log if it ends without. */
async function findAddress(log: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of log) {
    text += decoder.decode(chunk, { stream: true })
    const serving = text.split('\n').find((line) => line.includes('"serving"') && line.endsWith('}'))
    if (serving !== undefined) return JSON.parse(serving).address
  }
  throw new Error(`the service did not start: ${text}`)
}

/** The service refuses, because it stops. */
export class Stopping extends Error {}

/** Posts one JSON-RPC request and gives its result. Rejects with `Stopping` where the service stops. */
export async function ask(url: string, key: string, method: string, params: object = {}) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  if (answer.status === 503) throw new Stopping(await answer.text())
  return ((await answer.json()) as { result: Record<string, unknown> }).result
}
