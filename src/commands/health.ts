import { Command } from 'commander'
import { Refusal } from '../errors.ts'
import type { Cli } from './cli.ts'
import { askReadiness, toReason } from './ready.ts'
import { loadConfig } from './settings.ts'

/** `memsvc health`: exit status 0 if the configured service answers and is ready; for containers and supervisors. */
export function healthCommand(cli: Cli): Command {
  return new Command('health')
    .description('ask the running service whether it is ready')
    .option('--json', 'print one JSON value')
    .action(async ({ json }: { json?: true }) => {
      const readiness = await askReadiness(await loadConfig(cli))
      const { url, ready, answer } = readiness
      if (json) await cli.out(`${JSON.stringify({ url, ready, ...(answer ?? { status: null }) })}\n`)
      if (!ready) throw new Refusal(toReason(readiness))
      const damaged = answer?.damaged ?? []
      if (!json) await cli.out(damaged.length === 0 ? 'ready\n' : `ready, but damaged: ${damaged.join(', ')}; 'memsvc doctor' tells more\n`)
    })
}
