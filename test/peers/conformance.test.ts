import { afterAll, beforeAll, expect, onTestFinished, test } from 'bun:test'
import { openTestService, startService } from '../start-service.ts'
import { conformanceTools } from './fixtures.ts'
import { openKeyProxy } from './key-proxy.ts'
import { readListed, runSuite, SUITES } from './run-suite.ts'

let running: Awaited<ReturnType<typeof openTestService>>
let proxy: ReturnType<typeof openKeyProxy>

beforeAll(async () => {
  // Answers begin as streams, because no scenario waits as long as a call that becomes one.
  running = await openTestService({ integrations: conformanceTools, timing: { afterMs: 0, everyMs: 10_000 } })
  proxy = openKeyProxy(running.url, running.secret)
})

afterAll(async () => {
  await proxy.stop(true)
  await running.stop()
})

test.each(SUITES)(
  'passes every scenario of %s %j but those that are listed with a reason',
  async (suite, options, list) => {
    const { count, failed } = await runSuite(suite, options, `${proxy.url}mcp`, running.service.config.dataDir)
    expect(count).toBeGreaterThan(30)
    expect(failed).toEqual((await readListed(list)).sort())
  },
)

test('passes every check of server-stateless that needs no tool made for the suite', async () => {
  const plain = await startService()
  const plainProxy = openKeyProxy(plain.url, plain.secret)
  onTestFinished(() => plainProxy.stop(true))
  const program = Bun.resolveSync('conformance-2026/dist/index.js', import.meta.dir)
  const options = [
    '--url',
    `${plainProxy.url}mcp`,
    '--spec-version',
    '2026-07-28',
    '--scenario',
    'server-stateless',
    '--verbose',
  ]
  const ran = Bun.spawn([process.execPath, program, 'server', ...options], { stdout: 'pipe', stderr: 'ignore' })
  const said = await new Response(ran.stdout).text()
  expect(said).toContain('Passed: 21/25, 4 failed')
  const reasons = [...said.matchAll(/"status": "FAILURE"[^}]*?"errorMessage": "([^"]*)"/g)].map(([, reason]) => reason)
  expect(reasons).toEqual(
    Array(4).fill(expect.stringMatching(/^Not testable: server does not list the diagnostic tool/)),
  )
})
