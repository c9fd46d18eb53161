/** How urgent an event is for the operator: `error` at once, `warn` when there is time, `info` not at all. */
export type Level = 'error' | 'warn' | 'info'

/**
 * Every event of the log. docs/monitoring.md says what those mean that ask for something of their own, and what to do.
 */
export const LOG_EVENTS = {
  // At `address`, from the folder or database `data`.
  serving: 'info',
  'serving metrics': 'info',
  stopping: 'info',
  // Only with `SVC_LOG=access`.
  request: 'info',
  // The event `of` had more than 60 lines in a minute.
  'lines held back': 'warn',
  'internal error': 'error',
  // A download, an export or a large result of an integration could not be read to its end.
  'an answer was broken off': 'error',
  // `GET /readyz` answered 503.
  'not ready': 'error',
  'the storage refused to write': 'error',
  'an audit line was not written': 'error',
  'public address': 'warn',
  // It could lift the policies that keep projects apart.
  'the role of the database owns the tables': 'warn',
  'credentials cannot be decrypted': 'error',
  'the first key is in a file': 'info',
  'the first key was not written': 'error',
  'projects of an older version are brought up to date': 'info',
  // The service was started on a read-only folder.
  'the data folder can be written again': 'info',
  'the last act was days ago': 'info',
  'the clock has jumped': 'warn',
  // Forgotten records were erased for good.
  purged: 'info',
  'an account was erased': 'info',
  // Forgotten records, old session histories or a removed account were not erased.
  'purge failed': 'error',
  reindexed: 'info',
  'reindex failed': 'error',
  // Nothing was suggested from the session histories of a project.
  'suggestions failed': 'error',
  // Expired sessions and old lines of the audit log were not removed.
  'upkeep failed': 'error',
  // Segments of an index were not merged; search slows down.
  'the store was not put in order': 'error',
  'an import failed': 'error',
  // At the start: into `folder`, at the interval `every`; those of `keep` are kept, or all.
  'backups are made': 'info',
  'backups are on the disk of the data': 'warn',
  // It is in `file`; so many older ones were `deleted`.
  'a backup was made': 'info',
  'backup failed': 'error',
  'a backup is not complete': 'error',
  // The files were not checked for damage.
  'check failed': 'error',
  'the data is damaged': 'error',
  'a project is damaged': 'error',
  // Those of the last minute that had no answer are lost.
  'questions were not kept': 'warn',
  // The last use of keys is not up to date.
  'uses were not written': 'warn',
  // A failed sign-in has no line in the audit log.
  'the owner of a refused credential was not found': 'warn',
  'the worker of upstreams died': 'error',
  'tools of an integration not renewed': 'warn',
  'tools of an integration withheld until they are accepted': 'warn',
  // It is lost at the next start.
  'tool list not saved': 'warn',
  // Calls of integrations are missing in the audit log and the console.
  'receipts not saved': 'warn',
  'spans were not sent': 'warn',
  'client metadata not read': 'warn',
  // They cannot be fetched from here; applications register instead.
  'client metadata documents are no longer offered': 'warn',
} satisfies Record<string, Level>

export type LogEvent = keyof typeof LOG_EVENTS
