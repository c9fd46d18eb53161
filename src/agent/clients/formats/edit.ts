import { parse, patch, TomlFormat } from '@decimalturn/toml-patch'
import { parseDocument } from 'yaml'
import { Refusal } from '../../../errors.ts'
import { isObject } from '../../../jsonrpc.ts'
import { jsonFormat } from './json.ts'
import { type FormatName, type Path, type Slot, type TextFormat, toPath, valueAt, withValue } from './settings.ts'

/** A list whose items begin in the column of its key. */
const LIST_NOT_INDENTED = /^( *)[^ #\r\n-].*:[ \t]*\r?\n\1- /m

/** YAML. Comments are kept; white space may be normalized. */
const yamlFormat: TextFormat = {
  parse: (text) => toDocument(text).toJS({ maxAliasCount: 100 }) ?? {},
  set: (text, path, value) => {
    const document = toDocument(text)
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, document.createNode(value))
    return document.toString({ lineWidth: 0, indentSeq: !LIST_NOT_INDENTED.test(text) })
  },
}

function toDocument(text: string) {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw error
  return document
}

/** TOML. A new table of two keys is appended as a section. */
const tomlFormat: TextFormat = {
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

const FORMATS: Record<FormatName, TextFormat> = { json: jsonFormat, toml: tomlFormat, yaml: yamlFormat }

/**
 * Parses a settings file for editing, more strictly than `readSettings`: the runtime's parser ignores what follows an
 * object of JSON. @throws Refusal if it cannot be parsed or is not an object.
 */
function parseSettings(format: FormatName, text: string): Record<string, unknown> {
  const value = tryParse(format, text)
  if (!isObject(value)) throw new Refusal(`it cannot be read as ${format.toUpperCase()}`)
  return value
}

function tryParse(format: FormatName, text: string): unknown {
  try {
    return FORMATS[format].parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the text with `value` in the slot; undefined empties the slot, and removes enclosing objects and lists that
 * are then empty.
 *
 * @throws Refusal for a text that cannot be parsed, and if the edit would change anything else.
 */
export function editSlot(format: FormatName, text: string, slot: Slot, value: unknown): string {
  const settings = parseSettings(format, text)
  const path = toPath(settings, slot)
  if (Bun.deepEquals(valueAt(settings, path), value)) return text
  const target = value === undefined ? outermostEmptied(settings, path) : path
  const expected = withValue(settings, target, value)
  const edited = FORMATS[format].set(text, target, value)
  if (!Bun.deepEquals(tryParse(format, edited), expected))
    throw new Refusal('it has a form that cannot be edited safely')
  return edited
}

/** Whether a text of settings has no member, nor a comment. */
export function isEmptySettings(format: FormatName, text: string): boolean {
  return !/[/#]/.test(text) && Bun.deepEquals(tryParse(format, text), {})
}

/** The shortest path to remove, so that no empty object or list remains. */
function outermostEmptied(settings: unknown, path: Path): Path {
  const parent = path.slice(0, -1)
  const around = valueAt(settings, parent)
  const isLast = typeof around === 'object' && around !== null && Object.keys(around).length === 1
  return parent.length > 0 && isLast ? outermostEmptied(settings, parent) : path
}
