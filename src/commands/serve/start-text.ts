import { lookup } from 'node:dns/promises'
import { ENTRY_PATH } from '../../account/auth/entry-link.ts'
import type { FirstRun } from '../../account/organizations/first-run.ts'
import { toSpan } from '../../clock.ts'
import { toKeepText } from '../../config/values.ts'
import type { Config } from '../../config.ts'
import { findUnreadable } from '../../gateway/credentials.ts'
import { checkPublicUrl } from '../../http/public-url.ts'
import { findBackupPlan, isOnDataDisk } from '../../maintenance/back-up-in-folder.ts'
import type { Service } from '../../service.ts'
import { toShownLocation } from '../../store/open-store.ts'
import type { Cli } from '../cli.ts'
import { handOverFirstKey } from './first-key.ts'

/** `url` is the address on this machine; `created` is the result of the first run, whose key is shown only once. */
type Started = { url: string; created: FirstRun | undefined }

/**
 * Prints the addresses and where the data is: as text on a terminal, otherwise as a line of the log. Hands over the
 * result of the first run.
 */
export async function announceStart(cli: Cli, service: Service, { url, created }: Started): Promise<void> {
  const { config, log, version } = service
  const baseUrl = config.publicUrl ?? url
  const addresses = { endpoint: `${baseUrl}/mcp`, console: `${baseUrl}/console`, data: toShownLocation(config) }
  if (created !== undefined) await handOverFirstKey(cli, service, toWelcome(created, baseUrl, addresses, config))
  if (!cli.isTerminal) log('serving', { address: url, ...addresses, version })
  else if (created === undefined) cli.err(toNotice(addresses, url, version))
  announceBackups(cli, service)
}

/** Says where backups are made, how often and which are kept, and warns if that is the disk of the data. */
function announceBackups(cli: Cli, { config, log }: Service): void {
  const plan = findBackupPlan(config)
  if (plan?.everyMs === undefined) return
  const { folder, keep } = plan
  const rules = { every: toSpan(plan.everyMs), keep: keep === undefined ? 'all' : toKeepText(keep) }
  const isAtRisk = isOnDataDisk(plan, config)
  if (cli.isTerminal)
    cli.err(`Backups   ${folder} (every ${rules.every}, keeping ${rules.keep})\n${isAtRisk ? SAME_DISK : ''}`)
  else {
    log('backups are made', { folder, ...rules })
    if (isAtRisk) log('backups are on the disk of the data', { folder })
  }
}

const SAME_DISK = `          They are on the same disk as the data: copy them to another machine, or name another disk in SVC_BACKUP_DIR.
`

/** Prints that the service is about to stop. */
export function announceStop(cli: Cli, { log }: Service): void {
  if (cli.isTerminal) cli.err('\nmemsvc stops.\n')
  else log('stopping')
}

/** Warns if hosted assistants could not connect under the configured public URL, with the reason. */
export async function warnOfPublicUrl(cli: Cli, { config: { publicUrl }, log }: Service): Promise<void> {
  if (publicUrl === undefined) return
  for (const fault of await checkPublicUrl(publicUrl, (host) => lookup(host, { all: true }))) {
    if (cli.isTerminal) cli.err(`Warning: ${fault}\n`)
    else log('public address', { fault })
  }
}

/**
 * Warns if credentials were encrypted with a key that is not here, as when instances on one database have different
 * ones.
 */
export async function warnOfCredentials(cli: Cli, service: Service): Promise<void> {
  const unreadable = await findUnreadable(service)
  if (unreadable.length === 0) return
  const integrations = unreadable.join(', ')
  if (cli.isTerminal)
    cli.err(`Warning: no key decrypts the credentials of these integrations; see SVC_SECRET_KEY: ${integrations}\n`)
  else service.log('credentials cannot be decrypted', { integrations })
}

type Addresses = { endpoint: string; console: string; data: string }

function toNotice({ endpoint, console, data }: Addresses, url: string, version: string): string {
  return `memsvc ${version} serves at ${url}.

Endpoint  ${endpoint}
Console   ${console}
Data      ${data}

Ctrl-C stops it.
`
}

function toWelcome(
  { account, project, secret, entry }: FirstRun,
  baseUrl: string,
  { endpoint, data }: Addresses,
  config: Config,
): string {
  const found =
    config.databaseUrl === undefined
      ? 'A new folder. Other commands find it by SVC_DATA_DIR; without it they take ./data.'
      : 'A new database. Other commands find it by SVC_DATABASE_URL; they and other instances need the same SVC_SECRET_KEY.'
  const client = {
    mcpServers: { memsvc: { type: 'http', url: endpoint, headers: { Authorization: `Bearer ${secret}` } } },
  }
  return `memsvc is ready: account '${account.name}', project '${project.name}'.

Endpoint  ${endpoint}
Key       ${secret}
          Keep it now: it cannot be shown again. 'memsvc key issue --project ${project.name}' makes another.
Console   ${baseUrl}${ENTRY_PATH}${entry}
          Choose a password there within 48 hours; the link works once. 'memsvc member link' makes another.
Data      ${data}
          ${found}

Configuration for an MCP client:
${JSON.stringify(client, null, 2)}

`
}
