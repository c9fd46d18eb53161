import { type GivenSettings, readSettingsFile, type Texts, withEnvironment } from '../config/file.ts'
import { type Config, readConfig } from '../config.ts'
import { readServeAddress } from '../serve-address.ts'

/** The part of a process that is read. */
type Process = { environment: Texts }

/** Options of a command that override settings: their values, and their names on the command line, by variable. */
export type SettingOptions = { texts: Texts; origins: Texts }

/**
 * The given settings: options take precedence over the environment, and that over the file that `--config` or
 * `SVC_CONFIG` names.
 *
 * @throws Refusal if the file cannot be read.
 */
export async function gatherSettings(
  { environment }: Process,
  options: SettingOptions = { texts: {}, origins: {} },
): Promise<GivenSettings> {
  const file = environment.SVC_CONFIG
  const none: GivenSettings = { texts: {}, origins: {}, faults: [] }
  const { texts, origins, faults } = withEnvironment(file ? await readSettingsFile(file) : none, environment)
  return { texts: { ...texts, ...options.texts }, origins: { ...origins, ...options.origins }, faults }
}

/** The effective settings. @throws Refusal that lists everything that is invalid. */
export async function loadConfig(cli: Process, options?: SettingOptions): Promise<Config> {
  const { texts, origins, faults } = await gatherSettings(cli, options)
  return readConfig(texts, origins, faults)
}

/** The URL of the service on its own machine, such as `http://127.0.0.1:8787`. */
export function toLocalUrl({ host }: Pick<Config, 'host'>, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/**
 * The URL of the configured service on its own machine: where it listens or listened last or, if it was never started,
 * where its settings say.
 */
export function findLocalUrl(config: Pick<Config, 'host' | 'port' | 'dataDir' | 'databaseUrl'>): string {
  const kept = config.databaseUrl === undefined ? readServeAddress(config.dataDir) : undefined
  return kept ?? toLocalUrl(config, config.port)
}

/** The URL under which people reach the service: the public URL or, without one, the address on its own machine. */
export function toBaseUrl(config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'dataDir' | 'databaseUrl'>): string {
  return config.publicUrl ?? findLocalUrl(config)
}
