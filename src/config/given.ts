import { readFileSync } from 'node:fs'
import { Refusal, toErrorCode } from '../errors.ts'
import { type Setting, secretFileVariable } from './settings.ts'

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
  try {
    const bytes = readFileSync(file)
    if (bytes.length <= MAX_SECRET_FILE_BYTES) return bytes.toString('utf8').trim()
  } catch (error) {
    throw new Refusal(`${shown} names '${file}', which cannot be read (${toErrorCode(error)})`)
  }
  throw new Refusal(`${shown} names '${file}', which is larger than ${MAX_SECRET_FILE_BYTES} bytes`)
}
