import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { DamagedProject, DataError, Refusal, ServiceError, type ServiceErrorCode } from '../errors.ts'
import { maskSecrets } from '../log/mask-secrets.ts'
import { VERSION_AND_COMMIT } from '../version.ts'
import type { Cli } from './cli.ts'
import type { Load, MakeCommand } from './command.ts'
import { LOCAL_COMMANDS } from './local.ts'

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

/**
 * Exit statuses of a command that calls a service. Every other refusal and failure is 1, a command line that cannot be
 * parsed 2.
 */
const EXIT_STATUS: Partial<Record<ServiceErrorCode, number>> = {
  endpoint_invalid: 2,
  key_missing: 2,
  key_malformed: 2,
  key_rejected: 3,
  unreachable: 4,
  certificate: 4,
  broken: 4,
  timeout: 4,
  busy: 4,
  unexpected: 4,
}

/**
 * Runs one command line with these commands, in the order of `memsvc --help`. Returns the exit status; 0 is success.
 */
async function runProgram(cli: Cli, args: string[], commands: MakeCommand[]): Promise<number> {
  try {
    await parse(cli, args, commands)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return 2
    cli.err(maskSecrets(`memsvc: ${toText(error)}\n`))
    return error instanceof ServiceError ? (EXIT_STATUS[error.code] ?? 1) : 1
  }
}

async function parse(cli: Cli, args: string[], commands: MakeCommand[]): Promise<void> {
  const help: ReturnType<Cli['out']>[] = []
  const program = createProgram(cli, commands, (text) => help.push(cli.out(text)))
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    await Promise.all(help)
    // Help that was asked for ends by an exception too.
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  }
}

function toText(error: unknown): string {
  if (error instanceof DamagedProject) return `${error.fault}; '${error.remedy}' restores the project`
  if (error instanceof Refusal && error.advice !== undefined) return `${error.message}\n${error.advice}`
  if (error instanceof Refusal || error instanceof DataError || error instanceof ServiceError) return error.message
  if (!(error instanceof Error)) return String(error)
  // Errors of the operating system, such as a file without rights, are understood by their code and path, without a
  // stack trace.
  return 'syscall' in error ? error.message : (error.stack ?? error.message)
}

function createProgram(outer: Cli, commands: MakeCommand[], writeOut: (text: string) => void): Command {
  const cli = { ...outer, environment: { ...outer.environment } }
  const program = new Command('memsvc')
    .description('a memory service for AI assistants')
    .version(VERSION_AND_COMMIT)
    .option('--config <file>', "the service's settings file, instead of SVC_CONFIG; accepted by every command")
    .hook('preAction', () => {
      const { config } = program.opts<{ config?: string }>()
      if (config !== undefined) cli.environment.SVC_CONFIG = resolve(config)
    })
  for (const make of commands) program.addCommand(make(cli))
  for (const command of allOf(program))
    command
      .exitOverride()
      .configureOutput({ writeOut, writeErr: (text) => cli.err(maskSecrets(text)) })
      .showHelpAfterError('(add --help to see what it takes)')
  return program
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]
