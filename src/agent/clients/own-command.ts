import { type Launch, SERVER_NAME } from '../../mcp-clients.ts'
import { type Client, findExecutable } from './clients.ts'
import type { Machine } from './machine.ts'

/** Clients take some seconds at their first start. */
const TIMEOUT_MS = 20_000

/**
 * Adds the server by the client's own command, if it has one, since it knows best where its settings are. Keys are never among its arguments, which other
 * users could read; such values are left to the edit of the file that follows, and so are failures.
 */
export async function addByOwnCommand(client: Client, machine: Machine, launch: Launch): Promise<void> {
  const executable = findExecutable(client, machine)
  if (executable === undefined || client.addArguments === undefined) return
  const { reference } = client
  const variables = Object.entries(launch.variables).map(([name, value]) => [
    name,
    name === 'SVC_API_KEY' ? (reference?.(name) ?? '') : value,
  ])
  const words = client.addArguments(SERVER_NAME, { ...launch, variables: Object.fromEntries(variables) })
  const env = { ...machine.environment, HOME: machine.home }
  try {
    await Bun.spawn([executable, ...words], { env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore', timeout: TIMEOUT_MS }).exited
  } catch {
    // It cannot be started, for example because it is for another processor.
  }
}
