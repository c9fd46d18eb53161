import { Command } from 'commander'
import { CLIENTS } from '../agent/clients/clients.ts'
import { HOOK_EVENTS } from '../agent/clients/hooks.ts'
import { runHook } from '../agent/hooks/run-hook.ts'
import type { Cli } from './cli.ts'
import { machineOf } from './machine.ts'

/**
 * `memsvc hook`: run by clients at events of a session. The exit status is always 0, also for arguments unknown to this
 * version: some clients take 2 as an order to block the user's prompt.
 */
export function hookCommand(cli: Cli): Command {
  return new Command('hook')
    .description(
      'for assistants, which run it at events of a session: tell their model what the project memory contains',
    )
    .argument('[event]', HOOK_EVENTS.join(', '))
    .option('--client <client>', 'the client that runs it', 'claude-code')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (name: string | undefined, { client: clientId }: { client: string }) => {
      const event = HOOK_EVENTS.find((one) => one === name)
      if (event === undefined || !CLIENTS.some(({ id, hooks }) => id === clientId && hooks !== undefined)) return
      const call = {
        event,
        clientId,
        machine: machineOf(cli),
        input: cli.input(),
        dir: process.cwd(),
        now: cli.clock.now(),
      }
      const output = await runHook(call)
      if (output !== undefined) await cli.out(`${output}\n`)
    })
}
