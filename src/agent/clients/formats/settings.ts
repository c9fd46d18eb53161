import { Refusal } from '../../../errors.ts'
import { isObject } from '../../../jsonrpc.ts'

/** Object keys and list indexes, from the root. */
export type Path = (string | number)[]

/** The value at a path; undefined if there is none. */
export function valueAt(settings: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => childOf(value, key), settings)
}

function childOf(value: unknown, key: string | number): unknown {
  if (typeof key === 'number') return Array.isArray(value) ? value[key] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/**
 * The settings with `value` at a path; undefined removes the present one. @throws Refusal if the path leads through
 * anything but objects and lists.
 */
export function withValue(settings: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  const child = withValue(childOf(settings, key), rest, value)
  if (typeof key === 'number') return withItem(Array.isArray(settings) ? settings : [], key, child)
  if (settings !== undefined && !isObject(settings))
    throw new Refusal(`'${key}' stands in something else than an object`)
  const { [key]: _, ...others } = settings ?? {}
  return child === undefined ? others : { ...others, [key]: child }
}

function withItem(items: unknown[], at: number, item: unknown): unknown[] {
  return item === undefined ? items.toSpliced(at, 1) : items.toSpliced(at, 1, item)
}

/** A settings format. Edits keep comments, order and layout of everything else. */
export type TextFormat = {
  /** Parses a file; an empty text is `{}`. @throws any error if the text is malformed. */
  parse: (text: string) => unknown
  /**
   * Returns the text with `value` at `path`, creating missing objects; an index past the end of a list appends.
   * Undefined removes the value.
   */
  set: (text: string, path: Path, value: unknown) => string
}

export type FormatName = 'json' | 'toml' | 'yaml'

/** Our place in a file: a member of an object or, with `isOurs`, the only item of a list that satisfies it. */
export type Slot = { path: string[]; isOurs?: (item: unknown) => boolean }

/** The path of a slot; for a missing item of a list, one past its end. */
export function toPath(settings: unknown, { path, isOurs }: Slot): Path {
  if (isOurs === undefined) return path
  const list = valueAt(settings, path)
  const items = Array.isArray(list) ? list : []
  const found = items.findIndex(isOurs)
  return [...path, found < 0 ? items.length : found]
}

const PARSERS: Record<FormatName, (text: string) => unknown> = {
  json: (text) => (text.trim() === '' ? {} : Bun.JSONC.parse(text.replace(/^\uFEFF/, ''))),
  toml: Bun.TOML.parse,
  yaml: (text) => Bun.YAML.parse(text) ?? {},
}

/**
 * Parses a settings file for reading, without loading the modules for edits. @throws Refusal if it cannot be parsed or
 * is not an object.
 */
export function readSettings(format: FormatName, text: string): Record<string, unknown> {
  try {
    const value = PARSERS[format](text)
    if (isObject(value)) return value
  } catch {
    // The text belongs to the user, and a parser's message may repeat parts of it.
  }
  throw new Refusal(`it cannot be read as ${format.toUpperCase()}`)
}
