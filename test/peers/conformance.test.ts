import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openTestService } from '../start-service.ts'
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

test.each([
  ['conformance-2025', ['--suite', 'all'], 'conformance-2025.yml'],
  ['conformance-2026', ['--suite', 'all', '--spec-version', '2025-11-25'], 'conformance-2025.yml'],
  ['conformance-2026', ['--requirements', '2026-07-28'], 'conformance-2026.yml'],
])(
  'passes every scenario of %s %j that a server of tools alone can pass',
  async (suite, options, failures) => {
    const program = Bun.resolveSync(`${suite}/dist/index.js`, import.meta.dir)
    const address = ['--url', `${proxy.url}mcp`, '--expected-failures', join(import.meta.dir, failures)]
    const ran = Bun.spawn([process.execPath, program, 'server', ...address, ...options], {
      stdout: 'pipe',
      stderr: 'pipe',
      cwd: running.service.config.dataDir,
    })
    const said = (await new Response(ran.stdout).text()) + (await new Response(ran.stderr).text())
    expect([await ran.exited, said.slice(said.indexOf('=== SUMMARY'))]).toEqual([0, expect.stringContaining('✓ tools-list')])
  },
  60_000,
)
