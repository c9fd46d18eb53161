import { firstRun } from '../../account/organizations/first-run.ts'
import { createApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import { Refusal, toErrorCode } from '../../errors.ts'
import { ensureKeyring } from '../../gateway/keyring.ts'
import { loadGuard } from '../../guard/inspect.ts'
import { serveMetrics } from '../../http/metrics.ts'
import { requireFilesToBackUp } from '../../maintenance/back-up-in-folder.ts'
import { keepServeAddress } from '../../serve-address.ts'
import type { Service } from '../../service.ts'
import { isReadOnly, takeServeLock } from '../../store/open-store.ts'
import { type Cli, withService } from '../cli.ts'
import { localCommand, type OptionsOf } from '../command.ts'
import { loadConfig, type SettingOptions, toLocalUrl } from '../settings.ts'
import { readTimes, startBackgroundWork } from './background-work.ts'
import { announceStart, announceStop, warnOfCredentials, warnOfPublicUrl } from './start-text.ts'

/** How long calls in flight may take after SIGINT or SIGTERM before they are aborted. */
const SHUTDOWN_TIMEOUT_MS = 10_000
/**
 * How long idle connections are kept after the signal, so that a request already on its way is answered and not reset.
 */
const LINGER_MS = 250

/** The options by the settings that they override. */
const OPTIONS = {
  '--host <address>': 'address to listen on, instead of SVC_HOST',
  '--port <number>': 'port to listen on, instead of SVC_PORT; 0 takes a free one',
  '--data <folder>': 'folder of all data, instead of SVC_DATA_DIR',
  '--public-url <url>': 'the address that users type, instead of SVC_PUBLIC_URL',
}

/**
 * `memsvc serve`: runs the server until SIGINT or SIGTERM. A new data folder gets an account, a project and a key
 * first.
 */
export const serveCommand = localCommand(
  'serve',
  'start the service; a new data folder gets an account, a project and a key',
  {
    options: OPTIONS,
    act: async (cli, options) => serve(cli, await loadConfig(cli, toSettings(options))),
  },
)

function toSettings({ host, port, data, publicUrl }: OptionsOf<typeof OPTIONS>): SettingOptions {
  const named = [
    ['SVC_HOST', '--host', host],
    ['SVC_PORT', '--port', port],
    ['SVC_DATA_DIR', '--data', data],
    ['SVC_PUBLIC_URL', '--public-url', publicUrl],
  ] as const
  const given = named.filter(([, , value]) => value !== undefined)
  return {
    texts: Object.fromEntries(given.map(([variable, , value]) => [variable, value])),
    origins: Object.fromEntries(given.map(([variable, name]) => [variable, name])),
  }
}

async function serve(cli: Cli, config: Config): Promise<void> {
  requireFilesToBackUp(config)
  // Ids contain the milliseconds since 1970.
  if (cli.clock.now() < 0) throw new Refusal('the clock of this machine is before 1970; set it')
  for (let next: Config | undefined = config; next !== undefined; ) next = await serveOnce(cli, next)
}

/**
 * Serves until the process is told to stop, or until a read-only data folder takes writes: then returns the settings to
 * go on with, on the same port.
 */
async function serveOnce(cli: Cli, config: Config): Promise<Config | undefined> {
  const release = await takeServeLock(config)
  const folder = watchFolder(config)
  try {
    const port = await withService(cli, (service) => run(cli, service, folder), {
      mayCreate: true,
      config,
      isServing: true,
    })
    return port === undefined ? undefined : { ...config, port }
  } finally {
    folder.end()
    release()
  }
}

/**
 * Everything that can fail is done before the service listens, so that a service that answers is complete; and the
 * address is bound before the first run, whose key is printed only once. Returns the port if the service is to be
 * opened anew.
 */
async function run(cli: Cli, service: Service, { isWritable }: FolderWatch): Promise<number | undefined> {
  cli.ignoreSignals()
  const interrupted = cli.interrupted()
  const { host: hostname, port } = service.config
  listening(service, () => Bun.listen({ hostname, port, socket: { data: () => {} } }).stop(true))
  const stopMetrics = serveMetrics(service)
  let app: App | undefined
  try {
    loadGuard()
    const created = await firstRun(service)
    if (created !== undefined) await ensureKeyring(service)
    const upgraded = await service.store.upgrade()
    if (upgraded > 0) service.log('projects of an older version are brought up to date', { projects: upgraded })
    const times = await readTimes(service)
    app = listening(service, () => createApp(service).listen({ hostname, port }))
    const boundPort = app.server?.port ?? port
    const url = toLocalUrl(service.config, boundPort)
    if (service.config.databaseUrl === undefined) await keepServeAddress(service.config.dataDir, url)
    await announceStart(cli, service, { url, created })
    if (service.store.ownsTables) service.log('the role of the database owns the tables')
    await warnOfCredentials(cli, service)
    const endWork = startBackgroundWork(service, times)
    void warnOfPublicUrl(cli, service)
    // What was needed only to start would otherwise stay until there is more to do: 3 to 5 MiB.
    Bun.gc(true)
    const ended = await Promise.race([interrupted, isWritable])
    if (ended === 'writable') service.log('the data folder can be written again')
    else announceStop(cli, service)
    service.beginStop()
    await Promise.all([endWork(), stopListening(app)])
    return ended === 'writable' ? boundPort : undefined
  } finally {
    // Also after a failure: what listens would keep the process running, without its data.
    await app?.server?.stop(true)
    await stopMetrics()
  }
}

type App = ReturnType<typeof createApp>

/** Resolves when accepted requests are answered, or after 10 seconds. New requests are refused meanwhile. */
async function stopListening({ server }: App): Promise<void> {
  const cut = setTimeout(() => server?.stop(true), SHUTDOWN_TIMEOUT_MS)
  await Bun.sleep(LINGER_MS)
  await server?.stop()
  clearTimeout(cut)
}

/** Throws a Refusal if the address cannot be bound. */
function listening<Result>({ config: { host, port } }: Service, listen: () => Result): Result {
  try {
    return listen()
  } catch (error) {
    throw new Refusal(`cannot listen on ${host}:${port}: ${toListenFault(error)}`)
  }
}

function toListenFault(error: unknown): string {
  switch (toErrorCode(error)) {
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address; give another with --host or SVC_HOST'
    case 'EACCES':
      return 'the system does not allow that port to this user; give one from 1024 on with --port or SVC_PORT'
    case 'EADDRINUSE':
      return 'another program may have that port; give a free one with --port or SVC_PORT'
    default:
      return 'that is no address of this machine; give another with --host or SVC_HOST'
  }
}

const CHECK_PERIOD_MS = 2_000

/**
 * `isWritable` resolves once data that was read-only takes writes; never for data that was not. `end` ends the waiting.
 */
type FolderWatch = { isWritable: Promise<'writable'>; end: () => void }

/**
 * To be called before the store is opened. SQLite opens a control file that takes no writes for reading alone, and so
 * it stays: only a store that is opened anew can write again.
 */
function watchFolder(config: Pick<Config, 'dataDir' | 'databaseUrl'>): FolderWatch {
  const { promise: isWritable, resolve } = Promise.withResolvers<'writable'>()
  if (!isReadOnly(config)) return { isWritable, end: () => {} }
  const timer = setInterval(() => {
    if (!isReadOnly(config)) resolve('writable')
  }, CHECK_PERIOD_MS)
  return { isWritable, end: () => clearInterval(timer) }
}
