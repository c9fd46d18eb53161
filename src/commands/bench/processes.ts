import { readFileSync } from 'node:fs'
import type { Subprocess } from 'bun'
import type { Environment } from '../../agent/config.ts'
import { Refusal } from '../../errors.ts'

export type Processes = ReturnType<typeof createProcesses>

/** A service that runs as a child process. */
export type Server = Awaited<ReturnType<Processes['serve']>>

type Child = Subprocess<'ignore', 'pipe', 'pipe'>

/** How many characters of a service's log are kept, to report why it did not start. */
const MAX_LOG_LENGTH = 16_384

/**
 * Child processes of this program, on data folders of the bench.
 *
 * `program` is the command line of this program. `environment` is passed on without `SVC_` variables, so that the
 * user's own data and service are not touched.
 */
export function createProcesses(program: string[], environment: Environment, ticks: () => number) {
  const inherited = Object.entries(environment).filter(([name]) => !name.startsWith('SVC_'))
  const running = new Set<Child>()
  let isEnded = false

  function spawn(dataDir: string, words: string[]): Child {
    if (isEnded) throw new Refusal('the bench has ended')
    const env = {
      ...Object.fromEntries(inherited),
      SVC_DATA_DIR: dataDir,
      SVC_HOST: '127.0.0.1',
      SVC_PORT: '0',
      SVC_BACKUP_EVERY: 'off',
    }
    const child = Bun.spawn([...program, ...words], {
      cwd: dataDir,
      env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    running.add(child)
    void child.exited.then(() => running.delete(child))
    return child
  }

  /** Starts a service on a free port of this machine. */
  async function serve(dataDir: string) {
    const began = ticks()
    const child = spawn(dataDir, ['serve'])
    const url = await readAddress(child.stderr)
    const startedMs = ticks() - began
    const endBy = async (signal: 'SIGTERM' | 'SIGKILL') => {
      child.kill(signal)
      await child.exited
    }
    return {
      url,
      pid: child.pid,
      /** Time from the start of the process until it served. */
      startedMs,
      /** Resident memory in MiB; null if the system does not report it. */
      readMemory: () => readMemory(child.pid),
      stop: () => endBy('SIGTERM'),
      kill: () => endBy('SIGKILL'),
    }
  }

  /**
   * Runs another command, and sends it SIGTERM after `mostMs`. Returns its standard output, and whether it succeeded.
   */
  async function run(dataDir: string, words: string[], mostMs?: number) {
    const child = spawn(dataDir, words)
    const timer = mostMs === undefined ? undefined : setTimeout(() => child.kill('SIGTERM'), mostMs)
    const [out, , status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    clearTimeout(timer)
    return { out, isSuccess: status === 0 }
  }

  /** Kills every process, and starts no more. */
  async function end(): Promise<void> {
    isEnded = true
    for (const child of running) child.kill('SIGKILL')
    await Promise.all([...running].map(({ exited }) => exited))
  }

  return { serve, run, end }
}

/**
 * Reads the address from the log's line `serving`, and drains the rest of the log, so that the service never blocks on
 * a full pipe.
 */
async function readAddress(log: ReadableStream<Uint8Array>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  void (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of log) {
      text = (text + decoder.decode(piece, { stream: true })).slice(-MAX_LOG_LENGTH)
      const [, address] = /"event":"serving","address":"([^"]+)"/.exec(text) ?? []
      if (address !== undefined) resolve(address)
    }
    reject(new Refusal(`the service did not start:\n${text}`))
  })()
  return await promise
}

function readMemory(pid: number): number | null {
  const kib = process.platform === 'linux' ? readLinuxMemory(pid) : askPs(pid)
  return Number.isFinite(kib) && kib > 0 ? kib / 1_024 : null
}

function readLinuxMemory(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib)
}

function askPs(pid: number): number {
  if (Bun.which('ps') === null) return Number.NaN
  return Number(Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]).stdout.toString())
}
