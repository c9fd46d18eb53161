import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { toEnvironment } from '../command-line.ts'
import { startGateway } from '../gateway/start-gateway.ts'
import { startUpstream } from '../gateway/upstreams.ts'
import { runCommand } from '../run-cli.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/integrations.md')).text()
const lines = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) => block.trim().split('\n'))

test('every command on the page does what it is asked, in the order of the page', async () => {
  const { service } = await startGateway()
  const { url } = startUpstream()
  const { clock, random, config } = service
  const file = join(config.dataDir, 'wiki-headers.txt')
  await Bun.write(file, 'Authorization: Bearer token')
  const environment = { ...toEnvironment(config), SVC_OUTBOUND_ALLOW: '127.0.0.1', WIKI_HEADERS: 'X-Team: a' }
  for (const line of lines) {
    // Nothing outside this machine is called: the page's servers are one on it.
    const here = line
      .replace('https://mcp.example.org/mcp', url)
      .replace('wiki-headers.txt', file)
      .replace('--preset github', `--preset github --url ${url}`)
    const words = here.split(' ').slice(1)
    const ran = await runCommand({ environment, clock, random }, words, { ask: async () => 'token' })
    expect({ line, ...ran }).toMatchObject({ line, status: 0, err: '' })
  }
  expect(lines.length).toBe(7)
})
