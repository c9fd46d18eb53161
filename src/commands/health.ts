import { Command } from 'commander'
import { Refusal } from '../errors.ts'
import { toLocalUrl } from './base-url.ts'
import type { Cli } from './cli.ts'
import { loadConfig } from './settings.ts'

/** Time limit for the service's answer. */
const TIMEOUT_MS = 4_000

/** `memsvc health`: exit status 0 if the configured service answers and is ready; for containers and supervisors. */
export function healthCommand(cli: Cli): Command {
  return new Command('health').description('ask the running service whether it is ready').action(async () => {
    const config = await loadConfig(cli)
    const url = toLocalUrl(config, config.port)
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
    if (answer === undefined) throw new Refusal(`nothing answers at ${url}`)
    if (!answer.ok) throw new Refusal(`the service at ${url} is not ready`)
    cli.out('ready\n')
  })
}
