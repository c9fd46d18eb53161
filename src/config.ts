import { findGiven, type Texts } from './config/file.ts'
import { KNOWN_VARIABLES, SETTINGS, type Setting } from './config/settings.ts'
import { Refusal } from './errors.ts'

/** The service's settings, which `SETTINGS` describes. */
export type Config = { [name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[name]['read']> }

/**
 * One effective setting: its variable, its text ('' if there is none; for a secret only whether it is set), and where
 * it comes from.
 */
type SettingInForce = { name: string; value: string; from: string }

/**
 * Reads the settings. `origins` maps variables that do not come from the environment to what set them: an option of a
 * command, or a line of a file. `faults` are errors found earlier.
 *
 * @throws Refusal that lists everything that is wrong, by its origin if known.
 */
export function readConfig(texts: Texts, origins: Texts = {}, faults: readonly string[] = []): Config {
  const all = [...faults, ...findUnknown(texts)]
  const values = Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    collect(all, () => readSetting(setting, texts, origins)),
  ])
  if (all.length > 0) throw new Refusal(toReason(all))
  return Object.fromEntries(values) as Config
}

/**
 * The effective settings, in the order of the documentation. @throws Refusal if the file of a secret cannot be read.
 */
export function listSettings(texts: Texts, origins: Texts = {}): SettingInForce[] {
  return Object.values(SETTINGS).map((setting: Setting<unknown>) => {
    const { text, from } = findGiven(setting, texts, origins)
    return { name: setting.variable, value: setting.isSecret === true && text !== '' ? '(secret)' : text, from }
  })
}

function findUnknown(texts: Texts): string[] {
  const unknown = Object.keys(texts).filter((name) => name.startsWith('SVC_') && !KNOWN_VARIABLES.includes(name))
  if (unknown.length === 0) return []
  return [
    `${unknown.join(', ')} ${unknown.length === 1 ? 'is not a setting' : 'are no settings'}; known are ${KNOWN_VARIABLES.join(', ')}`,
  ]
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

/** The value, or undefined if reading it throws a Refusal, whose message is added to `faults`. */
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
