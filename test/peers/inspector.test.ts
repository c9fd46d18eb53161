import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openTestService } from '../start-service.ts'

let running: Awaited<ReturnType<typeof openTestService>>

beforeAll(async () => {
  running = await openTestService()
})

afterAll(() => running.stop())

/** Runs the Inspector's command line with a configuration file, where the era of the protocol can be set. */
async function inspect(era: 'legacy' | 'modern', ...args: string[]) {
  const folder = running.service.config.dataDir
  const config = join(folder, `${era}.json`)
  const headers = { Authorization: `Bearer ${running.secret}` }
  const server = { type: 'streamable-http', url: `${running.url}/mcp`, headers, protocolEra: era }
  await Bun.write(config, JSON.stringify({ mcpServers: { memsvc: server } }))
  const program = Bun.resolveSync('@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.dir)
  const options = ['--cli', '--config', config, '--server', 'memsvc', '--stored-auth-only', '--format', 'json', ...args]
  const env = { ...process.env, HOME: folder, MCP_INSPECTOR_SECRET_STORE: 'memory' }
  const ran = Bun.spawn([process.execPath, program, ...options], { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = [await new Response(ran.stdout).text(), await new Response(ran.stderr).text()]
  return { code: await ran.exited, out: JSON.parse(out || 'null'), err }
}

test.each(['legacy', 'modern'] as const)(
  'serves the Inspector in the %s era, and its schemas are portable',
  async (era) => {
    const listed = await inspect(era, '--method', 'tools/list', '--strict')
    expect([listed.code, listed.err]).toEqual([0, expect.not.stringContaining('Issue:')])
    expect(listed.out.result.tools).toBeArrayOfSize(5)
    const saved = await inspect(
      era,
      '--method',
      'tools/call',
      '--tool-name',
      'remember',
      '--tool-arg',
      `content=said in the ${era} era`,
    )
    expect(saved.code).toBe(0)
    const found = await inspect(era, '--method', 'tools/call', '--tool-name', 'search', '--tool-arg', `query=${era}`)
    expect(found.out.result.structuredContent.result).toMatchObject([{ content: `said in the ${era} era` }])
    const refused = await inspect(
      era,
      '--method',
      'tools/call',
      '--tool-name',
      'search',
      '--tool-arg',
      'query=x',
      'limit=0',
    )
    expect([refused.code, refused.out.result.isError]).toEqual([5, true])
  },
)
