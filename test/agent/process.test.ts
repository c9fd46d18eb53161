import { expect, onTestFinished, test } from 'bun:test'
import { join } from 'node:path'
import { waitUntil } from '../wait-until.ts'
import { json, makeStateDir, startEndpoint, UNKNOWN_KEY } from './start-agent.ts'

// The agent as a process of its own, as clients start it.
const MAIN = join(import.meta.dir, '../../src/main.ts')

async function toEnvironment(endpoint: string): Promise<Record<string, string>> {
  return {
    SVC_ENDPOINT: endpoint,
    SVC_API_KEY: UNKNOWN_KEY,
    SVC_STATE_DIR: await makeStateDir(),
    PATH: process.env.PATH ?? '',
  }
}

async function spawnAgent(endpoint: string, { before = [] as string[] } = {}) {
  const agent = Bun.spawn([process.execPath, ...before, MAIN, 'agent'], {
    env: await toEnvironment(endpoint),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => agent.kill('SIGKILL'))
  const send = async (line: string) => {
    agent.stdin.write(`${line}\n`)
    await agent.stdin.flush()
  }
  return { agent, send }
}

/** Whether a process with this id is there and running. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await Bun.file(`/proc/${pid}/stat`)
    .text()
    .catch(() => '')
  return status !== '' && !/^\d+ \(.*\) [ZX] /.test(status)
}

const answerTo = (body: string, result = '{"ok":true}') =>
  `{"jsonrpc":"2.0","id":${(JSON.parse(body) as { id: number }).id},"result":${result}}`
const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"x"}`

/** The first numbers, one on each line. */
async function readNumbers(stream: ReadableStream<Uint8Array>, count: number): Promise<number[]> {
  let read = ''
  for await (const chunk of stream) {
    read += Buffer.from(chunk).toString()
    if (read.split('\n').length > count) break
  }
  return read.split('\n').slice(0, count).map(Number)
}

test('ends with its input, after it has passed on the answers that were on their way', async () => {
  const inputEnded = Promise.withResolvers<void>()
  const { url, heard } = startEndpoint(async ({ body }) => {
    await inputEnded.promise
    return json(answerTo(body))
  })
  const { agent, send } = await spawnAgent(url)
  await send(ping(1))
  await waitUntil('the request is there', () => heard.length === 1)
  await agent.stdin.end()
  inputEnded.resolve()
  expect(await new Response(agent.stdout).text()).toBe(`${answerTo(ping(1))}\n`)
  expect([await agent.exited, await new Response(agent.stderr).text()]).toEqual([0, ''])
})

test('says once on standard error what is wrong with its settings, and answers with it', async () => {
  const env = {
    PATH: process.env.PATH ?? '',
    SVC_STATE_DIR: await makeStateDir(),
    SVC_API_KEY: UNKNOWN_KEY.slice(0, 30),
  }
  const input = Buffer.from(`${ping(1)}\n${ping(2)}\n`)
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, MAIN, 'agent'], { env, stdin: input })
  expect([exitCode, stderr.toString()]).toEqual([
    0,
    expect.stringMatching(/^memsvc agent: The API key in SVC_API_KEY is cut off[^\n]*\n$/),
  ])
  for (const line of stdout.toString().trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ error: { code: 1401 } })
})

test('ends with its input though an answer never comes', async () => {
  const { url, heard } = startEndpoint(() => new Promise(() => {}))
  const { agent, send } = await spawnAgent(url)
  await send(ping(1))
  await waitUntil('the request is there', () => heard.length === 1)
  await agent.stdin.end()
  expect(await agent.exited).toBe(0)
})

test.each(['SIGTERM', 'SIGINT'] as const)('ends at %s', async (signal) => {
  const { url, heard } = startEndpoint(() => new Promise(() => {}))
  const { agent, send } = await spawnAgent(url)
  await send(ping(1))
  await waitUntil('the request is there', () => heard.length === 1)
  agent.kill(signal)
  expect(await agent.exited).toBe(0)
})

test('ends when the program that started it was killed, also where others hold its input open', async () => {
  const { url, heard } = startEndpoint(({ body }) => json(answerTo(body)))
  // The parent starts the agent, and a process that keeps the writing end of the agent's input.
  const script = `mkfifo "$SVC_STATE_DIR/in"; sleep 600 > "$SVC_STATE_DIR/in" & echo $!; '${process.execPath}' '${MAIN}' agent < "$SVC_STATE_DIR/in" > /dev/null & echo $!; echo '${ping(1)}' > "$SVC_STATE_DIR/in"; sleep 600`
  const parent = Bun.spawn(['bash', '-c', script], {
    env: await toEnvironment(url),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [holder = 0, agent = 0] = await readNumbers(parent.stdout, 2)
  onTestFinished(() => void process.kill(holder, 'SIGKILL'))
  await waitUntil('the agent is at work', () => heard.length === 1)
  expect(await isRunning(agent)).toBe(true)
  parent.kill('SIGKILL')
  await waitUntil('the agent has ended', async () => !(await isRunning(agent)))
})

test('passes on an answer of 20 MB to a client that reads slowly, before it ends', async () => {
  const text = 'x'.repeat(20 * 2 ** 20)
  const { url, heard } = startEndpoint(({ body }) => json(answerTo(body, `"${text}"`)))
  const { agent, send } = await spawnAgent(url)
  await send(ping(1))
  await waitUntil('the request is there', () => heard.length === 1)
  let bytes = 0
  let isEnded = false
  for await (const chunk of agent.stdout) {
    bytes += chunk.length
    if (bytes < 2 ** 20) await Bun.sleep(1)
    else if (!isEnded) {
      isEnded = true
      await agent.stdin.end()
    }
  }
  expect(bytes).toBe(answerTo(ping(1), `"${text}"`).length + 1)
  expect(await agent.exited).toBe(0)
})

test('writes every byte once to a pipe that is full again and again', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => at + 1)
  const answers = ids.map((id) => answerTo(ping(id), `"${String(id).repeat(100_000 / String(id).length)}"`))
  const { url } = startEndpoint(({ body }) => json(answers[(JSON.parse(body) as { id: number }).id - 1] ?? ''))
  const input = ids.map((id) => `${ping(id)}\n`).join('')
  // A pipe of the shell: that of a process begun here is of another kind. Small blocks are read more slowly than they
  // are written.
  const script = `'${process.execPath}' '${MAIN}' agent 2> /dev/null | dd bs=256 status=none`
  const shell = Bun.spawn(['bash', '-c', script], {
    env: await toEnvironment(url),
    stdio: [Buffer.from(input), 'pipe', 'ignore'],
  })
  const lines = (await new Response(shell.stdout).text()).split('\n').filter((line) => line !== '')
  expect(lines.toSorted()).toEqual(answers.toSorted())
})

test('ends when its client no longer reads', async () => {
  const { url } = startEndpoint(({ body }) => json(answerTo(body, `"${'x'.repeat(10 * 2 ** 20)}"`)))
  const script = `(echo '${ping(1)}'; exec sleep 600) | (echo $BASHPID >&2; exec '${process.execPath}' '${MAIN}' agent 2> /dev/null) | head -c 10 > /dev/null`
  const pipe = Bun.spawn(['bash', '-c', script], {
    env: await toEnvironment(url),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  onTestFinished(() => void process.kill(-pipe.pid, 'SIGKILL'))
  const [agent = 0] = await readNumbers(pipe.stderr, 1)
  expect(agent).toBeGreaterThan(0)
  await waitUntil('the agent has ended', async () => !(await isRunning(agent)))
})

test('writes nothing but the protocol to its output, whatever a library logs', async () => {
  const { url } = startEndpoint(({ body }) => json(answerTo(body)))
  const noise = join(await makeStateDir(), 'noise.ts')
  await Bun.write(
    noise,
    'const send = fetch; globalThis.fetch = (...all) => (console.log("noise"), console.info("noise"), console.debug("noise"), send(...all))',
  )
  const { agent, send } = await spawnAgent(url, { before: ['--preload', noise] })
  for (let id = 0; id < 20; id++) await send(ping(id))
  await agent.stdin.end()
  const lines = (await new Response(agent.stdout).text()).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { id: number }).id).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, id) => id),
  )
})
