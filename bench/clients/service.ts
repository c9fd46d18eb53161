import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../test/free-port.ts'
import { waitUntil } from '../../test/wait-until.ts'

/**
 * The built executable on a temporary folder, with the reference server behind an integration of all its read-only
 * tools.
 */
export async function startBenchedService(root: string) {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-clients-'))
  const [port, upstreamPort] = [findFreePort(), findFreePort()]
  const env = {
    ...process.env,
    SVC_DATA_DIR: folder,
    SVC_PORT: String(port),
    SVC_OUTBOUND_ALLOW: '127.0.0.1',
    SVC_OAUTH_CLIENT_DOCUMENTS: 'off',
    SVC_BACKUP_EVERY: 'off',
  }
  const memsvc = join(root, 'dist/memsvc')
  const everything = Bun.spawn(
    ['node', join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'streamableHttp'],
    {
      env: { ...process.env, PORT: String(upstreamPort) },
      stdout: 'ignore',
      stderr: 'ignore',
    },
  )
  const served = Bun.spawn([memsvc, 'serve'], { env, stdout: 'ignore', stderr: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const answers = (address: string) =>
    fetch(address).then(
      () => true,
      () => false,
    )
  await waitUntil('the service answers', () => answers(`${url}/healthz`))
  await waitUntil('the reference server answers', () => answers(`http://127.0.0.1:${upstreamPort}/mcp`))

  async function run(...args: string[]): Promise<string> {
    const ran = Bun.spawn([memsvc, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()])
    if ((await ran.exited) !== 0) throw new Error(`memsvc ${args.join(' ')}: ${err}`)
    return out
  }

  await run('integration', 'add', 'everything', '--url', `http://127.0.0.1:${upstreamPort}/mcp`, '--timeout', '600')

  return {
    url,
    /** A key of a new project with the integration, whose tools are named as a client of this kind needs it. */
    issueKey: async (project: string, kind: string) => {
      await run('project', 'add', project)
      await run('integration', 'enable', 'everything', '--project', project)
      return (
        JSON.parse(await run('key', 'issue', '--project', project, '--client', kind, '--json')) as { key: string }
      ).key
    },
    stop: async () => {
      served.kill()
      everything.kill()
      await Promise.all([served.exited, everything.exited])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
