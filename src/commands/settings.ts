import { readSettingsFile, withEnvironment } from '../config/file.ts'
import type { GivenSettings, Texts } from '../config/given.ts'
import { type Config, readConfig } from '../config.ts'

/** What is read of a process. */
type Process = { environment: Texts }

/** Options of a command that stand for settings: their texts, and their names on the command line, by variable. */
export type SettingOptions = { texts: Texts; origins: Texts }

/**
 * The settings that are given: options before the environment, and that before the file that `--config` or `SVC_CONFIG` names.
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

/** The settings in force. @throws Refusal that names everything that is wrong. */
export async function loadConfig(cli: Process, options?: SettingOptions): Promise<Config> {
  const { texts, origins, faults } = await gatherSettings(cli, options)
  return readConfig(texts, origins, faults)
}
