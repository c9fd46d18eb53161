/** How urgent an event is for the operator: `error` at once, `warn` when there is time, `info` not at all. */
export type Level = 'error' | 'warn' | 'info'

/** What an event means and what the operator does about it. Both texts are Markdown, for docs/monitoring.md. */
type EventNotes = { level: Level; meaning: string; todo: string }

const NOTHING = 'nothing'
/** What the page says once for all errors that are not in its table. */
const AS_SAID = 'what its `error` says, then `memsvc doctor`'

/** Every event of the log. One that asks for something of its own has a row in docs/monitoring.md too. */
export const LOG_EVENTS = {
  serving: {
    level: 'info',
    meaning: 'the service answers at `address`; its data is in the folder or database `data`',
    todo: NOTHING,
  },
  'serving metrics': { level: 'info', meaning: 'metrics are at `address`', todo: NOTHING },
  stopping: { level: 'info', meaning: 'the service was told to stop', todo: NOTHING },
  request: { level: 'info', meaning: 'a request was answered; only with `SVC_LOG=access`', todo: NOTHING },
  'lines held back': {
    level: 'warn',
    meaning: 'the event `of` had more than 60 lines in a minute',
    todo: NOTHING,
  },
  'internal error': {
    level: 'error',
    meaning: 'a fault of the program; the caller got the `request_id`',
    todo: 'report it with the line',
  },
  'an answer was broken off': {
    level: 'error',
    meaning: 'a download, an export or a large result of an integration could not be read to its end',
    todo: AS_SAID,
  },
  'not ready': {
    level: 'error',
    meaning: '`GET /readyz` answered 503',
    todo: AS_SAID,
  },
  'the storage refused to write': {
    level: 'error',
    meaning: '`acts` saves (and searches, if the storage fails) were refused since the last such line',
    todo: 'free some space (`ENOSPC`), mount for writing (`EROFS`), check the disk (`EIO`)',
  },
  'an audit line was not written': {
    level: 'error',
    meaning: 'this line stands in for a line of the audit log',
    todo: 'keep the line; fix what `error` says',
  },
  'public address': {
    level: 'warn',
    meaning: 'hosted assistants cannot connect under `SVC_PUBLIC_URL`',
    todo: 'as `fault` says',
  },
  'the role of the database owns the tables': {
    level: 'warn',
    meaning: 'the role of `SVC_DATABASE_URL` could lift the policies that keep projects apart',
    todo: NOTHING,
  },
  'credentials cannot be decrypted': {
    level: 'error',
    meaning: 'the key for the credentials of these `integrations` was missing at the start',
    todo: 'give each instance the right `SVC_SECRET_KEY`, or the folder its `secret.key`; or enter the credentials again',
  },
  'the first key is in a file': {
    level: 'info',
    meaning: 'a new data folder has an account, a project and a key',
    todo: 'copy the key from `file`, and delete the file',
  },
  'the first key was not written': {
    level: 'error',
    meaning: 'the first key could not be written into its file, or printed',
    todo: 'make others with `memsvc key issue` and `memsvc member link`',
  },
  'projects of an older version are brought up to date': {
    level: 'info',
    meaning: 'their files are migrated before the service listens',
    todo: NOTHING,
  },
  'the data folder can be written again': {
    level: 'info',
    meaning: 'the service was started on a read-only folder; it saves again after a moment',
    todo: NOTHING,
  },
  'the last act was days ago': {
    level: 'info',
    meaning: 'nothing was done for `days`; for a day, purges use the time before',
    todo: 'check the clock, unless the service was unused',
  },
  'the clock has jumped': {
    level: 'warn',
    meaning: 'the clock went `days` ahead; for a day, purges use the time before',
    todo: 'check the clock',
  },
  purged: { level: 'info', meaning: 'forgotten records were erased for good', todo: NOTHING },
  'an account was erased': {
    level: 'info',
    meaning: 'an account that was removed `SVC_TRASH_DAYS` ago was erased for good, with all of its data',
    todo: NOTHING,
  },
  'purge failed': {
    level: 'error',
    meaning: 'forgotten records, old session histories or a removed account were not erased',
    todo: AS_SAID,
  },
  reindexed: { level: 'info', meaning: 'the index of a project was rebuilt', todo: NOTHING },
  'reindex failed': {
    level: 'error',
    meaning: 'the index of a project could not be rebuilt',
    todo: AS_SAID,
  },
  'suggestions failed': {
    level: 'error',
    meaning: 'nothing was suggested from the session histories of a project',
    todo: AS_SAID,
  },
  'upkeep failed': {
    level: 'error',
    meaning: 'expired sessions and old lines of the audit log were not removed',
    todo: AS_SAID,
  },
  'the store was not put in order': {
    level: 'error',
    meaning: 'segments of an index were not merged; search slows down',
    todo: AS_SAID,
  },
  'an import failed': {
    level: 'error',
    meaning: 'a fault of the program in an import of the console',
    todo: 'report it with the line',
  },
  'backups are made': {
    level: 'info',
    meaning:
      'at the start: `serve` makes a backup in `folder` at the interval `every`, and keeps those of `keep`, or all',
    todo: NOTHING,
  },
  'backups are on the disk of the data': {
    level: 'warn',
    meaning: 'if the disk of `folder` fails, the data and its backups are lost together',
    todo: 'copy them elsewhere, or set `SVC_BACKUP_DIR` to another disk',
  },
  'a backup was made': {
    level: 'info',
    meaning: 'a complete backup is in `file`; `deleted` is the number of older ones deleted',
    todo: NOTHING,
  },
  'backup failed': {
    level: 'error',
    meaning: 'no backup was made; `error` says why',
    todo: AS_SAID,
  },
  'a backup is not complete': {
    level: 'error',
    meaning: '`reason` says what is damaged or missing; no older backup was deleted',
    todo: '`memsvc doctor`; restore that from an older backup',
  },
  'check failed': { level: 'error', meaning: 'the files were not checked for damage', todo: AS_SAID },
  'the data is damaged': {
    level: 'error',
    meaning: 'the check of all files found a fault in `file`',
    todo: '`memsvc doctor` says what to do; keep older backups',
  },
  'a project is damaged': {
    level: 'error',
    meaning: 'a file of `project` is damaged, missing or of another project; other projects work',
    todo: 'run the command in `todo`; `memsvc doctor` tells more',
  },
  'questions were not kept': {
    level: 'warn',
    meaning: 'questions without an answer of the last minute are lost for the `project`',
    todo: NOTHING,
  },
  'uses were not written': { level: 'warn', meaning: 'the last use of keys is not up to date', todo: NOTHING },
  'the owner of a refused credential was not found': {
    level: 'warn',
    meaning: 'a failed sign-in has no line in the audit log',
    todo: NOTHING,
  },
  'the worker of upstreams died': {
    level: 'error',
    meaning: 'running calls to integrations were refused; a new worker was started',
    todo: 'if it happens again, report it with `reason`',
  },
  'tools of an integration not renewed': {
    level: 'warn',
    meaning: 'an integration did not list its tools; the last known list is used',
    todo: '`memsvc integration test`',
  },
  'tools of an integration withheld until they are accepted': {
    level: 'warn',
    meaning: 'an integration changed or added tools',
    todo: '`memsvc integration changes`',
  },
  'tool list not saved': {
    level: 'warn',
    meaning: 'the tool list of an integration will be lost at the next start',
    todo: NOTHING,
  },
  'receipts not saved': {
    level: 'warn',
    meaning: 'calls of integrations are missing in the audit log and the console',
    todo: NOTHING,
  },
  'spans were not sent': {
    level: 'warn',
    meaning: 'the collector did not accept spans; they are lost',
    todo: 'check `SVC_TRACES_ENDPOINT`',
  },
  'client metadata not read': {
    level: 'warn',
    meaning: 'the metadata document of an application could not be fetched from `host`',
    todo: NOTHING,
  },
  'client metadata documents are no longer offered': {
    level: 'warn',
    meaning: 'metadata documents cannot be fetched from here; applications register instead',
    todo: NOTHING,
  },
} satisfies Record<string, EventNotes>

export type LogEvent = keyof typeof LOG_EVENTS
