import { findGiven, type Texts } from './config/given.ts'
import { KNOWN_VARIABLES, SETTINGS, type Setting } from './config/settings.ts'
import { Refusal } from './errors.ts'

/** The service's settings; `SETTINGS` says what each is. */
export type Config = { [name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[name]['read']> }

/** One setting as it is in force: its variable, its text ('' where there is none; of a secret, only that it is given), and where that comes from. */
export type SettingInForce = { name: string; value: string; from: string }

/**
 * Reads the settings. `origins` says of variables that do not come from the environment what stands for them: an option of a command, or a line of a file. `faults`
 * are those found before.
 *
 * @throws Refusal that names everything that is wrong, by its origin where it has one.
 */
export function readConfig(texts: Texts, origins: Texts = {}, faults: readonly string[] = []): Config {
  const all = [...faults, ...findUnknown(texts)]
  const values = Object.entries(SETTINGS).map(([name, setting]) => [name, collect(all, () => readSetting(setting, texts, origins))])
  if (all.length > 0) throw new Refusal(toReason(all))
  return Object.fromEntries(values) as Config
}

/** What is in force, in the order of the documentation. @throws Refusal if the file of a secret cannot be read. */
export function listSettings(texts: Texts, origins: Texts = {}): SettingInForce[] {
  return Object.values(SETTINGS).map((setting: Setting<unknown>) => {
    const { text, from } = findGiven(setting, texts, origins)
    return { name: setting.variable, value: setting.isSecret === true && text !== '' ? '(secret)' : text, from }
  })
}

function findUnknown(texts: Texts): string[] {
  const unknown = Object.keys(texts).filter((name) => name.startsWith('SVC_') && !KNOWN_VARIABLES.includes(name))
  if (unknown.length === 0) return []
  return [`${unknown.join(', ')} ${unknown.length === 1 ? 'is not a setting' : 'are no settings'}; known are ${KNOWN_VARIABLES.join(', ')}`]
}

function readSetting(setting: Setting<unknown>, texts: Texts, origins: Texts): unknown {
  const { text, name } = findGiven(setting, texts, origins)
  try {
    return setting.read(text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`${name} ${error.message}`)
  }
}

/** The value; undefined, with the reason added to `faults`, where it is refused. */
function collect(faults: string[], read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    faults.push(error.message)
    return undefined
  }
}

function toReason(faults: string[]): string {
  const [only = ''] = faults
  return faults.length === 1 ? only : `the settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`
}
