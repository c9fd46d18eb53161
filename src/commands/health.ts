import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { Refusal } from '../errors.ts'
import type { Cli } from './cli.ts'

/** How long the service may take to answer, in milliseconds. */
const PATIENCE = 4_000

/** `memsvc health`: status 0 when the service of these settings answers and can write; for containers and supervisors. */
export function healthCommand(cli: Cli): Command {
  return new Command('health').description('ask the running service whether it is ready').action(async () => {
    const { host, port } = readConfig(cli.environment)
    const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
    const address = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => undefined)
    if (answer === undefined) throw new Refusal(`nothing answers at ${address}`)
    if (!answer.ok) throw new Refusal(`the service at ${address} is not ready`)
    cli.out('ready\n')
  })
}
