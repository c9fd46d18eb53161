import { lookup } from 'node:dns/promises'
import { Command } from 'commander'
import { ENTRY_PATH } from '../account/auth/entry-link.ts'
import { type FirstRun, firstRun } from '../account/organizations/first-run.ts'
import { startUpkeep } from '../account/upkeep.ts'
import { createApp } from '../app.ts'
import { HOUR_MS } from '../clock.ts'
import { readConfig } from '../config.ts'
import { Refusal } from '../errors.ts'
import { ensureKeyring } from '../gateway/keyring.ts'
import { loadGuard } from '../guard/inspect.ts'
import { checkPublicUrl } from '../http/public-url.ts'
import { purgeTrash } from '../memory/records/purge.ts'
import { reindexOld } from '../memory/search/reindex.ts'
import type { Service } from '../service.ts'
import { takeServeLock } from '../store/open-store.ts'
import { toLocalUrl } from './base-url.ts'
import { type Cli, withService } from './cli.ts'

/** How long calls in flight may take after SIGINT or SIGTERM, before they are cut off. */
const SHUTDOWN_TIMEOUT_MS = 5_000

/** `memsvc serve`: runs the server until SIGINT or SIGTERM. A new data folder gets an account, a project and a key first. */
export function serveCommand(cli: Cli): Command {
  return new Command('serve')
    .description('start the service; a new data folder gets an account, a project and a key')
    .action(() => serve(cli))
}

async function serve(cli: Cli): Promise<void> {
  const release = await takeServeLock(readConfig(cli.environment))
  await withService(
    cli,
    async (service) => {
      loadGuard()
      const app = listen(service)
      const created = await firstRun(service)
      if (created !== undefined) await ensureKeyring(service)
      const url = toLocalUrl(service.config, app.server?.port ?? service.config.port)
      if (created !== undefined) cli.out(welcome(created, service.config.publicUrl ?? url))
      service.log('serving', { address: url, data: service.config.dataDir, version: service.version })
      const endUpkeep = startUpkeep(service)
      let stopped = false
      const reindexing = reindexOld(service, () => stopped)
      const purging = repeat(HOUR_MS, (isStopped) =>
        purgeTrash(service, isStopped).catch((error) => service.log('purge failed', { error: String(error) })),
      )
      void logPublicUrlFaults(service)
      await cli.interrupted
      endUpkeep()
      service.log('stopping')
      stopped = true
      await reindexing
      await purging.stop()
      const cut = setTimeout(() => app.server?.stop(true), SHUTDOWN_TIMEOUT_MS)
      await app.server?.stop()
      clearTimeout(cut)
    },
    { mayCreate: true },
  )
  release()
}

/** Starts to listen. Throws a Refusal where the port is taken; before the first run, since its key is printed only once. */
function listen(service: Service) {
  const { host: hostname, port } = service.config
  const app = createApp(service)
  try {
    return app.listen({ hostname, port })
  } catch {
    throw new Refusal(`cannot listen on ${hostname}:${port}; another program may have that port: set SVC_PORT to a free one`)
  }
}

/** Logs why hosted assistants could not connect under the public URL. */
async function logPublicUrlFaults({ config, log }: Service): Promise<void> {
  const faults = await checkPublicUrl(config.publicUrl, (host) => lookup(host, { all: true }))
  for (const fault of faults) log('public address', { fault })
}

function welcome({ account, project, secret, entry }: FirstRun, baseUrl: string): string {
  const endpoint = `${baseUrl}/mcp`
  const client = { mcpServers: { memsvc: { type: 'http', url: endpoint, headers: { Authorization: `Bearer ${secret}` } } } }
  return `memsvc is ready: account '${account.name}', project '${project.name}'.

Endpoint  ${endpoint}
Key       ${secret}
          Keep it now: it cannot be shown again. 'memsvc key issue --project ${project.name}' makes another.
Console   ${baseUrl}${ENTRY_PATH}${entry}
          Choose a password there within 48 hours; the link works once. 'memsvc member link' makes another.

Configuration for an MCP client:
${JSON.stringify(client, null, 2)}

`
}

type Repeated = { stop: () => Promise<void> }

/**
 * Runs `act` at once, and again `pauseMs` after each run has ended, until `stop`, which resolves when the last run has ended. `act` may ask whether it was stopped, to
 * end early, and must not throw.
 */
function repeat(pauseMs: number, act: (isStopped: () => boolean) => Promise<unknown>): Repeated {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = run()

  async function run(): Promise<void> {
    await act(() => stopped)
    if (stopped) return
    timer = setTimeout(() => {
      running = run()
    }, pauseMs)
  }

  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
