import type { Cli } from './cli.ts'
import type { Load } from './command.ts'
import { LOCAL_COMMANDS } from './local.ts'
import { runProgram } from './program.ts'

/** In the order of `memsvc --help`. */
const COMMANDS: ReadonlyMap<string, Load> = new Map([
  ['serve', async () => (await import('./serve/serve.ts')).serveCommand],
  ['config', async () => (await import('./config.ts')).configCommand],
  ['health', async () => (await import('./ready.ts')).healthCommand],
  ['account', async () => (await import('./account.ts')).accountCommand],
  ['subscription', async () => (await import('./subscription.ts')).subscriptionCommand],
  ['department', async () => (await import('./department.ts')).departmentCommand],
  ['member', async () => (await import('./member/member.ts')).memberCommand],
  ['project', async () => (await import('./project.ts')).projectCommand],
  ['key', async () => (await import('./key.ts')).keyCommand],
  ['connection', async () => (await import('./connection.ts')).connectionCommand],
  ['workspace', async () => (await import('./workspace.ts')).workspaceCommand],
  ['record', async () => (await import('./record/record.ts')).recordCommand],
  ['search', async () => (await import('./search.ts')).searchCommand],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['export', async () => (await import('./export.ts')).exportCommand],
  ['guard', async () => (await import('./guard.ts')).guardCommand],
  ['audit', async () => (await import('./audit.ts')).auditCommand],
  ['usage', async () => (await import('./usage.ts')).usageCommand],
  ['calls', async () => (await import('./calls.ts')).callsCommand],
  ['integration', async () => (await import('./integration/integration.ts')).integrationCommand],
  ['backup', async () => (await import('./backup/backup.ts')).backupCommand],
  ['restore', async () => (await import('./backup/restore.ts')).restoreCommand],
  ['move', async () => (await import('./move.ts')).moveCommand],
  ['database', async () => (await import('./database.ts')).databaseCommand],
  ['reindex', async () => (await import('./reindex.ts')).reindexCommand],
  ['completion', async () => (await import('./completion.ts')).completionCommand],
  ...LOCAL_COMMANDS,
])

/** It lists all commands. */
const COMPLETION = 'completion'

/**
 * Runs one command line. Returns the exit status: 0 for success, 1 for a refusal or failure, 2 for a command line that
 * cannot be parsed. Only the module of the command that it begins with is loaded, or all of them if it begins with
 * none: they take a quarter of a second and 10 MB.
 */
export async function run(cli: Cli, args: string[]): Promise<number> {
  const [name = ''] = args
  const load = name === COMPLETION ? undefined : COMMANDS.get(name)
  const makers = await Promise.all((load === undefined ? [...COMMANDS.values()] : [load]).map((one) => one()))
  return runProgram(cli, args, makers)
}
