import { Command } from 'commander'
import { runAgent } from '../agent/agent.ts'
import { SECOND_MS } from '../clock.ts'
import type { Cli } from './cli.ts'
import { statusCommand } from './status.ts'

/** Interval at which the agent checks that its parent process still runs. */
const PARENT_INTERVAL_MS = SECOND_MS

const TYPED = "memsvc agent: an assistant starts this and speaks to it; to check the connection run 'memsvc status'"

/** `memsvc agent` */
export function agentCommand(cli: Cli): Command {
  const command = new Command('agent').addCommand(statusCommand(cli))
  return command
    .description(
      'connect an assistant that starts local servers: MCP on standard input and output, relayed to the service',
    )
    .action(async () => {
      if (cli.isInputTerminal) command.error(TYPED, { exitCode: 2 })
      const report = (text: string) => cli.err(`memsvc agent: ${text}\n`)
      sendLogsToErr()
      const ended = Promise.race([cli.interrupted(), parentEnds(cli)])
      await runAgent({ ...cli, input: cli.input(), write: cli.outBytes, now: cli.clock.now, report, ended })
    })
}

/** Sends log output of libraries to standard error, since standard output carries the protocol. */
function sendLogsToErr(): void {
  console.log = console.error
  console.info = console.error
  console.debug = console.error
}

/** Resolves when the parent process has ended, which shows as another parent id. */
function parentEnds({ parentId }: Cli): Promise<void> {
  const first = parentId()
  return new Promise((resolve) => {
    setInterval(() => parentId() !== first && resolve(), PARENT_INTERVAL_MS).unref()
  })
}
