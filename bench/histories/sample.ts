import { release } from 'node:os'
import { toObject, toText } from '../../src/transcripts/format.ts'

/**
 * A line of a history, shortened: long texts are cut, of long lists the beginning is kept, and the home folder and the
 * system have other names.
 */
export function toSample(line: string, home: string): string {
  const named = line
    .replaceAll(home, '/home/ada')
    .replaceAll(home.replaceAll('/', '-'), '-home-ada')
    .replaceAll(release(), '6.1.0')
  return JSON.stringify(shorten(JSON.parse(named)))
}

const MAX_CHARACTERS = 100
const MAX_ITEMS = 4

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= MAX_CHARACTERS ? value : `${value.slice(0, 30)}…`
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]))
}

/** What kind of line it is, by the members with which formats tell them apart. */
export function kindOf(line: string): string {
  const { type, payload, data, attachment, subtype, ...others } = toObject(JSON.parse(line))
  const inner =
    toText(toObject(payload).type) ??
    toText(toObject(data).type) ??
    toText(toObject(attachment).type) ??
    toText(subtype)
  return [toText(type) ?? Object.keys(others)[0] ?? 'empty', inner].filter((part) => part !== undefined).join(' ')
}
