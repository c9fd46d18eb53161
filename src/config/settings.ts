import { readAllowed } from '../outbound/address.ts'
import { readNetworks } from './networks.ts'
import {
  entries,
  flag,
  integer,
  logChoice,
  oneOf,
  optionalDatabaseUrl,
  optionalKeep,
  optionalPassphrase,
  optionalSocketAddress,
  optionalSpanOrOff,
  optionalText,
  optionalToken,
  optionalUrl,
  type Read,
  secretKeys,
  text,
} from './values.ts'

/** One setting of the service. */
export type Setting<Value> = {
  /** Its name in the environment. In a file it is the same without `SVC_`, in lower case. */
  variable: string
  /** What it is for, in one line of Markdown. */
  meaning: string
  /** The default; without one, the setting is empty. */
  preset?: string
  /**
   * A secret is not shown, not accepted in a settings file, and may be in a file of its own, named by the variable with
   * the suffix `_FILE`.
   */
  isSecret?: true
  read: Read<Value>
}

const setting = <Value>(one: Setting<Value>): Setting<Value> => one

/** Every setting of the service, by its name in `Config`. A new one is a row here and one in docs/configuration.md. */
export const SETTINGS = {
  host: setting({ variable: 'SVC_HOST', meaning: 'address to listen on', preset: '127.0.0.1', read: text }),
  port: setting({
    variable: 'SVC_PORT',
    meaning: 'TCP port to listen on; 0 takes a free one',
    preset: '8787',
    read: integer(0, 65_535),
  }),
  dataDir: setting({
    variable: 'SVC_DATA_DIR',
    meaning: 'folder of all data; other commands than `serve` act on it too',
    preset: './data',
    read: text,
  }),
  databaseUrl: setting({
    variable: 'SVC_DATABASE_URL',
    meaning:
      'PostgreSQL 15 or later that keeps all data instead of files: `postgres://memsvc:password@db.internal/memsvc?sslmode=verify-full`',
    isSecret: true,
    read: optionalDatabaseUrl,
  }),
  databasePool: setting({
    variable: 'SVC_DATABASE_POOL',
    meaning: 'most connections to the database that the calls of one instance share',
    preset: '10',
    read: integer(2, 1_000),
  }),
  publicUrl: setting({
    variable: 'SVC_PUBLIC_URL',
    meaning: 'the address users type; needed behind a proxy and for hosted assistants',
    read: optionalUrl,
  }),
  trustedProxies: setting({
    variable: 'SVC_TRUSTED_PROXIES',
    meaning: 'reverse proxies whose `X-Forwarded-For` is trusted: `127.0.0.1,10.0.0.0/8`',
    read: (given) => readNetworks(entries(given)),
  }),
  trashDays: setting({
    variable: 'SVC_TRASH_DAYS',
    meaning: 'days a forgotten record or a removed account can be restored, before it is erased',
    preset: '30',
    read: integer(0, 3_650),
  }),
  historyDays: setting({
    variable: 'SVC_HISTORY_DAYS',
    meaning: 'days a session history is kept after the last upload to it',
    preset: '365',
    read: integer(1, 36_500),
  }),
  auditDays: setting({
    variable: 'SVC_AUDIT_DAYS',
    meaning: 'days a line of the audit log is kept',
    preset: '400',
    read: integer(1, 36_500),
  }),
  secretKeys: setting({
    variable: 'SVC_SECRET_KEY',
    meaning:
      '64 hexadecimal digits that encrypt the credentials of integrations; of several keys, separated by commas, the first encrypts and all decrypt. Without it, the key is `secret.key` in the data folder',
    isSecret: true,
    read: secretKeys,
  }),
  outboundAllow: setting({
    variable: 'SVC_OUTBOUND_ALLOW',
    meaning: 'private hosts and networks that integrations may use: `git.internal,10.1.0.0/16`',
    read: (given) => {
      const allowed = entries(given)
      readAllowed(allowed)
      return allowed
    },
  }),
  clientDocuments: setting({
    variable: 'SVC_OAUTH_CLIENT_DOCUMENTS',
    meaning:
      'whether hosted assistants may identify themselves by a metadata document: `on`, `off`, or `tried` (if the service can fetch those of Claude and ChatGPT)',
    preset: 'tried',
    read: oneOf('on', 'off', 'tried'),
  }),
  log: setting({
    variable: 'SVC_LOG',
    meaning:
      'lowest level that is logged: `error`, `warn` or `info`; `access`, alone or after a comma, adds a line for each request',
    preset: 'info',
    read: logChoice,
  }),
  metricsAddress: setting({
    variable: 'SVC_METRICS_ADDRESS',
    meaning: 'address and port that serve `GET /metrics` and nothing else, such as `127.0.0.1:9464`',
    read: optionalSocketAddress,
  }),
  metricsToken: setting({
    variable: 'SVC_METRICS_TOKEN',
    meaning:
      'token (at least 16 characters) that `GET /metrics` requires; the service then has metrics at its own address too',
    isSecret: true,
    read: optionalToken,
  }),
  tracesEndpoint: setting({
    variable: 'SVC_TRACES_ENDPOINT',
    meaning:
      'OpenTelemetry collector (OTLP over HTTP) that gets a span of each request, such as `http://127.0.0.1:4318`',
    read: optionalUrl,
  }),
  printFirstKey: setting({
    variable: 'SVC_PRINT_FIRST_KEY',
    meaning: '1 prints the first key even without a terminal, instead of writing `first-key.txt` into the data folder',
    preset: '0',
    read: flag,
  }),
  backupDir: setting({
    variable: 'SVC_BACKUP_DIR',
    meaning: 'folder for backups; without it, `serve` uses `backups` in the data folder',
    read: optionalText,
  }),
  backupEvery: setting({
    variable: 'SVC_BACKUP_EVERY',
    meaning: 'how often `serve` makes a backup: `6h`, `off`; without it, once a day',
    read: optionalSpanOrOff,
  }),
  backupKeep: setting({
    variable: 'SVC_BACKUP_KEEP',
    meaning:
      'how many hourly, daily, weekly and monthly backups are kept: `24h7d4w`; without it, `7d` in the data folder, all in `SVC_BACKUP_DIR`',
    read: optionalKeep,
  }),
  backupPassphrase: setting({
    variable: 'SVC_BACKUP_PASSPHRASE',
    meaning: 'passphrase that encrypts `secret.key` in backups; without it, they do not contain that key',
    isSecret: true,
    read: optionalPassphrase,
  }),
  checkDays: setting({
    variable: 'SVC_CHECK_DAYS',
    meaning: 'days between checks of all files for damage by `serve`; 0 for none',
    preset: '7',
    read: integer(0, 365),
  }),
} satisfies Record<string, Setting<unknown>>

/** Variables of the local agent and the commands like it; the service ignores them. */
export const AGENT_VARIABLES = ['SVC_API_KEY', 'SVC_API_KEY_FILE', 'SVC_ENDPOINT', 'SVC_STATE_DIR', 'SVC_SYNC']

/** The variable that names the settings file. */
export const FILE_VARIABLE = 'SVC_CONFIG'

/** The name of the variable that names a file with this secret. */
export const secretFileVariable = (variable: string) => `${variable}_FILE`

/** Every variable that may be set. */
export const KNOWN_VARIABLES: string[] = [
  ...Object.values(SETTINGS).flatMap((one: Setting<unknown>) => [
    one.variable,
    ...(one.isSecret === true ? [secretFileVariable(one.variable)] : []),
  ]),
  FILE_VARIABLE,
  ...AGENT_VARIABLES,
]
