import { tmpdir } from 'node:os'
import { findFreePort } from '../../test/free-port.ts'
import { waitUntil } from '../../test/wait-until.ts'

const NO_LOOK_MS = 60_000

/** The service as a child process that always has the same address, and the command line beside it. */
export function createRunning(first: string[], data: string) {
  const port = findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = { SVC_DATA_DIR: data, SVC_PORT: String(port), SVC_BACKUP_EVERY: 'off', SVC_LOG: 'error' }
  let [command, child] = [first, spawn(first, env)]
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`the service ended by itself with status ${child.exitCode}`)
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  const start = async (given = command) => {
    command = given
    child = spawn(command, env)
    await ready()
  }
  const ready = () => waitUntil('the service answers', isReady, NO_LOOK_MS)
  return {
    url,
    env,
    ready,
    start,
    /** Ends the process as a crash does, and starts another one. */
    crash: async () => {
      child.kill('SIGKILL')
      await child.exited
      await start()
    },
    /** Ends it as an operator does. Returns its status. */
    stop: async () => {
      child.kill('SIGTERM')
      return child.exited
    },
    /** For the last resort. */
    kill: () => child.kill('SIGKILL'),
    command: () => command,
  }
}

export type Running = ReturnType<typeof createRunning>

const spawn = ([program = '', ...words]: string[], env: Record<string, string>) =>
  Bun.spawn([program, ...words, 'serve'], { env, stdout: 'ignore', stderr: 'inherit' })

export type Ran = { status: number; out: string; err: string }

/** Runs one command line in a process of its own. */
export async function runCommand(command: string[], words: string[], env: Record<string, string>): Promise<Ran> {
  const ran = Bun.spawn([...command, ...words], {
    env,
    cwd: env.HOME ?? tmpdir(),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()])
  return { status: await ran.exited, out, err }
}
