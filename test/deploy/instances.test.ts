import { afterAll, describe, expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import { findFreePort } from '../free-port.ts'
import { findPostgres, startPostgres } from '../postgres.ts'
import { openTestService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

// The example of `deploy/` with two instances: what of it needs no images, tried with the programs themselves.

const DEPLOY = join(import.meta.dir, '../../deploy')
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')
const programs = findPostgres()

function swap(text: string, from: string, to: string): string {
  expect(text).toContain(from)
  return text.replaceAll(from, to)
}

test('the proxy balances between the instances that there are', () => {
  const { services } = parse(read('compose.postgres.yaml'), { merge: true })
  const instances = Object.keys(services).filter((name) => name.startsWith('memsvc-'))
  expect(instances).toHaveLength(2)
  expect(read('Caddyfile.instances')).toContain(instances.map((name) => `${name}:8787`).join(' '))
})

test.skipIf(Bun.which('docker-compose') === null)('docker compose reads the example', () => {
  const env = { ...process.env, POSTGRES_PASSWORD: 'a', MEMSVC_DATABASE_PASSWORD: 'b', SVC_SECRET_KEY: 'ab'.repeat(32) }
  const command = ['docker-compose', '--file', join(DEPLOY, 'compose.postgres.yaml'), 'config']
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
  const { services } = parse(stdout.toString())
  expect(Object.keys(services).sort()).toEqual(['database', 'memsvc-a', 'memsvc-b', 'proxy'])
  expect(services['memsvc-a'].environment.SVC_DATABASE_URL).toBe('postgres://memsvc:b@database/memsvc')
})

describe.skipIf(programs === undefined || Bun.which('caddy') === null)('two instances behind Caddy', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  test('the script of the database makes a role and a database that memsvc takes', async () => {
    const script = swap(
      swap(read('create-database.sh'), 'role memsvc', 'role tried'),
      'database memsvc owner memsvc',
      'database tried owner tried',
    )
    const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: `${server.port}`, MEMSVC_DATABASE_PASSWORD: "it's" }
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', script], { env })
    expect([exitCode, stderr.toString()]).toEqual([0, ''])
    const store = await openPostgresStore(
      { url: `postgres://tried@127.0.0.1:${server.port}/tried`, poolSize: 1 },
      Date.now,
    )
    await store.close()
  })

  test('answer every call, and so does the one that is left when the other has ended', async () => {
    const { url } = await server.createDatabase()
    const config = { databaseUrl: url, databasePool: 3, secretKeys: [new Uint8Array(32)] }
    const one = await openTestService({ config })
    const two = await openTestService({ config, first: one })
    onTestFinished(two.stop)
    const { port, stop } = await startCaddy(one.url, two.url)
    onTestFinished(stop)
    const ask = async (id: number) => {
      const headers = {
        authorization: `Bearer ${one.secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const params = { name: 'remember', arguments: { content: `note ${id}` } }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
      const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body })
      return answer.status === 200 && (await answer.text()).includes('"isError":false')
    }
    const answers = await Promise.all(Array.from({ length: 20 }, (_, id) => ask(id)))
    expect(new Set(answers)).toEqual(new Set([true]))
    for (const { service } of [one, two]) expect(await isUsed(service)).toBe(true)
    await one.stop()
    const after: boolean[] = []
    for (let id = 100; id < 120; id++) after.push(await ask(id))
    // What was sent on a connection that the one closed just then is not sent to the other.
    expect(after.filter((isAnswered) => !isAnswered).length).toBeLessThanOrEqual(1)
  })
})

/** Whether the instance has seen a call whose use it has not written yet. */
const isUsed = async ({ keyUses }: Awaited<ReturnType<typeof openTestService>>['service']) => keyUses.take(1).length > 0

/** Debian 12 has a version in which the option has another name. */
const isOldCaddy = () => Bun.spawnSync(['caddy', 'version']).stdout.toString().includes('2.6.2')

async function startCaddy(...urls: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'memsvc-caddy-'))
  const port = findFreePort()
  const upstreams = urls.map((url) => new URL(url).host).join(' ')
  const balanced = swap(read('Caddyfile.instances'), 'memsvc-a:8787 memsvc-b:8787', upstreams)
  const here = swap(balanced, '\n:8787 {', `\nhttp://127.0.0.1:${port} {`)
  const site = isOldCaddy() ? swap(here, 'request_buffers 1MiB', 'buffer_requests') : here
  const config = join(folder, 'Caddyfile')
  writeFileSync(config, `{\n\tadmin off\n}\n${site}`)
  const command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', config]
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore', env: { ...process.env, HOME: folder } })
  await waitUntil(
    'caddy answers',
    async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.status === 200,
  )
  const stop = async () => {
    child.kill()
    await child.exited
    rmSync(folder, { recursive: true })
  }
  return { port, stop }
}
