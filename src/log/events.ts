/** How urgent an event is for the operator: `error` at once, `warn` when there is time, `info` not at all. */
export type Level = 'error' | 'warn' | 'info'

/** What an event means and what the operator does about it. Both texts are Markdown, for docs/monitoring.md. */
type EventNotes = { level: Level; meaning: string; todo: string }

const NOTHING = 'nothing'

/** Every event of the log. A new one is a row here and one in docs/monitoring.md. */
export const LOG_EVENTS = {
  serving: {
    level: 'info',
    meaning: 'the service has started and answers at `address`; its `data` is in that folder or database',
    todo: NOTHING,
  },
  'serving metrics': { level: 'info', meaning: 'metrics are at `address`', todo: NOTHING },
  stopping: { level: 'info', meaning: 'the service was told to stop', todo: NOTHING },
  request: { level: 'info', meaning: 'a request was answered; written with `SVC_LOG=access` alone', todo: NOTHING },
  'lines held back': {
    level: 'warn',
    meaning: 'an event (`of`) had more than 60 lines in a minute',
    todo: 'look at the lines of that event',
  },
  'internal error': {
    level: 'error',
    meaning: 'a request met a fault of the program; the caller was told the `request_id`',
    todo: 'report it with the line',
  },
  'an answer was broken off': {
    level: 'error',
    meaning: 'a download, an export or a large forwarded result could not be read to its end; its client saw the connection break',
    todo: 'as `error` says; where it is of the program, report it with the line',
  },
  'not ready': {
    level: 'error',
    meaning: '`GET /readyz` answered 503',
    todo: '`error` says why: make room, mount the folder for writing, or look at the disk or the database',
  },
  'the storage refused to write': {
    level: 'error',
    meaning:
      'saves were refused since the last such line, and searches too where the storage fails, `acts` of them; `error` is what the system or the database says',
    todo: 'make room (`ENOSPC`), mount for writing (`EROFS`), look at the disk (`EIO`); the service goes on by itself',
  },
  'an audit line was not written': {
    level: 'error',
    meaning: 'an act in a project took effect, and its line of the audit log is this one',
    todo: 'keep the line; mend what `error` says',
  },
  'public address': { level: 'warn', meaning: 'hosted assistants cannot connect under `SVC_PUBLIC_URL`', todo: 'as `fault` says' },
  'credentials cannot be decrypted': {
    level: 'error',
    meaning: 'at the start, no key was there for the credentials of these `integrations`, whose tools fail until then',
    todo: 'give each instance the `SVC_SECRET_KEY`, or the folder its `secret.key`, with which they were made; or enter them again',
  },
  'the first key is in a file': {
    level: 'info',
    meaning: 'a new data folder has an account, a project and a key',
    todo: 'fetch the key from `file`, and delete the file; where nothing can delete it, as in the container, start on a new folder with `SVC_PRINT_FIRST_KEY=1`',
  },
  'the first key was not written': {
    level: 'error',
    meaning: 'the file of the first key could not be written',
    todo: '`memsvc key issue` and `memsvc member link` make others',
  },
  'projects of an older version are brought up to date': { level: 'info', meaning: 'done before the service listened', todo: NOTHING },
  'the data folder can be written again': {
    level: 'info',
    meaning: 'the service had been started on a read-only folder; it opens the data anew, which takes a moment, and saves again',
    todo: NOTHING,
  },
  'the last act was days ago': {
    level: 'info',
    meaning:
      'at the start: the last line of the audit log is of `from`, `days` ago. In case it is the clock that is wrong, what is old enough to be purged is judged by that time for a day',
    todo: 'check the clock, if the service was in use since',
  },
  'the clock has jumped': {
    level: 'warn',
    meaning:
      'while the service ran, the clock was put `days` ahead; for a day, what is old enough to be purged is judged by the time before',
    todo: 'check the clock',
  },
  purged: { level: 'info', meaning: 'forgotten records were erased for good', todo: NOTHING },
  'an account was erased': {
    level: 'info',
    meaning: 'an account that was removed `SVC_TRASH_DAYS` ago was erased for good, with everything of it',
    todo: NOTHING,
  },
  'purge failed': {
    level: 'error',
    meaning: 'forgotten records, old session histories, or a removed account, were not erased',
    todo: '`memsvc doctor`; it is tried again in an hour',
  },
  reindexed: { level: 'info', meaning: 'the index of a project was rebuilt', todo: NOTHING },
  'reindex failed': { level: 'error', meaning: 'the index of a project could not be rebuilt', todo: '`memsvc doctor`, `memsvc reindex`' },
  'upkeep failed': { level: 'error', meaning: 'expired sessions and old lines of the audit log stay', todo: '`memsvc doctor`' },
  'the store was not put in order': {
    level: 'error',
    meaning: 'segments of an index were not merged; search slows down',
    todo: '`memsvc doctor`',
  },
  'an import failed': {
    level: 'error',
    meaning: 'an import in the console met a fault of the program; what it saved before stays',
    todo: 'report it with the line',
  },
  'backups are made': {
    level: 'info',
    meaning: 'at the start: `serve` makes a backup into `folder` `every` so often, and keeps those that `keep` names, or all',
    todo: NOTHING,
  },
  'backups are on the disk of the data': {
    level: 'warn',
    meaning: 'at the start: if the disk of `folder` fails, the data and its backups are lost together',
    todo: 'copy them to another machine, or name a folder on another disk in `SVC_BACKUP_DIR`',
  },
  'a backup was made': {
    level: 'info',
    meaning: 'a complete backup is in `file`, and as many older ones as `deleted` says were deleted',
    todo: NOTHING,
  },
  'backup failed': {
    level: 'error',
    meaning: 'a backup that was due, or asked for in the console, was not made, for the reason in `error`',
    todo: 'mend that; one that was due is tried again in an hour',
  },
  'a backup is not complete': {
    level: 'error',
    meaning: 'what stands in `reason` is not whole in the backup, and no older backup was deleted',
    todo: '`memsvc doctor`; restore what is damaged from an older backup',
  },
  'check failed': { level: 'error', meaning: 'the files were not looked through for damage', todo: '`memsvc doctor`' },
  'the data is damaged': {
    level: 'error',
    meaning: 'the check of all files found a fault in `file`',
    todo: '`memsvc doctor` says what mends it; keep older backups',
  },
  'a project is damaged': {
    level: 'error',
    meaning:
      'a file of `project` is damaged, missing or of another project, as `fault` says; calls that need what is lost are refused, other projects are not affected',
    todo: '`todo`: the command that restores it from a backup, while the service runs; `memsvc doctor` tells more',
  },
  'uses were not written': { level: 'warn', meaning: 'when keys were last used is not up to date', todo: NOTHING },
  'the owner of a refused credential was not found': {
    level: 'warn',
    meaning: 'a failed sign-in has no line in the audit log',
    todo: NOTHING,
  },
  'the worker of upstreams died': {
    level: 'error',
    meaning: 'calls to integrations under way were refused; a new worker was started',
    todo: 'report it with `reason`, if it comes again',
  },
  'tools of an integration not renewed': {
    level: 'warn',
    meaning: 'an integration does not list its tools; the last list is served',
    todo: '`memsvc integration test`',
  },
  'tools of an integration withheld until they are accepted': {
    level: 'warn',
    meaning: 'an integration changed or added tools',
    todo: '`memsvc integration changes`',
  },
  'tool list not saved': { level: 'warn', meaning: 'the list of an integration is known until the next start alone', todo: NOTHING },
  'receipts not saved': { level: 'warn', meaning: 'calls of integrations are missing in the console', todo: NOTHING },
  'spans were not sent': {
    level: 'warn',
    meaning: 'the collector at `SVC_TRACES_ENDPOINT` did not take spans; they are lost',
    todo: 'look at the collector',
  },
  'client metadata not read': {
    level: 'warn',
    meaning: 'the metadata document of an application could not be fetched from `host`',
    todo: 'nothing, or allow the way out',
  },
  'client metadata documents are no longer offered': {
    level: 'warn',
    meaning: 'documents cannot be fetched from here; applications register instead',
    todo: 'nothing, or allow https to claude.ai and chatgpt.com',
  },
} satisfies Record<string, EventNotes>

export type LogEvent = keyof typeof LOG_EVENTS
