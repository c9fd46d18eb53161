import { expect, onTestFinished, test } from 'bun:test'
import { findFreePort } from '../free-port.ts'
import { connectTo } from '../http/oauth/flow.ts'
import { startService } from '../start-service.ts'
import { listen } from './listen.ts'

test('passes the conformance suite for authorization servers', async () => {
  const running = await startService()
  const flow = connectTo(running.url)
  const { client_id } = (await flow.register({ redirect_uris: ['http://127.0.0.1:3000/callback'] })).body
  // The suite listens for the redirect itself.
  const port = String(findFreePort())
  const program = Bun.resolveSync('conformance-2026/dist/index.js', import.meta.dir)
  const options = ['--url', running.url, '--client-id', client_id, '--resource', `${running.url}/mcp`, '-p', port]
  const suite = Bun.spawn([process.execPath, program, 'authorization', ...options, '--spec-version', '2026-07-28'], {
    stdout: 'pipe',
    stderr: 'inherit',
    cwd: running.service.config.dataDir,
  })
  onTestFinished(() => suite.kill())

  const suiteSays = listen(suite.stdout)
  const asked = await suiteSays.until(/(http\S+\/oauth\/authorize\S+)\s/)
  await fetch(await flow.allow(asked, running.secret))
  const said = await suiteSays.rest()
  expect(said).toContain('✓ authorization-server-metadata-endpoint: 2 passed, 0 failed')
  expect(said).toContain('✓ authorization-code-grant: 1 passed, 0 failed')
  expect(await suite.exited).toBe(0)
})
