import { accountCommand } from './account.ts'
import { auditCommand } from './audit.ts'
import { backupCommand } from './backup/backup.ts'
import { restoreCommand } from './backup/restore.ts'
import type { Cli } from './cli.ts'
import type { MakeCommand } from './command.ts'
import { completionCommand } from './completion.ts'
import { configCommand } from './config.ts'
import { connectionCommand } from './connection.ts'
import { departmentCommand } from './department.ts'
import { exportCommand } from './export.ts'
import { guardCommand } from './guard.ts'
import { importCommand } from './import.ts'
import { integrationCommand } from './integration/integration.ts'
import { keyCommand } from './key.ts'
import { LOCAL_COMMANDS } from './local.ts'
import { memberCommand } from './member/member.ts'
import { moveCommand } from './move.ts'
import { runProgram } from './program.ts'
import { projectCommand } from './project.ts'
import { healthCommand } from './ready.ts'
import { recordCommand } from './record/record.ts'
import { reindexCommand } from './reindex.ts'
import { searchCommand } from './search.ts'
import { serveCommand } from './serve/serve.ts'
import { subscriptionCommand } from './subscription.ts'
import { usageCommand } from './usage.ts'
import { workspaceCommand } from './workspace.ts'

/** In the order of `memsvc --help`. */
const COMMANDS: MakeCommand[] = [
  serveCommand,
  configCommand,
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
  usageCommand,
  integrationCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
  reindexCommand,
  completionCommand,
  ...LOCAL_COMMANDS.values(),
]

/** Runs one command line. Returns the exit status: 0 for success, 1 for a refusal or failure, 2 for a command line that cannot be parsed. */
export function run(cli: Cli, args: string[]): Promise<number> {
  return runProgram(cli, args, COMMANDS)
}
