import { Command, CommanderError } from 'commander'
import { DataError, Refusal } from '../errors.ts'
import { VERSION } from '../version.ts'
import { accountCommand } from './account.ts'
import { auditCommand } from './audit.ts'
import type { Cli } from './cli.ts'
import { connectionCommand } from './connection.ts'
import { departmentCommand } from './department.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { guardCommand } from './guard.ts'
import { healthCommand } from './health.ts'
import { importCommand } from './import.ts'
import { integrationCommand } from './integration/integration.ts'
import { keyCommand } from './key/key.ts'
import { memberCommand } from './member/member.ts'
import { projectCommand } from './project.ts'
import { recordCommand } from './record/record.ts'
import { reindexCommand } from './reindex.ts'
import { searchCommand } from './search.ts'
import { serveCommand } from './serve.ts'
import { subscriptionCommand } from './subscription.ts'
import { workspaceCommand } from './workspace.ts'

/** In the order of `memsvc --help`. */
const COMMANDS: ((cli: Cli) => Command)[] = [
  serveCommand,
  healthCommand,
  accountCommand,
  subscriptionCommand,
  departmentCommand,
  memberCommand,
  projectCommand,
  keyCommand,
  connectionCommand,
  workspaceCommand,
  recordCommand,
  searchCommand,
  importCommand,
  exportCommand,
  guardCommand,
  auditCommand,
  integrationCommand,
  doctorCommand,
  reindexCommand,
]

/** Runs one command line. Returns the exit status: 0 for success, 1 for a refusal or failure, 2 for a command line that cannot be parsed. */
export async function run(cli: Cli, args: string[]): Promise<number> {
  const program = createProgram(cli)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    cli.err(`memsvc: ${toText(error)}\n`)
    return 1
  }
}

function toText(error: unknown): string {
  if (error instanceof Refusal || error instanceof DataError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function createProgram(cli: Cli): Command {
  const program = new Command('memsvc').description('a memory service for AI assistants').version(VERSION)
  for (const make of COMMANDS) program.addCommand(make(cli))
  for (const command of allOf(program))
    command.exitOverride().configureOutput({ writeOut: cli.out, writeErr: cli.err }).showHelpAfterError('(add --help to see what it takes)')
  return program
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]
