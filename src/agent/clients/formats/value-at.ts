import { Refusal } from '../../../errors.ts'
import { isObject } from '../../../jsonrpc.ts'

/** Keys of objects and positions in lists, from the top. */
export type Path = (string | number)[]

/** What stands at a path; undefined where nothing does. */
export function valueAt(settings: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => childOf(value, key), settings)
}

function childOf(value: unknown, key: string | number): unknown {
  if (typeof key === 'number') return Array.isArray(value) ? value[key] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The settings with `value` at a path; undefined takes out what stands there. @throws Refusal where the path leads through something else than objects and lists. */
export function withValue(settings: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  const child = withValue(childOf(settings, key), rest, value)
  if (typeof key === 'number') return withItem(Array.isArray(settings) ? settings : [], key, child)
  if (settings !== undefined && !isObject(settings)) throw new Refusal(`'${key}' stands in something else than an object`)
  const { [key]: _, ...others } = settings ?? {}
  return child === undefined ? others : { ...others, [key]: child }
}

function withItem(items: unknown[], at: number, item: unknown): unknown[] {
  return item === undefined ? items.toSpliced(at, 1) : items.toSpliced(at, 1, item)
}
