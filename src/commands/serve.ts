import { lookup } from 'node:dns/promises'
import { Command } from 'commander'
import { ENTRY_PATH } from '../account/auth/entry-link.ts'
import { type FirstRun, firstRun } from '../account/organizations/first-run.ts'
import { startUpkeep } from '../account/upkeep.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { Refusal } from '../errors.ts'
import { requireKeyring } from '../gateway/keyring.ts'
import { loadGuard } from '../guard/inspect.ts'
import { checkPublicUrl } from '../http/public-url.ts'
import { purgeTrash } from '../memory/records/purge.ts'
import { reindexOld } from '../memory/search/reindex.ts'
import type { Service } from '../service.ts'
import { takeServeLock } from '../store/sqlite/serve-lock.ts'
import { toLocalUrl } from './base-url.ts'
import { type Cli, withService } from './cli.ts'
import { repeat } from './repeat.ts'

/** Time given to calls in flight once the process is asked to end, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 5_000
const HOUR_MS = 3_600_000

/** `memsvc serve`: answers assistants until the process is asked to end; on a new data folder, makes what is needed first. */
export function serveCommand(cli: Cli): Command {
  return new Command('serve')
    .description('start the service; a new data folder gets an account, a project and a key')
    .action(() => serve(cli))
}

async function serve(cli: Cli): Promise<void> {
  const release = takeServeLock(readConfig(cli.environment).dataDir)
  await withService(
    cli,
    async (service) => {
      loadGuard()
      const app = listen(service)
      const made = await firstRun(service)
      if (made !== undefined) requireKeyring(service)
      const url = toLocalUrl(service.config, app.server?.port ?? service.config.port)
      if (made !== undefined) cli.out(welcome(made, service.config.publicUrl ?? url))
      service.log('serving', { address: url, data: service.config.dataDir, version: service.version })
      const endUpkeep = startUpkeep(service)
      let stopped = false
      const reindexing = reindexOld(service, () => stopped)
      const purging = repeat(HOUR_MS, (isStopped) =>
        purgeTrash(service, isStopped).catch((error) => service.log('purge failed', { error: String(error) })),
      )
      void notePublicUrl(service)
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
    { mayMake: true },
  )
  release()
}

/** Throws a Refusal where the address cannot be had: before a first run, whose key would be lost with it. */
function listen(service: Service) {
  const { host: hostname, port } = service.config
  const app = createApp(service)
  try {
    return app.listen({ hostname, port })
  } catch {
    throw new Refusal(`cannot listen on ${hostname}:${port}; another program may have that port: set SVC_PORT to a free one`)
  }
}

/** What is wrong with the public address is said at the start, not found out by somebody's assistant. */
async function notePublicUrl({ config, log }: Service): Promise<void> {
  const faults = await checkPublicUrl(config.publicUrl, (host) => lookup(host, { all: true }))
  for (const fault of faults) log('public address', { fault })
}

function welcome({ account, project, secret, entry }: FirstRun, origin: string): string {
  const endpoint = `${origin}/mcp`
  const client = { mcpServers: { memsvc: { type: 'http', url: endpoint, headers: { Authorization: `Bearer ${secret}` } } } }
  return `memsvc is ready: account '${account.name}', project '${project.name}'.

Endpoint  ${endpoint}
Key       ${secret}
          Keep it now: it cannot be shown again. 'memsvc key issue --project ${project.name}' makes another.
Console   ${origin}${ENTRY_PATH}${entry}
          Choose a password there within 48 hours; the link works once. 'memsvc member link' makes another.

Configuration for an MCP client:
${JSON.stringify(client, null, 2)}

`
}
