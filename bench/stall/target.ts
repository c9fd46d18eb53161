import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { SMALL_HEAP } from '../../src/commands/restart.ts'
import { type Dataset, PASSWORD } from './dataset.ts'
import type { Link } from './link.ts'

type ProjectName = keyof Dataset['keys']

/** What the attacks are given: the running service and its data set. */
export type Target = {
  dataset: Dataset
  /** Where the service answers: `url` is of this host and port. */
  host: string
  port: number
  url: string
  /** Ended when the time of the attack is over. */
  signal: AbortSignal
  /** The cookie of a plain member, or of an owner, of the attackers' account. */
  cookies: Record<'owner' | 'member', string>
}

/** How many answers of each kind came: HTTP statuses, and of calls whether the tool erred. */
export type Tally = Record<string, number>

/** A service under attack, as a child process. */
export type Running = {
  pid: number
  port: number
  /**
   * The longest turn of its event loop since the last time, in milliseconds of the processor; undefined where the
   * command has no probe.
   */
  takeLongestTurn: () => Promise<number | undefined>
  stop: () => Promise<void>
  log: () => string
}

/**
 * Starts the service on a data folder and waits until it answers. `command` runs it, without its arguments, and has a
 * probe where `isProbed`.
 */
export async function startServer(command: string[], link: Link, dataDir: string, isProbed: boolean): Promise<Running> {
  let answered: ((longest: number) => void) | undefined
  const settings = {
    SVC_DATA_DIR: dataDir,
    SVC_PORT: '0',
    SVC_HOST: link.service,
    SVC_OUTBOUND_ALLOW: link.attackers,
    SVC_BACKUP_EVERY: 'off',
  }
  const child = Bun.spawn([...FRONT.nice, ...link.command, ...command, 'serve'], {
    // The heap as the service sets it itself by starting again, by which the probe would lose its channel.
    env: { ...process.env, ...SMALL_HEAP, ...settings },
    stdout: 'ignore',
    stderr: 'pipe',
    ...(isProbed && { ipc: (longest: number) => answered?.(longest) }),
  })
  let log = ''
  const { promise: serving, resolve, reject } = Promise.withResolvers<number>()
  const reading = (async () => {
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
      log = (log + chunk).slice(-(1 << 20))
      const [, port] = /"event":"serving","address":"http:\/\/[^"]*:(\d+)"/.exec(log) ?? []
      if (port !== undefined) resolve(Number(port))
    }
    reject(new Error(`the service did not start:\n${log}`))
  })()
  const port = await serving
  const stop = async () => {
    child.kill()
    await child.exited
    await reading
  }
  const takeLongestTurn = (): Promise<number | undefined> =>
    new Promise((resolve) => {
      answered = resolve
      if (isProbed) child.send('take')
      else resolve(undefined)
    })
  return { pid: child.pid, port, takeLongestTurn, stop, log: () => log }
}

/**
 * What a command begins with that is to have the processor before others, where the system lets us: on a machine that
 * others use too, the waits for it would be measured.
 */
export const FRONT = {
  /** Before everybody. Not for what may be busy for a second: Linux takes the processor from such for 50 ms. */
  realTime: withFront(['chrt', '--rr', '1']),
  nice: withFront(['nice', '-n', '-20']),
}

function withFront(command: string[]): string[] {
  const [program = ''] = command
  if (Bun.which(program) === null) return []
  const tried = Bun.spawnSync([...command, 'true'])
  return tried.success && tried.stderr.length === 0 ? command : []
}

/** Largest resident memory since the last `forgetPeak`, in MiB. */
export function readPeak(pid: number): number {
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(peak) / 1024
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Calls a tool and tallies how it was answered. */
export async function call(
  target: Target,
  project: ProjectName,
  tool: string,
  args: Record<string, unknown>,
): Promise<string> {
  return post(target, target.dataset.keys[project], {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: args },
  })
}

/** Posts a message to the endpoint. Answers with the HTTP status and, of a call, whether it was refused. */
export async function post(target: Target, key: string | undefined, message: unknown): Promise<string> {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const headers = {
    ...(key && { authorization: `Bearer ${key}` }),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return tally(target, `${target.url}/mcp`, { method: 'POST', headers, body })
}

/** Posts a form as a visitor of the console, or as nobody. */
export async function postForm(
  target: Target,
  path: string,
  fields: string,
  who?: keyof Target['cookies'],
): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(who && { cookie: target.cookies[who] }) }
  return tally(target, target.url + path, { method: 'POST', headers, body: fields, redirect: 'manual' })
}

/** Opens a page as a visitor of the console, or as nobody. */
export async function openPage(target: Target, path: string, who?: keyof Target['cookies']): Promise<string> {
  return tally(target, target.url + path, {
    headers: { ...(who && { cookie: target.cookies[who] }) },
    redirect: 'manual',
  })
}

const KNOWN_ERROR = /"isError":true,|"code":(-\d+)/

async function tally({ signal }: Target, url: string, init: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, { ...init, signal })
    const text = await response.text()
    const [error, code] = KNOWN_ERROR.exec(text.slice(0, 1_000) + text.slice(-1_000)) ?? []
    return error === undefined ? `${response.status}` : `${response.status} ${code ?? 'refused'}`
  } catch {
    return signal.aborted ? 'cut' : 'no answer'
  }
}

/** The cookie of a member who signs in. */
export async function signIn(url: string, email: string): Promise<string> {
  const fields = new URLSearchParams({ email, password: PASSWORD })
  const response = await fetch(`${url}/console/sign-in`, { method: 'POST', body: fields, redirect: 'manual' })
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  if (cookie === undefined) throw new Error(`${email} was not let in: ${response.status}`)
  return cookie
}

/** Acts so often, at most so many at once, and no more once the time is over. */
export async function repeatedly(
  target: Target,
  times: number,
  together: number,
  act: (at: number) => Promise<string>,
): Promise<Tally> {
  const counts: Tally = {}
  let next = 0
  const work = async () => {
    while (next < times && !target.signal.aborted) {
      const outcome = await act(next++)
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(times, together) }, work))
  return counts
}

/** Opens a connection and sends bytes over it; nothing is read unless the act does so. */
export async function openRaw({ host, port }: Pick<Target, 'host' | 'port'>, sent: string): Promise<Socket> {
  const socket = connect({ host, port })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  socket.write(sent)
  return socket
}

/** The head of a request that announces a body of so many bytes. */
export function toHead({ host, port }: Pick<Target, 'host' | 'port'>, length: number, key?: string): string {
  const lines = [
    'POST /mcp HTTP/1.1',
    `Host: ${host}:${port}`,
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${length}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
