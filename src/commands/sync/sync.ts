import { Command } from 'commander'
import type { Cli } from '../cli.ts'

/** `memsvc sync …`: the upload of this machine's session histories. The commands' modules are loaded when one of them runs. */
export function syncCommand(cli: Cli): Command {
  const command = new Command('sync').description('upload the session histories of this machine, see the progress, stop and erase')
  const all = [status, enable, preview, pause, resume, now, exclude, disable, forget, rescan, consoleCode].map((make) => make(cli))
  for (const one of all) command.addCommand(one)
  return command
}

function status(cli: Cli): Command {
  return withJson(new Command('status').description('show what is uploaded, the progress, and what was redacted')).action(async (options) =>
    (await import('./status.ts')).showSyncStatus(cli, options),
  )
}

function enable(cli: Cli): Command {
  const command = new Command('enable')
    .description('show what would be uploaded, ask, and upload the sessions of folders from now on')
    .argument('[folders...]', 'upload the sessions of these folders and all folders inside them; the current repository if none is named')
    .option('--since <date>', 'only sessions that were written to on or after this day: YYYY-MM-DD')
    .option('--dry-run', 'show what would be uploaded, and change nothing')
    .option('-y, --yes', 'do not ask')
  return withClient(command)
    .addHelpText('after', ENABLE_HELP)
    .action(async (folders: string[], options) => (await import('./enable.ts')).enableSync(cli, folders, options))
}

const ENABLE_HELP = `
Nothing is uploaded before this, and nothing that an assistant says can start it. Credentials of known form are removed on this
machine, before anything leaves it. SVC_SYNC=off in the environment of an agent forbids uploads, whatever was agreed.

Examples:
  memsvc sync enable --dry-run
  memsvc sync enable ~/work/shop ~/work/api --since 2026-11-01`

function preview(cli: Cli): Command {
  const command = new Command('preview')
    .description('show what would be uploaded of the agreed folders, or of others')
    .argument('[folders...]', 'folders other than the agreed ones')
    .option('--sessions', 'list every session')
  return withJson(withClient(command)).action(async (folders: string[], options) =>
    (await import('./preview.ts')).previewSync(cli, folders, options),
  )
}

function pause(cli: Cli): Command {
  return new Command('pause')
    .description('pause uploads until they are resumed')
    .action(async () => (await import('./settings.ts')).pauseSync(cli))
}

function resume(cli: Cli): Command {
  return new Command('resume')
    .description('resume uploads after a pause')
    .action(async () => (await import('./settings.ts')).resumeSync(cli))
}

function now(cli: Cli): Command {
  return withClient(new Command('now').description('upload now and wait until it is done, also if no assistant runs')).action(
    async (options) => (await import('./now.ts')).syncNow(cli, options),
  )
}

function exclude(cli: Cli): Command {
  return new Command('exclude')
    .description('keep the sessions of folders on this machine although a folder around them is uploaded; without arguments, list them')
    .argument('[patterns...]', "folders, or globs of paths in quotes, such as '~/work/**/private'")
    .option('--remove', 'no longer exclude them')
    .action(async (patterns: string[], options) => (await import('./settings.ts')).excludeFromSync(cli, patterns, options))
}

function disable(cli: Cli): Command {
  return new Command('disable')
    .description('stop uploading folders; what is uploaded stays')
    .argument('[folders...]', 'all if none is named')
    .action(async (folders: string[]) => (await import('./settings.ts')).disableSync(cli, folders))
}

function forget(cli: Cli): Command {
  const command = new Command('forget')
    .description('erase sessions at the service, for good, and never upload them again from here')
    .argument('[session]', 'id of a session, of its assistant or as in the list of memsvc history, or its beginning')
    .option('--all', 'all sessions uploaded from here to the project of the key')
    .option('-y, --yes', 'do not ask')
  return withClient(command).action(async (session: string | undefined, options) =>
    (await import('./erase.ts')).forgetSessions(cli, session, options),
  )
}

function rescan(cli: Cli): Command {
  const command = new Command('rescan')
    .description(
      'erase sessions at the service and upload them again, for example after the redaction rules changed; only sessions that are still here',
    )
    .argument('[session]', 'id of a session, of its assistant or as in the list of memsvc history, or its beginning')
    .option('--all', 'all sessions that are still here')
    .option('-y, --yes', 'do not ask')
  return withClient(command).action(async (session: string | undefined, options) =>
    (await import('./erase.ts')).rescanSessions(cli, session, options),
  )
}

function consoleCode(cli: Cli): Command {
  return withClient(
    new Command('console').description('print the code that opens your uploaded sessions to your sign-in in the console, once'),
  ).action(async (options) => (await import('./console.ts')).printConsoleCode(cli, options))
}

const withJson = (command: Command) => command.option('--json', 'print one JSON value')
const withClient = (command: Command) =>
  command.option('--client <client>', "if SVC_API_KEY is not set: the client whose key to use, by its name in 'memsvc client list'")
