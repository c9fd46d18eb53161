import { agentCommand } from './agent.ts'
import { benchCommand } from './bench/bench.ts'
import { briefCommand } from './brief.ts'
import type { Cli } from './cli.ts'
import { clientCommand } from './client/client.ts'
import type { MakeCommand } from './command.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { historyCommand } from './history/history.ts'
import { hookCommand } from './hook.ts'
import { runProgram } from './program.ts'
import { statusCommand } from './status.ts'
import { syncCommand } from './sync/sync.ts'

/**
 * The commands of a user's machine, by name. They call a service and are not part of it (`bench` starts one): nothing imported here may load the service's
 * modules, so that the agent starts fast and stays small.
 */
export const LOCAL_COMMANDS: ReadonlyMap<string, MakeCommand> = new Map([
  ['agent', agentCommand],
  ['bench', benchCommand],
  ['brief', briefCommand],
  ['client', clientCommand],
  ['doctor', doctorCommand],
  ['history', historyCommand],
  ['hook', hookCommand],
  ['status', statusCommand],
  ['sync', syncCommand],
])

/** Runs a command line that begins with the name of a local command. Returns the exit status. */
export function runLocal(cli: Cli, args: string[]): Promise<number> {
  return runProgram(cli, args, [...LOCAL_COMMANDS.values()])
}
