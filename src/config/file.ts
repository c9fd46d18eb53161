import { readFileSync } from 'node:fs'
import { Refusal, toErrorCode, toMessage } from '../errors.ts'
import {
  AGENT_VARIABLES,
  FILE_VARIABLE,
  KNOWN_VARIABLES,
  SETTINGS,
  type Setting,
  secretFileVariable,
} from './settings.ts'

/** Texts by the names of variables. */
export type Texts = Record<string, string | undefined>

/** Settings as an operator gave them, before they are read. */
export type GivenSettings = {
  texts: Texts
  /** For variables that do not come from the environment: the option or line of a file that sets them. */
  origins: Texts
  /** Errors of a settings file. */
  faults: string[]
}

/** The input for one setting: its text, '' if there is none; what an operator calls it; and where it comes from. */
type Given = { text: string; name: string; from: string }

/** Maximum size of a file with a secret. */
const MAX_SECRET_FILE_BYTES = 16_384

/** Throws a Refusal if the file of a secret cannot be read. */
export function findGiven({ variable, preset = '', isSecret }: Setting<unknown>, texts: Texts, origins: Texts): Given {
  const text = texts[variable]
  const name = origins[variable] ?? variable
  if (isSecret === true) {
    const fileVariable = secretFileVariable(variable)
    const fileName = origins[fileVariable] ?? fileVariable
    const file = texts[fileVariable]
    if (text && file) throw new Refusal(`${name} and ${fileName} exclude each other`)
    if (file)
      return {
        text: readSecret(file, fileName),
        name: `the file '${file}' (${fileName})`,
        from: `'${file}' (${fileName})`,
      }
  }
  if (text) return { text, name, from: origins[variable] ?? 'environment' }
  return { text: preset, name, from: 'default' }
}

function readSecret(file: string, shown: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new Refusal(`${shown} names '${file}', which cannot be read (${toErrorCode(error)})`)
  }
  if (bytes.length > MAX_SECRET_FILE_BYTES)
    throw new Refusal(`${shown} names '${file}', which is larger than ${MAX_SECRET_FILE_BYTES} bytes`)
  const text = bytes.toString('utf8').trim()
  // It does not count as unset: a service without its database, for one, would begin anew in files.
  if (text === '') throw new Refusal(`${shown} names '${file}', which is empty`)
  return text
}

/** Maximum size of a settings file. */
const MAX_FILE_BYTES = 64 * 1024

/**
 * Reads a settings file: TOML, with the names of variables in lower case without `SVC_`, and lists instead of commas.
 * Faults refer to it as `<name> in <path>`.
 *
 * @throws Refusal if the file cannot be read or is not TOML.
 */
export async function readSettingsFile(path: string): Promise<GivenSettings> {
  const given: GivenSettings = { texts: {}, origins: {}, faults: [] }
  for (const [key, value] of Object.entries(await parseFile(path))) {
    const variable = `SVC_${key.toUpperCase()}`
    const name = `${key} in ${path}`
    const fault = findFault(key, variable)
    const text = toText(value)
    if (fault !== undefined) given.faults.push(`${name} ${fault}`)
    else if (text === undefined)
      given.faults.push(`${name} must be a text, a whole number, true, false or a list of texts`)
    else
      Object.assign(given, {
        texts: { ...given.texts, [variable]: text },
        origins: { ...given.origins, [variable]: name },
      })
  }
  return given
}

async function parseFile(path: string): Promise<Record<string, unknown>> {
  const text = await readText(path)
  // Loaded on demand, since a service without such a file does not need it.
  const { parse } = await import('@decimalturn/toml-patch')
  try {
    return parse(text) as Record<string, unknown>
  } catch (error) {
    throw new Refusal(`${path} is not valid TOML: ${toOneLine(error)}`)
  }
}

/** The library's message without the quoted line of the file, which may contain a secret. */
function toOneLine(error: unknown): string {
  const [place = '', ...rest] = toMessage(error).split('\n')
  const position = /\((\d+), (\d+)\)/.exec(place)
  return position === null ? place : `line ${position[1]}, column ${position[2]}: ${rest.at(-1) ?? ''}`
}

async function readText(path: string): Promise<string> {
  try {
    const file = Bun.file(path)
    const text = await file.slice(0, MAX_FILE_BYTES + 1).text()
    if (Buffer.byteLength(text) <= MAX_FILE_BYTES) return text
  } catch (error) {
    throw new Refusal(`${path} cannot be read (${toErrorCode(error)})`)
  }
  throw new Refusal(`${path} is larger than ${MAX_FILE_BYTES} bytes`)
}

/** Secrets are not allowed in the file, so that it can be shown and stored with other files. */
function findFault(key: string, variable: string): string | undefined {
  const secret = Object.values(SETTINGS).find(
    (one: Setting<unknown>) => one.isSecret === true && one.variable === variable,
  )
  if (secret !== undefined) return `is a secret: name a file with it in ${secretFileVariable(key).toLowerCase()}`
  const isKnown = key === key.toLowerCase() && KNOWN_VARIABLES.includes(variable)
  return isKnown && variable !== FILE_VARIABLE && !AGENT_VARIABLES.includes(variable)
    ? undefined
    : 'is not a setting of the service'
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string' && !entry.includes(','))
  return isList ? value.join(',') : undefined
}

/**
 * Combines the settings of a file with those of the environment, which take precedence; an empty variable counts as
 * unset.
 */
export function withEnvironment({ texts, origins, faults }: GivenSettings, environment: Texts): GivenSettings {
  const own = Object.fromEntries(Object.entries(environment).filter(([, text]) => text))
  const kept = Object.entries(origins).filter(([variable]) => own[variable] === undefined)
  return { texts: { ...texts, ...own }, origins: Object.fromEntries(kept), faults }
}
