import type { Environment } from '../agent/config.ts'
import { readServeAddress } from '../serve-address.ts'
import type { Cli } from './cli.ts'
import { machineOf } from './machine.ts'

/** The option that names whose key is used. */
export const CLIENT_OPTION = { '--client <client>': 'use key and address in the settings of this client' }

/**
 * The environment in which a command calls the service: with the key of this process, otherwise that in the settings of
 * a client, the first in the order of `memsvc client list` unless one is named. Says on standard error whose key it is.
 * A key of this process without an address is for the service of the data folder, if one was served there.
 *
 * @throws Refusal for an unknown client, and for settings of the named one that cannot be read.
 */
export async function findConnection(cli: Cli, { client }: { client?: string }): Promise<Environment> {
  // Loaded only here, since `memsvc agent`, which has `status` below it, must stay small.
  const { listKeys } = await import('../agent/clients/registration.ts')
  const [first, ...others] = await listKeys(machineOf(cli), client)
  const [own] = first?.clients ?? []
  const rest =
    others.length === 0 ? '' : `; --client names another: ${others.flatMap(({ clients }) => clients).join(', ')}`
  if (own !== undefined) cli.err(`The key of ${own} is used${rest}\n`)
  const environment = first?.environment ?? cli.environment
  if (environment.SVC_ENDPOINT || environment !== cli.environment) return environment
  return { ...environment, SVC_ENDPOINT: readServeAddress(environment.SVC_DATA_DIR || 'data') }
}
