import { expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { findFreePort } from '../free-port.ts'
import { startGatewayWith } from '../gateway/start-gateway.ts'
import { startUpstream } from '../gateway/upstreams.ts'
import { isRoot } from '../is-root.ts'
import { waitUntil } from '../wait-until.ts'

// The examples of `deploy/` with the proxies themselves, where they are installed, before a service.

const HOST = 'memory.example'
const DEPLOY = join(import.meta.dir, '../../deploy')
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')

/** An address of this machine that neither a proxy nor the service has. */
const CLIENT = '127.0.0.9'

/** Where a proxy listens, where the service does, and a folder with `cert.pem` and `key.pem`. */
type Place = { folder: string; https: number; http: number; service: number }
type Proxy = { name: string; toConfig: (place: Place) => string; toCommand: (config: string, place: Place) => string[] }

/** Replaces a text that must be there. */
function swap(text: string, from: string, to: string): string {
  expect(text).toContain(from)
  return text.replaceAll(from, to)
}

const CADDY: Proxy = {
  name: 'caddy',
  toConfig: ({ folder, https, service }) => {
    const options = '{\n\tadmin off\n\tauto_https disable_redirects\n}\n'
    const site = swap(
      read('Caddyfile'),
      `${HOST} {`,
      `https://${HOST}:${https} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
    )
    return options + swap(site, '127.0.0.1:8787', `127.0.0.1:${service}`)
  },
  toCommand: (config) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', config],
}

const NGINX: Proxy = {
  name: 'nginx',
  toConfig: ({ folder, https, http, service }) => {
    const ports = swap(swap(read('nginx.conf'), 'listen 443', `listen ${https}`), 'listen 80;', `listen ${http};`)
    const certified = swap(ports, `/etc/letsencrypt/live/${HOST}/fullchain.pem`, `${folder}/cert.pem`)
    const site = swap(
      swap(certified, `/etc/letsencrypt/live/${HOST}/privkey.pem`, `${folder}/key.pem`),
      '127.0.0.1:8787',
      `127.0.0.1:${service}`,
    )
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const user = isRoot ? 'user root;\n' : ''
    return `${user}pid ${folder}/pid;\nerror_log stderr;\ndaemon off;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${site}}\n`
  },
  toCommand: (config) => ['nginx', '-c', config],
}

/**
 * A service that calls one other server, behind a proxy with a certificate of its own. `reach` asks the proxy as
 * whoever types the public URL.
 */
async function startBehind({ name, toConfig, toCommand }: Proxy, answers: Parameters<typeof startUpstream>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), `memsvc-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const made = ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names]
  expect(Bun.spawnSync([...made, '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]).exitCode).toBe(
    0,
  )
  const [https, http] = [findFreePort(), findFreePort()]
  const publicUrl = `https://${HOST}:${https}`
  const running = await startGatewayWith(
    { config: { publicUrl }, timing: { afterMs: 0, everyMs: 100 } },
    { url: startUpstream(answers).url },
  )
  const config = join(folder, 'config')
  const place = { folder, https, http, service: Number(new URL(running.url).port) }
  writeFileSync(config, toConfig(place))
  const child = Bun.spawn(toCommand(config, place), {
    stdout: 'ignore',
    stderr: 'ignore',
    env: { ...process.env, HOME: folder },
  })
  onTestFinished(async () => {
    child.kill()
    await child.exited
  })
  const tls = { ca: readFileSync(join(folder, 'cert.pem'), 'utf8'), serverName: HOST }
  const reach = (path: string, init: RequestInit = {}) =>
    fetch(`https://127.0.0.1:${https}${path}`, {
      ...init,
      tls,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host: `${HOST}:${https}` },
    })
  await waitUntil(`${name} answers`, async () => (await reach('/healthz').catch(() => undefined))?.status === 200)
  return { ...running, reach, publicUrl, https }
}

/** Opens a connection to the proxy, without a check of its certificate, and collects what it answers. */
async function openConnection(https: number) {
  const socket = connect({ host: '127.0.0.1', port: https, rejectUnauthorized: false })
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  return { send: (text: string) => socket.write(text), answer: () => answer }
}

const toPost = (secret: string, params: object) => ({
  method: 'POST',
  headers: {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
})

for (const proxy of [CADDY, NGINX]) {
  const isAbsent = [proxy.name, 'openssl', 'curl'].some((program) => Bun.which(program) === null)

  test.skipIf(isAbsent)(
    `${proxy.name}: calls are answered under the public URL, and the audit log has the address of whoever asked`,
    async () => {
      const { reach, secret, service, publicUrl } = await startBehind(proxy)
      const answer = await reach(
        '/mcp',
        toPost(secret, { name: 'remember', arguments: { content: 'x'.repeat(60_000) } }),
      )
      expect(await answer.json()).toMatchObject({ result: { isError: false } })
      const metadata = await reach('/.well-known/oauth-protected-resource')
      expect(await metadata.json()).toMatchObject({ resource: `${publicUrl}/mcp` })
      const headers = ['-H', 'authorization: Bearer svc_wrong', '-H', 'x-forwarded-for: 198.51.100.1']
      const asked = Bun.spawn([
        'curl',
        '-sk',
        '--interface',
        CLIENT,
        '--connect-to',
        '::127.0.0.1:',
        ...headers,
        '-d',
        '{}',
        `${publicUrl}/mcp`,
      ])
      expect(await asked.exited).toBe(0)
      expect(await service.store.control.listAudit({ act: 'sign-in.fail', limit: 1 })).toMatchObject([{ via: CLIENT }])
    },
  )

  test.skipIf(isAbsent)(`${proxy.name}: what is known of a long call is passed on while it is at work`, async () => {
    const release = Promise.withResolvers<object>()
    const { reach, secret } = await startBehind(proxy, { 'tools/call': () => release.promise })
    const params = { name: 'hub.echo', arguments: {}, _meta: { progressToken: 'p' } }
    const answer = await reach('/mcp', toPost(secret, params))
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('notifications/progress')
    release.resolve({ content: [{ type: 'text', text: 'done' }] })
    let rest = ''
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) rest += read.value
    expect(rest).toContain('"text":"done"')
  })
}

test.skipIf(['nginx', 'openssl'].some((program) => Bun.which(program) === null))(
  'nginx: a body reaches the service once it is whole, so that many that arrive slowly or at once do not',
  async () => {
    const { reach, https } = await startBehind(NGINX)
    const { send, answer } = await openConnection(https)
    const lines = [
      'POST /mcp HTTP/1.1',
      `Host: ${HOST}:${https}`,
      'Authorization: Bearer svc_wrong',
      'Content-Length: 100000',
    ]
    send(`${lines.join('\r\n')}\r\n\r\n${'x'.repeat(99_999)}`)
    // The service itself answers such a key before the body is there.
    expect((await reach('/healthz')).status).toBe(200)
    expect(answer()).toBe('')
    send('x')
    await waitUntil('the key is refused', () => answer().startsWith('HTTP/1.1 401'))
  },
)
