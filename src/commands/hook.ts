import { Argument, Command, Option } from 'commander'
import { CLIENTS } from '../agent/clients/all.ts'
import { HOOK_EVENTS, type HookEvent } from '../agent/clients/hooks.ts'
import { runHook } from '../agent/hooks/run-hook.ts'
import type { Cli } from './cli.ts'
import { machineOf } from './machine.ts'

const WITH_HOOKS = CLIENTS.filter(({ hooks }) => hooks !== undefined).map(({ id }) => id)

/** `memsvc hook`: what clients run at events of a session. Exit status 0 whatever happens, so that no session is disturbed. */
export function hookCommand(cli: Cli): Command {
  return new Command('hook')
    .description('for assistants, which run it at events of a session: tells their model what the project memory holds')
    .addArgument(new Argument('<event>', 'what happens').choices(HOOK_EVENTS))
    .addOption(new Option('--client <client>', 'who runs it').choices(WITH_HOOKS).default('claude-code'))
    .action(async (event: HookEvent, { client: clientId }: { client: string }) => {
      const call = { event, clientId, machine: machineOf(cli), input: cli.input(), dir: process.cwd(), now: cli.clock.now() }
      const output = await runHook(call)
      if (output !== undefined) await cli.out(`${output}\n`)
    })
}
