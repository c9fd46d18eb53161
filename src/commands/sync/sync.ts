import { ASSISTANTS } from '../../transcripts/format.ts'
import { commandGroup, localCommand } from '../command.ts'
import { toChoice } from '../terminal/text.ts'

/** The key that a command uses. */
const CLIENT = {
  '--client <client>': "if SVC_API_KEY is not set: the client whose key to use, by its name in 'memsvc client list'",
}
const YES = { '-y, --yes': 'do not ask' }
const SESSION = {
  '[session]': 'id of a session, of its assistant or as in the list of memsvc history, or its beginning',
}

const ENABLE_HELP = `
Nothing is uploaded before this, and nothing that an assistant says can start it. Credentials of known form are removed on this
machine, before anything leaves it. SVC_SYNC=off in the environment of an agent forbids uploads, whatever was agreed.

Examples:
  memsvc sync enable --dry-run
  memsvc sync enable ~/work/shop ~/work/api --since 2026-11-01`

/** The upload of this machine's session histories. The modules of its commands are loaded when one of them runs. */
export const syncCommand = commandGroup(
  'sync',
  'upload the session histories of this machine, see the progress, stop and erase',
  [
    localCommand('status', 'show what is uploaded, the progress, and what was redacted', {
      options: { '--json': 'print one JSON value' },
      act: async (cli, options) => (await import('./status.ts')).showSyncStatus(cli, options),
    }),
    localCommand('enable', 'show what would be uploaded, ask, and upload the sessions of folders from now on', {
      arguments: {
        '[folders...]':
          'upload the sessions of these folders and all folders inside them; the current repository if none is named',
      },
      options: {
        '--since <date>': 'only sessions that were written to on or after this day: YYYY-MM-DD',
        '--suggestions <answer>': "yes to let records be suggested to you from what you type, or no; 'no' ends it too",
        '--dry-run': 'show what would be uploaded, and change nothing',
        ...YES,
        ...CLIENT,
      },
      more: ENABLE_HELP,
      act: async (cli, options, ...folders) => (await import('./plan.ts')).enableSync(cli, folders, options),
    }),
    localCommand('preview', 'show what would be uploaded of the agreed folders, or of others', {
      arguments: { '[folders...]': 'folders other than the agreed ones' },
      options: { '--sessions': 'list every session', ...CLIENT },
      act: async (cli, options, ...folders) => (await import('./plan.ts')).previewSync(cli, folders, options),
      toText: ({ text }) => text,
      toJson: ({ value }) => value,
    }),
    localCommand('pause', 'pause uploads until they are resumed', {
      act: async (cli) => (await import('./settings.ts')).pauseSync(cli),
    }),
    localCommand('resume', 'resume uploads after a pause', {
      act: async (cli) => (await import('./settings.ts')).resumeSync(cli),
    }),
    localCommand('now', 'upload now and wait until it is done, also if no assistant runs', {
      options: CLIENT,
      act: async (cli, options) => (await import('./now.ts')).syncNow(cli, options),
    }),
    localCommand(
      'exclude',
      'keep sessions on this machine although their folder is uploaded: those of folders, of an assistant, or a single one; without arguments, list what is kept',
      {
        arguments: { '[patterns...]': "folders, or globs of paths in quotes, such as '~/work/**/private'" },
        options: {
          '--assistant <name>': `all sessions of ${toChoice(ASSISTANTS)}`,
          '--session <session>': 'one session and its subagents, by the id of its assistant or its beginning',
          '--remove': 'no longer exclude them',
        },
        act: async (cli, options, ...patterns) =>
          (await import('./settings.ts')).excludeFromSync(cli, patterns, options),
      },
    ),
    localCommand('disable', 'stop uploading folders; what is uploaded stays', {
      arguments: { '[folders...]': 'all if none is named' },
      act: async (cli, _options, ...folders) => (await import('./settings.ts')).disableSync(cli, folders),
    }),
    localCommand('forget', 'erase sessions at the service, for good, and never upload them again from here', {
      arguments: SESSION,
      options: { '--all': 'all sessions uploaded from here to the project of the key', ...YES, ...CLIENT },
      act: async (cli, options, session?: string) => (await import('./erase.ts')).forgetSessions(cli, session, options),
    }),
    localCommand(
      'rescan',
      'erase sessions at the service and upload them again, for example after the redaction rules changed; only sessions that are still here',
      {
        arguments: SESSION,
        options: { '--all': 'all sessions that are still here', ...YES, ...CLIENT },
        act: async (cli, options, session?: string) =>
          (await import('./erase.ts')).rescanSessions(cli, session, options),
      },
    ),
    localCommand('console', 'print the code that opens your uploaded sessions to your sign-in in the console, once', {
      options: CLIENT,
      act: async (cli, options) => (await import('./console.ts')).printConsoleCode(cli, options),
    }),
  ],
)
