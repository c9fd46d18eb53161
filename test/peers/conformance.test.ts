import { afterAll, beforeAll, expect, onTestFinished, test } from 'bun:test'
import { join } from 'node:path'
import { openTestService, startService } from '../start-service.ts'
import { conformanceTools } from './fixtures.ts'
import { openKeyProxy } from './key-proxy.ts'

let running: Awaited<ReturnType<typeof openTestService>>
let proxy: ReturnType<typeof openKeyProxy>

beforeAll(async () => {
  running = await openTestService({ integrations: conformanceTools })
  proxy = openKeyProxy(running.url, running.secret)
})

afterAll(async () => {
  await proxy.stop(true)
  await running.stop()
})

/** The scenarios of a list. The suites have an option for it, but count warnings as failures then. */
async function readListed(file: string): Promise<string[]> {
  return (Bun.YAML.parse(await Bun.file(join(import.meta.dir, file)).text()) as { server: string[] }).server
}

test.each([
  ['conformance-2025', ['--suite', 'all'], 'conformance-2025.yml'],
  ['conformance-2026', ['--suite', 'all', '--spec-version', '2025-11-25'], 'conformance-2025.yml'],
  ['conformance-2026', ['--requirements', '2026-07-28'], 'conformance-2026.yml'],
])(
  'passes every scenario of %s %j but those that are listed with a reason',
  async (suite, options, list) => {
    const program = Bun.resolveSync(`${suite}/dist/index.js`, import.meta.dir)
    const ran = Bun.spawn([process.execPath, program, 'server', '--url', `${proxy.url}mcp`, ...options], {
      stdout: 'pipe',
      stderr: 'ignore',
      cwd: running.service.config.dataDir,
    })
    const said = await new Response(ran.stdout).text()
    const outcomes = [...said.slice(said.indexOf('=== SUMMARY')).matchAll(/^([✓✗]) ([\w-]+): /gm)]
    const failed = outcomes.filter(([, mark]) => mark === '✗').map(([, , scenario]) => scenario)
    expect(outcomes.length).toBeGreaterThan(30)
    expect(failed.sort()).toEqual((await readListed(list)).sort())
  },
  60_000,
)

test('passes every check of server-stateless that needs no tool made for the suite', async () => {
  const plain = await startService()
  const plainProxy = openKeyProxy(plain.url, plain.secret)
  onTestFinished(() => plainProxy.stop(true))
  const program = Bun.resolveSync('conformance-2026/dist/index.js', import.meta.dir)
  const options = ['--url', `${plainProxy.url}mcp`, '--spec-version', '2026-07-28', '--scenario', 'server-stateless', '--verbose']
  const ran = Bun.spawn([process.execPath, program, 'server', ...options], { stdout: 'pipe', stderr: 'ignore' })
  const said = await new Response(ran.stdout).text()
  expect(said).toContain('Passed: 21/25, 4 failed')
  const reasons = [...said.matchAll(/"status": "FAILURE"[^}]*?"errorMessage": "([^"]*)"/g)].map(([, reason]) => reason)
  expect(reasons).toEqual(Array(4).fill(expect.stringMatching(/^Not testable: server does not list the diagnostic tool/)))
})
