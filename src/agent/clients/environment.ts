import { Refusal } from '../../errors.ts'
import type { Environment } from '../config.ts'
import { CLIENTS, type Client, requireClient } from './clients.ts'
import type { Machine } from './machine.ts'
import { readRegistration, toAgentEnvironment } from './registration.ts'

/** The environment in which to act for a client, whose settings may contain key and address. @throws Refusal for settings that cannot be read. */
export async function readClientEnvironment(client: Client, machine: Machine): Promise<Environment> {
  const registration = await readRegistration(client, machine)
  return registration === undefined ? machine.environment : toAgentEnvironment(registration, machine.environment)
}

/**
 * The environment with this machine's key. It comes from the settings of the named client; without a name from this process or, if that has no key, from the
 * clients whose settings contain one.
 *
 * @throws Refusal for an unknown client, and if clients have different keys.
 */
export async function findKeyEnvironment(machine: Machine, clientId?: string): Promise<Environment> {
  if (clientId !== undefined) return readClientEnvironment(requireClient(clientId), machine)
  if (machine.environment.SVC_API_KEY || machine.environment.SVC_API_KEY_FILE) return machine.environment
  const found = await Promise.all(CLIENTS.map(async (client) => ({ id: client.id, environment: await readOrNothing(client, machine) })))
  const withKey = found.filter(({ environment }) => environment.SVC_API_KEY || environment.SVC_API_KEY_FILE)
  const different = [...new Map(withKey.map((one) => [toName(one.environment), one])).values()]
  if (different.length > 1)
    throw new Refusal(`assistants here have keys of their own; name one with --client: ${withKey.map(({ id }) => id).join(', ')}`)
  return different[0]?.environment ?? machine.environment
}

const toName = ({ SVC_API_KEY, SVC_API_KEY_FILE, SVC_ENDPOINT }: Environment) =>
  JSON.stringify([SVC_API_KEY, SVC_API_KEY_FILE, SVC_ENDPOINT])

/** Unreadable settings of one client do not prevent use of the others. */
function readOrNothing(client: Client, machine: Machine): Promise<Environment> {
  return readClientEnvironment(client, machine).catch((error) => {
    if (error instanceof Refusal) return {}
    throw error
  })
}
