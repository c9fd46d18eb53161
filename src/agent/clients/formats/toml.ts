import { parse, patch, TomlFormat } from '@decimalturn/toml-patch'
import { isObject } from '../../../jsonrpc.ts'
import { type TextFormat, valueAt, withValue } from './settings.ts'

/** TOML. A new table of two keys is appended as a section. */
export const tomlFormat: TextFormat = {
  parse: (text) => parse(text),
  set: (text, path, value) => {
    const settings = parse(text) as Record<string, unknown>
    const [table = '', name = ''] = path.map(String)
    const isNew = path.length === 2 && !isObject(valueAt(settings, [table, name]))
    if (isNew && isObject(value)) return appendSection(text, [table, name], value)
    return patch(text, withValue(settings, path, value), layout())
  },
}

/** A section may follow anywhere after the root keys, so nothing before it changes. */
function appendSection(text: string, [table, name]: [string, string], value: Record<string, unknown>): string {
  const section = patch('', { [table]: { [name]: value } }, layout()).replace(/^\[[^\]]+\]\s+/, '')
  const before = text.trimEnd()
  return before === '' ? section : `${before}\n\n${section}`
}

function layout(): TomlFormat {
  const format = TomlFormat.default()
  format.inlineTableStart = 2
  return format
}
