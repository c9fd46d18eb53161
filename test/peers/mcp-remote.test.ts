import { expect, onTestFinished, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connectTo } from '../http/oauth/flow.ts'
import { startService } from '../start-service.ts'
import { listen } from './listen.ts'

test('lets mcp-remote in, and serves the assistant behind it', async () => {
  const running = await startService()
  const empty = join(running.service.config.dataDir, 'empty')
  await mkdir(empty)
  const program = Bun.resolveSync('mcp-remote/dist/proxy.js', import.meta.dir)
  const proxy = Bun.spawn([process.execPath, program, `${running.url}/mcp`], {
    // With nothing on its path it finds no browser, and prints the address instead.
    env: { PATH: empty, HOME: empty, MCP_REMOTE_CONFIG_DIR: empty },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  onTestFinished(() => proxy.kill())

  const said = listen(proxy.stderr)
  const answers = listen(proxy.stdout)
  const asked = await said.until(/visiting:\s+(http\S+)\s/)
  await said.until(/(Waiting for auth)/)
  const back = await connectTo(running.url).allow(asked, running.secret)
  expect((await fetch(back)).status).toBe(200)

  const ask = async (id: number, method: string, params: object) => {
    proxy.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    await proxy.stdin.flush()
    return JSON.parse(await answers.until(/^(\{.*\})\n/m)) as { id: number; result: Record<string, unknown> }
  }
  const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  expect(await ask(1, 'initialize', info)).toMatchObject({ id: 1, result: { serverInfo: { name: 'memsvc' } } })
  expect((await ask(2, 'tools/list', {})).result.tools).toBeArrayOfSize(4)
  const called = await ask(3, 'tools/call', { name: 'remember', arguments: { content: 'The build runs on Bun' } })
  expect(called).toMatchObject({ id: 3, result: { isError: false } })
})
