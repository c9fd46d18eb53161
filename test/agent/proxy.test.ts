import { expect, onTestFinished, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toEnvironment } from '../command-line.ts'
import { makeFolder } from '../run-cli.ts'
import { startService } from '../start-service.ts'

// Processes of their own, since a runtime takes its proxies from the environment of the process.
const MAIN = join(import.meta.dir, '../../src/main.ts')

/** A proxy on this machine that answers nothing and keeps what it was sent. */
function startProxy() {
  const heard: string[] = []
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: (socket, bytes) => {
        heard.push(bytes.toString())
        socket.end()
      },
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, heard }
}

/** A person's machine beside a running service, with a proxy in its environment. */
async function openMachine(variable: string) {
  const running = await startService()
  const proxy = startProxy()
  const home = await makeFolder()
  const work = join(home, 'shop')
  await mkdir(work)
  const environment: Record<string, string> = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    SVC_API_KEY: running.secret,
    SVC_ENDPOINT: running.url,
    SVC_DATA_DIR: join(home, 'none'),
    [variable]: proxy.url,
  }
  const memsvc = async (words: string[], { input = '', change = {} as Record<string, string> } = {}) => {
    const env = { ...environment, ...change }
    const ran = Bun.spawn([process.execPath, MAIN, ...words], {
      cwd: work,
      env,
      stdin: Buffer.from(input),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    onTestFinished(() => ran.kill())
    const [out, err] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()])
    return { status: await ran.exited, out, err }
  }
  return { ...running, heard: proxy.heard, home, work, memsvc }
}

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'

test.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'HTTPS_PROXY'])(
  'no byte for a service on this machine goes to the proxy of %s, whatever calls it',
  async (variable) => {
    const { memsvc, home, work, heard, call, service, url } = await openMachine(variable)
    await call('remember', { content: 'Releases go out on Tuesdays' })
    const session = crypto.randomUUID()
    const line = {
      type: 'user',
      uuid: crypto.randomUUID(),
      sessionId: session,
      cwd: work,
      message: { role: 'user', content: 'on we go' },
    }
    await mkdir(join(home, '.claude/projects/-shop'), { recursive: true })
    await writeFile(join(home, '.claude/projects/-shop', `${session}.jsonl`), `${JSON.stringify(line)}\n`)

    expect(await memsvc(['status'])).toMatchObject({ status: 0, out: expect.stringContaining('accepted') })
    const doctor = await memsvc(['doctor'])
    expect(doctor.out).toContain(`${variable} is set; ${url} is called without a proxy`)
    expect(doctor.out).toContain(`${url} answers in`)
    expect((await memsvc(['brief'])).out).toContain('Releases go out on Tuesdays')
    const start = JSON.stringify({ session_id: 's1', cwd: work, hook_event_name: 'SessionStart', source: 'startup' })
    expect((await memsvc(['hook', 'session-start'], { input: start })).status).toBe(0)
    expect((await memsvc(['agent'], { input: LIST })).out).toContain('"remember"')
    expect((await memsvc(['client', 'add', 'cursor', '--yes'])).out).toContain("The service answers: project 'default'")
    expect((await memsvc(['sync', 'enable', work, '--yes'])).status).toBe(0)
    expect((await memsvc(['sync', 'now'])).out).toContain('1 session with 1 record at the service')
    expect((await memsvc(['history', 'list'])).status).toBe(0)
    const change = { ...toEnvironment(service.config), SVC_PORT: new URL(url).port }
    expect(await memsvc(['health'], { change })).toMatchObject({ status: 0, out: 'ready\n' })
    expect(heard).toEqual([])
  },
)

test('a service elsewhere is called through the proxy, which sees no key, and the doctor names its variable', async () => {
  const { memsvc, heard, secret } = await openMachine('HTTPS_PROXY')
  const change = { SVC_ENDPOINT: 'https://memory.example' }
  expect((await memsvc(['status'], { change })).status).toBe(4)
  expect(heard).toEqual([expect.stringMatching(/^CONNECT memory\.example:443 /)])
  expect((await memsvc(['doctor'], { change })).out).toContain(
    'https://memory.example is called through the proxy of HTTPS_PROXY',
  )
  expect(heard.join()).not.toContain(secret)
})
